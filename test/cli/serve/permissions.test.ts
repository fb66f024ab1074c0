import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readArguments } from '../../../src/cli/command/arguments.ts'
import { serve } from '../../../src/cli/commands/serve.ts'
import { permissionsOf } from '../../../src/cli/serve/permissions.ts'
import { useTemporaryRoot } from '../../../src/engine/temporary-folder.ts'
import { smallDisk } from '../../fixtures/folder.ts'
import { folderForTest } from '../../fixtures/lake.ts'

/** A lake on a file system that can be made read-only, and a tokens file, with the modes of a careful user. */
function careful() {
  const folder = folderForTest()
  const lake = join(folder, 'data', 'lake')
  const tokens = join(folder, 'secret', 'tokens.json')
  for (const path of [dirname(lake), lake, dirname(tokens)]) mkdirSync(path, { mode: 0o755 })
  writeFileSync(tokens, '{}', { mode: 0o600 })
  return { lake, tokens }
}

function warnings({ lake, tokens }: ReturnType<typeof careful>, ...flags: string[]) {
  const read = readArguments(serve, ['--lake', lake, '--tokens', tokens, ...flags], {})
  if (read === 'help') throw new Error('no settings')
  return permissionsOf(read.settings)
}

test('each permission that others should not have is one line with its correction', () => {
  const paths = careful()
  const { lake, tokens } = paths
  const writable = `this user can write in the lake ${lake}: only the engine keeps the server from it (mount it read-only, or serve as another user)`
  expect(warnings(paths)).toEqual([writable])
  expect(readdirSync(lake)).toEqual([])
  chmodSync(lake, 0o777)
  chmodSync(dirname(lake), 0o777)
  chmodSync(tokens, 0o666)
  chmodSync(dirname(tokens), 0o777)
  expect(warnings(paths)).toEqual([
    writable,
    `the lake, ${lake}, can be written by all users: chmod o-w ${lake}`,
    `the folder of the lake, ${dirname(lake)}, can be written by all users: chmod o-w ${dirname(lake)}`,
    `the tokens file, ${tokens}, can be written by all users: chmod o-w ${tokens}`,
    `the folder of the tokens file, ${dirname(tokens)}, can be written by all users: chmod o-w ${dirname(tokens)}`,
    `the tokens file, ${tokens}, can be read by all users: chmod o-r ${tokens}`,
  ])
  // In a folder such as /tmp, others cannot replace a file.
  for (const path of [lake, tokens]) chmodSync(dirname(path), 0o1777)
  chmodSync(lake, 0o755)
  chmodSync(tokens, 0o604)
  expect(warnings(paths)).toEqual([
    writable,
    `the tokens file, ${tokens}, can be read by all users: chmod o-r ${tokens}`,
  ])
})

test('a lake that this user cannot write has no warning, and --require-read-only demands it', ({ skip }) => {
  const { lake, tokens } = careful()
  expect(() => warnings({ lake, tokens }, '--require-read-only')).toThrow(
    expect.objectContaining({
      code: 'start_refused',
      message: `this user can write in the lake ${lake}, which --require-read-only forbids: mount it read-only, or serve as another user than the one that imports`,
    }),
  )
  const disk = smallDisk(64 * 1024, skip, 'ro')
  expect(
    warnings({ lake: disk, tokens }, '--require-read-only').filter(line => line.includes('this user')),
  ).toEqual([])
})

test('a temporary folder of another user is one line', ({ skip }) => {
  if (process.getuid?.() !== 0) skip('only root can give a folder away')
  const temporary = folderForTest()
  useTemporaryRoot(temporary)
  onTestFinished(() => useTemporaryRoot(null))
  chownSync(temporary, 12_345, 12_345)
  expect(warnings(careful()).at(-1)).toBe(
    `the temporary folder ${temporary} belongs to another user (12345): name one of your own with --temp-dir`,
  )
})
