import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { extracted, folderName, type NativePart } from '../../src/binary/native.ts'
import { folderForTest } from '../fixtures/lake.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const part = (name: string, text: string): NativePart => ({ name, bytes: text.length, sha256: sha256(text) })

const TEXTS: Readonly<Record<string, string>> = { 'libduckdb.so': 'the library', 'duckdb.node': 'the addon' }
const PARTS = Object.entries(TEXTS).map(([name, text]) => part(name, text))
const bytesOf = ({ name }: NativePart) => Buffer.from(TEXTS[name] ?? '')
const extract = (place: string) => extracted(place, PARTS, bytesOf)

/** A place with the extracted parts. */
function filled() {
  const place = join(folderForTest(), 'cache', 'tapehouse')
  return { place, folder: extract(place) }
}

const inodes = (folder: string) => readdirSync(folder).map(name => statSync(join(folder, name)).ino)

test('native parts are extracted once, into a folder named after their checksums', () => {
  const { place, folder } = filled()
  // sha256 of the two lines "libduckdb.so <sha256>" and "duckdb.node <sha256>".
  const lines = `libduckdb.so ${sha256('the library')}\nduckdb.node ${sha256('the addon')}\n`
  expect(folder).toBe(join(place, `native-${sha256(lines).slice(0, 16)}`))
  for (const [name, text] of Object.entries(TEXTS)) {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    expect(statSync(join(folder, name)).mode & 0o022).toBe(0)
  }
  expect(readdirSync(folder).toSorted()).toEqual(['duckdb.node', 'libduckdb.so'])
  const before = inodes(folder)
  expect(extract(place)).toBe(folder)
  expect(inodes(folder)).toEqual(before)
  expect(folderName([part('libduckdb.so', 'another'), ...PARTS.slice(1)])).not.toBe(folderName(PARTS))
})

test.each([
  ['has other bytes', (path: string) => writeFileSync(path, 'THE LIBRARY')],
  ['is cut off', (path: string) => writeFileSync(path, 'the')],
  ['can be changed by everyone', (path: string) => chmodSync(path, 0o777)],
])('a file that %s is replaced, and a process that has loaded it keeps it', (_, damage) => {
  const { place, folder } = filled()
  const path = join(folder, 'libduckdb.so')
  const [addon] = inodes(folder)
  damage(path)
  const { ino } = statSync(path)
  extract(place)
  expect(readFileSync(path, 'utf8')).toBe('the library')
  expect(statSync(path).mode & 0o022).toBe(0)
  expect(statSync(path).ino).not.toBe(ino)
  expect(inodes(folder)[0]).toBe(addon)
})

test('a link in place of a file is replaced, and the file that it names is not touched', () => {
  const place = folderForTest()
  const folder = join(place, folderName(PARTS))
  const target = join(place, 'target')
  writeFileSync(target, 'the library')
  mkdirSync(folder)
  symlinkSync(target, join(folder, 'libduckdb.so'))
  extract(place)
  writeFileSync(target, 'changed')
  expect(readFileSync(join(folder, 'libduckdb.so'), 'utf8')).toBe('the library')
})

test('a folder that other users can write to is refused', () => {
  const place = folderForTest()
  const folder = join(place, folderName(PARTS))
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  expect(() => extract(place)).toThrow(
    `another user can change DuckDB's library in ${folder}: remove this folder, or name another folder with --native-dir or TAPEHOUSE_NATIVE_DIR`,
  )
  expect(readdirSync(folder)).toEqual([])
})

test('a place that cannot be a folder is reported, with what to do', () => {
  const file = join(folderForTest(), 'file')
  writeFileSync(file, '')
  const folder = join(file, folderName(PARTS))
  expect(() => extract(file)).toThrow(
    `DuckDB's library cannot be extracted to ${folder}: a file has the name of a folder above it: name another folder with --native-dir or TAPEHOUSE_NATIVE_DIR`,
  )
})

test('parts that differ from their checksums are not written: the binary is damaged', () => {
  const place = folderForTest()
  expect(() => extracted(place, PARTS, () => Buffer.from('damaged'))).toThrow(
    `${process.execPath} is damaged: the file libduckdb.so inside it has another checksum: install the program again`,
  )
  expect(readdirSync(join(place, folderName(PARTS)))).toEqual([])
})

test('the unfinished files of processes that have ended are removed, and no others', () => {
  const { place, folder } = filled()
  const { pid } = spawnSync(process.execPath, ['-e', '0'])
  const ended = join(folder, `.libduckdb.so-${pid}-1-0123456789ab`)
  const running = `.libduckdb.so-${process.pid}-0-0123456789ab`
  writeFileSync(ended, 'half')
  writeFileSync(join(folder, running), 'half')
  writeFileSync(join(folder, 'duckdb.node'), 'damaged')
  extract(place)
  expect(readdirSync(folder).toSorted()).toEqual([running, 'duckdb.node', 'libduckdb.so'])
})
