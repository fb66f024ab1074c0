import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder, temporaryRoot, useTemporaryRoot } from '../../src/engine/temporary-folder.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { compileInto, start } from '../lake/store/compiled.ts'

test('folders of a killed process are removed by the next one, and those of a running one are not', async () => {
  const folder = folderForTest()
  await compileInto(folder)
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const names = () => readdirSync(temporary).toSorted()
  /** Starts a process that makes a folder and runs on; returns the name of the folder. */
  const processWith = async (purpose: string) => {
    const child = start(
      folder,
      `import { writeFileSync } from 'node:fs'
       import { temporaryFolder } from './dist/engine/temporary-folder.js'
       const made = temporaryFolder('${purpose}')
       writeFileSync(made + '/rows.parquet', 'rows')
       process.stderr.write(made)
       setInterval(() => {}, 1000)`,
      { TMPDIR: temporary },
    )
    const ended = new Promise(resolve => child.on('exit', resolve))
    const kill = async () => {
      child.kill('SIGKILL')
      await ended
    }
    onTestFinished(kill)
    const [name] = await once(child.stderr ?? child, 'data')
    return { name: basename(String(name)), kill, pid: child.pid }
  }

  const killed = await processWith('as-of')
  expect(killed.name).toMatch(new RegExp(`^tapehouse-as-of-[0-9a-f]{16}-${killed.pid}-\\d+-\\w{6}$`))
  const running = await processWith('import')
  expect(names()).toEqual([killed.name, running.name].toSorted())
  await killed.kill()

  // A process on another host, a reused process id, and files of others.
  const elsewhere = killed.name.replace(/-[0-9a-f]{16}-/, '-0123456789abcdef-')
  const reused = running.name.replace(/-\d+-(\w{6})$/, '-1-$1')
  const longAgo = elsewhere.replace(/\w{6}$/, 'Zzzzzz')
  const others = ['tapehouse-as-of-abcdef', 'tapehouse-notes', 'other']
  for (const name of [elsewhere, longAgo, reused, ...others]) mkdirSync(join(temporary, name))
  // Its process has not stamped it for more than an hour.
  const before = new Date(Date.now() - 3_601_000)
  utimesSync(join(temporary, longAgo), before, before)
  writeFileSync(join(temporary, reused, 'rows.parquet'), 'rows')

  const next = await processWith('query')
  expect(names()).toEqual([running.name, next.name, elsewhere, ...others].toSorted())
})

test('another folder than that of the system is made when it is needed, for this user only', () => {
  const chosen = join(folderForTest(), 'new', 'temporary')
  useTemporaryRoot(chosen)
  onTestFinished(() => useTemporaryRoot(null))
  expect(temporaryRoot()).toBe(chosen)
  const made = temporaryFolder('query')
  onTestFinished(() => rmSync(made, { recursive: true }))
  expect(dirname(made)).toBe(chosen)
  expect(statSync(chosen).mode & 0o777).toBe(0o700)
})

test('a folder that cannot be made is a failure that names it', () => {
  const file = join(folderForTest(), 'file')
  writeFileSync(file, '')
  useTemporaryRoot(join(file, 'below'))
  onTestFinished(() => useTemporaryRoot(null))
  expect(() => temporaryFolder('query')).toThrow(
    expect.objectContaining({
      code: 'temporary_unusable',
      message: expect.stringMatching(
        /^the temporary folder \S+\/file\/below cannot be used \(ENOTDIR.*\): free some disk space, correct its permissions, or name another folder with --temp-dir$/,
      ),
    }),
  )
})
