import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readArguments } from '../../src/cli/command/arguments.ts'
import { token } from '../../src/cli/commands/token.ts'
import { folderForTest } from '../fixtures/folder.ts'

afterEach(() => vi.restoreAllMocks())

/** Runs `tapehouse token` in this process; returns its standard output. */
async function run(...argv: string[]): Promise<string> {
  let written = ''
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    written += String(text)
    return true
  })
  const parsed = readArguments(token, argv, {})
  if (parsed === 'help') throw new Error('unexpected --help')
  await token.run(parsed)
  return written
}

describe('a token created with --admin', () => {
  test('is stored and listed as an admin token without an owner', async () => {
    const file = join(folderForTest(), 'tokens.json')
    await run('create', '--name', 'ops', '--admin', '--tokens', file)
    await run('create', '--name', 'ann', '--owner', 'ann', '--tokens', file)
    await run('create', '--name', 'all', '--tokens', file)
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { tokens: Record<string, unknown>[] }
    expect(stored.tokens.map(({ name, owner, admin }) => [name, owner, admin])).toEqual([
      ['ops', null, true],
      ['ann', 'ann', undefined],
      ['all', null, undefined],
    ])
    const lines = (await run('list', '--tokens', file)).trimEnd().split('\n')
    expect(lines.map(line => line.split('\t').slice(0, 3))).toEqual([
      ['ops', '*', 'all owners (admin)'],
      ['ann', '*', 'ann'],
      ['all', '*', '-'],
    ])
  })

  test('cannot have an owner', async () => {
    const file = join(folderForTest(), 'tokens.json')
    await expect(
      run('create', '--name', 'x', '--admin', '--owner', 'ann', '--tokens', file),
    ).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('omit --owner') })
  })
})
