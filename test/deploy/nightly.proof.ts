import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForTest, makeLake, SMALL_DAYS } from '../fixtures/lake.ts'
import { root } from '../house/source.ts'

/** Runs `deploy/nightly` with the built command. */
async function nightly(lake: string, incoming: string) {
  const folder = folderForTest()
  const metrics = join(folder, 'tapehouse.prom')
  const command = join(folder, 'tapehouse')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/main.js')}' "$@"\n`)
  chmodSync(command, 0o755)
  const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, TMPDIR: folder }
  const script = join(root, 'deploy/nightly')
  const result = await new Promise<{ code: number; stderr: string }>(resolve => {
    const child = execFile(script, [lake, incoming, metrics], { env }, (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    )
  })
  const written = readFileSync(metrics, 'utf8')
  const succeeded = [...written.matchAll(/^tapehouse_nightly_step_success\{step="(\w+)"\} ([01])$/gm)]
  const ended = Number(/^tapehouse_nightly_ended_timestamp_seconds (\d+)$/m.exec(written)?.[1])
  expect(Math.abs(Date.now() / 1000 - ended)).toBeLessThan(60)
  return { ...result, steps: succeeded.map(([, step, success]) => `${step} ${success}`) }
}

async function place() {
  const folder = folderForTest()
  const incoming = join(folder, 'incoming')
  mkdirSync(incoming)
  return { folder, incoming, lake: await makeLake(folder, { days: SMALL_DAYS }) }
}

test('a night that imports, and one without files, succeed', async () => {
  const { incoming, lake } = await place()
  expect(await nightly(lake, incoming)).toMatchObject({
    code: 0,
    steps: ['import 1', 'maintain 1', 'verify 1'],
  })
  cpSync(join(root, 'data/samples/daily-bars'), incoming, { recursive: true })
  expect(await nightly(lake, incoming)).toMatchObject({
    code: 0,
    steps: ['import 1', 'maintain 1', 'verify 1'],
  })
})

test('an import that fails is reported, and the lake is maintained and verified', async () => {
  const { incoming, lake } = await place()
  writeFileSync(join(incoming, 'nonsense.csv'), 'a,b\n1,2\n')
  const { code, steps, stderr } = await nightly(lake, incoming)
  expect([code, steps]).toEqual([1, ['import 0', 'maintain 1', 'verify 1']])
  expect(stderr).toContain('nightly: import failed')
  // A folder that is missing is a mistake, and not a night without files.
  expect(await nightly(lake, join(incoming, 'nowhere'))).toMatchObject({
    code: 1,
    steps: ['import 0', 'maintain 1', 'verify 1'],
  })
})

test('a maintenance that fails does not skip the verification', async () => {
  const { incoming, lake } = await place()
  // A retention rule that is none.
  mkdirSync(join(lake, 'retention'))
  writeFileSync(join(lake, 'retention/daily_bars.json'), 'nonsense')
  expect(await nightly(lake, incoming)).toMatchObject({
    code: 1,
    steps: ['import 1', 'maintain 0', 'verify 1'],
  })
})

test('a verification that fails is reported', async () => {
  const { incoming, lake } = await place()
  const [damaged = ''] = readdirSync(lake, { recursive: true, encoding: 'utf8' }).filter(
    name => name.startsWith('daily_bars') && name.endsWith('.parquet'),
  )
  const file = join(lake, damaged)
  const bytes = readFileSync(file)
  bytes[Math.floor(bytes.length / 3)] = (bytes[Math.floor(bytes.length / 3)] ?? 0) ^ 0xff
  chmodSync(file, 0o644)
  writeFileSync(file, bytes)
  const { code, steps } = await nightly(lake, incoming)
  expect([code, steps.at(-1)]).toEqual([1, 'verify 0'])
})
