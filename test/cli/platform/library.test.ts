import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { folderForTest, makeLake, SMALL_DAYS } from '../../fixtures/lake.ts'
import { root } from '../../house/source.ts'

const SCOPE = join('node_modules', '@duckdb')
const NATIVE = join(SCOPE, `node-bindings-${process.platform}-${process.arch}`)

/** Copies the built program with its packages, but of DuckDB's library only the part that loads the rest. */
function install(folder: string): void {
  for (const name of ['package.json', 'bin', 'dist', 'sql'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  mkdirSync(join(folder, NATIVE), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@duckdb') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of ['node-api', 'node-bindings'])
    cpSync(join(root, SCOPE, name), join(folder, SCOPE, name), { recursive: true })
  for (const name of ['package.json', 'duckdb.node'])
    cpSync(join(root, NATIVE, name), join(folder, NATIVE, name))
}

const REMEDY = 'install the packages again, with npm ci in a checkout and without --omit=optional'

test.each<[state: string, damage: (native: string) => void, cause: RegExp]>([
  ['lacks libduckdb', () => {}, /libduckdb/],
  ['is damaged', native => writeFileSync(join(native, 'duckdb.node'), 'nonsense'), /duckdb\.node/],
  ['is not installed', native => rmSync(native, { recursive: true }), /Cannot find module '@duckdb/],
])(
  'a library of DuckDB that %s is one line of query and the same of serve',
  { tags: 'slow' },
  async (_state, damage, cause) => {
    const folder = folderForTest()
    const lake = await makeLake(folder, { days: SMALL_DAYS })
    const tokens = join(folder, 'tokens.json')
    await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
    install(folder)
    damage(join(folder, NATIVE))
    const program = (...args: string[]) => {
      const command = [join(folder, 'bin/tapehouse.js'), ...args, '--lake', lake]
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
      return { status, stdout, stderr }
    }
    const queried = program('query', 'congress-politicians')
    const line = /^tapehouse: DuckDB's library cannot be loaded \((.*)\): (.*)\n$/.exec(queried.stderr)
    expect(queried).toMatchObject({ status: 1, stdout: '' })
    expect([line?.[1], line?.[2]], queried.stderr).toEqual([expect.stringMatching(cause), REMEDY])
    const ports = ['--port', '0', '--admin-port', '0', '--log-level', 'silent', '--workers', '2']
    expect(program('serve', '--tokens', tokens, ...ports)).toEqual(queried)
  },
)
