import {
  chmodSync,
  chownSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type CompiledCode, keepCompiledCode, readCompiledCode } from '../../src/loader/compiled-code.ts'
import { folderForTest } from '../fixtures/lake.ts'

const CODE: CompiledCode = new Map([
  ['main.js', Buffer.from('the first')],
  ['query.js', Buffer.alloc(0)],
  ['engine.js', Buffer.from('the third')],
])

function kept(): string {
  const path = join(folderForTest(), 'cache', 'compiled', '0.1.0-query')
  keepCompiledCode(path, CODE)
  return path
}

test('compiled code is read as it was kept', () => {
  const path = kept()
  expect(readCompiledCode(path)).toEqual(CODE)
  expect(readdirSync(dirname(path))).toEqual(['0.1.0-query'])
})

test.each<[state: string, change: (path: string) => void]>([
  ['does not exist', path => renameSync(path, `${path}-other`)],
  ['is cut short', path => writeFileSync(path, 'short')],
  ['has another byte', path => writeFileSync(path, 'x', { flag: 'r+' })],
  ['can be written by the group', path => chmodSync(path, 0o620)],
  ['can be written by all', path => chmodSync(path, 0o602)],
  ['is in a folder in which others can write', path => chmodSync(dirname(path), 0o777)],
  [
    'is a link',
    path => {
      renameSync(path, `${path}-other`)
      symlinkSync(`${path}-other`, path)
    },
  ],
])('compiled code in a file that %s is not used', (_state, change) => {
  const path = kept()
  change(path)
  expect(readCompiledCode(path)).toBeNull()
})

test.runIf(process.getuid?.() === 0)('compiled code of another user is not used', () => {
  const path = kept()
  chownSync(path, 65534, 65534)
  expect(readCompiledCode(path)).toBeNull()
})

test('nothing is written to a folder in which others can write', () => {
  const path = kept()
  chmodSync(dirname(path), 0o777)
  keepCompiledCode(`${path}-worker`, CODE)
  expect(readdirSync(dirname(path))).toEqual(['0.1.0-query'])
})

test('the 24 newest files are kept', () => {
  const path = kept()
  for (let age = 1; age <= 30; age += 1) {
    writeFileSync(`${path}-${age}`, '')
    utimesSync(`${path}-${age}`, 1e9 - age, 1e9 - age)
  }
  keepCompiledCode(path, CODE)
  const older = Array.from({ length: 23 }, (_, index) => `0.1.0-query-${index + 1}`)
  expect(readdirSync(dirname(path)).sort()).toEqual(['0.1.0-query', ...older].sort())
})
