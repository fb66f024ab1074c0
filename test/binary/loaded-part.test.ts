import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadedPart } from '../../bin/loaded-part.js'
import { folderForTest } from '../fixtures/lake.ts'

/** The native modules of this platform: 64-bit ELF files, as this Linux system loads them. */
const ADDON = join(import.meta.dirname, '../../node_modules/@duckdb/node-bindings-linux-x64/duckdb.node')
const isLinux = process.platform === 'linux' && process.arch === 'x64'

test.runIf(isLinux)('the mapped part of a library is loaded, and ends before the symbols', () => {
  const whole = readFileSync(ADDON)
  const part = loadedPart(whole)
  expect(part.length).toBeLessThan(whole.length)
  const path = join(folderForTest(), 'duckdb.node')
  writeFileSync(path, part)
  // The dynamic loader of the system is the judge: another process loads the file.
  const library = join(ADDON, '..')
  const load = `process.dlopen({ exports: {} }, ${JSON.stringify(path)}); console.log('loaded')`
  const env = { ...process.env, LD_LIBRARY_PATH: library }
  expect(execFileSync(process.execPath, ['-e', load], { encoding: 'utf8', env })).toBe('loaded\n')
})

test('a file that is no library is refused', () => {
  expect(() => loadedPart(Buffer.from('#!/bin/sh\n'))).toThrow(
    'a native part is not a 64-bit little-endian ELF file',
  )
})
