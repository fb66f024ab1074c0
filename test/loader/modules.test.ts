import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepCompiledCode, readCompiledCode } from '../../src/loader/compiled-code.ts'
import { tapehouse } from '../cli/process.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { read } from '../house/source.ts'

const { version } = JSON.parse(read('package.json')) as { version: string }

/** Runs `tapehouse --version` with this home folder, which must print it and nothing else. */
async function printVersion(home: string, env: Record<string, string> = {}): Promise<void> {
  const { code, stdout, stderr } = await tapehouse(['--version'], { HOME: home, XDG_CACHE_HOME: '', ...env })
  expect([code, String(stdout), stderr]).toEqual([0, `${version}\n`, ''])
}

test('compiled code is kept once, and replaced if it is damaged or refused by V8', async () => {
  const home = folderForTest()
  await printVersion(home)
  const folder = join(home, '.cache/tapehouse/compiled')
  const [name = '', ...others] = readdirSync(folder)
  expect(others).toEqual([])
  expect(name).toMatch(
    new RegExp(`^${version}\\+[0-9a-f]{12}-node-${process.versions.node}-[0-9a-f]+-other$`),
  )
  const path = join(folder, name)
  const { ino } = statSync(path)
  const modules = [...(readCompiledCode(path)?.keys() ?? [])]
  expect(modules).toContain('main.js')

  await printVersion(home)
  expect(statSync(path).ino).toBe(ino)

  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  writeFileSync(path, bytes)
  expect(readCompiledCode(path)).toBeNull()
  await printVersion(home)
  expect([...(readCompiledCode(path)?.keys() ?? [])]).toEqual(modules)

  const refused = Buffer.from('code of another version of V8')
  keepCompiledCode(path, new Map(modules.map(module => [module, refused])))
  await printVersion(home)
  const renewed = readCompiledCode(path)
  expect([...(renewed?.keys() ?? [])]).toEqual(modules)
  expect(renewed?.get('main.js')).not.toEqual(refused)
})

test('a command runs where no compiled code can be kept', async () => {
  await printVersion('/dev/null')
  const home = folderForTest()
  await printVersion(home, { NODE_DISABLE_COMPILE_CACHE: '1' })
  expect(readdirSync(home)).toEqual([])
})
