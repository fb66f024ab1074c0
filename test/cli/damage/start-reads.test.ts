import { readFileSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { allFiles, loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest, temporaryFolder } from '../../fixtures/lake.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'
import { serving } from '../process.ts'

const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
let lake: string
beforeAll(async () => {
  lake = await importOptionDays(folder, [{ date: '2024-01-10', trades: { ACME: 5 } }])
  await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The bytes that a worker has read once the server is ready. */
async function bytesReadAtStart(): Promise<number> {
  const proofs = join(folderForTest(), 'proofs')
  const flags = ['--lake', lake, '--tokens', tokens, '--workers', '1', '--proofs-dir', proofs]
  const server = await serving(flags)
  const { workerPid } = JSON.parse(
    server
      .output()
      .split('\n')
      .find(line => line.includes('"msg":"worker_started"')) ?? '',
  )
  const [, read] = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${workerPid}/io`, 'utf8')) ?? []
  expect(await server.stop()).toBe(0)
  return Number(read)
}

const GIBIBYTE = 1024 ** 3

test('a server reads nothing of 10 GB of files when it starts', async () => {
  const files = allFiles(await loadSnapshot(lake))
  const small = await bytesReadAtStart()
  expect(small).toBeGreaterThan(0)
  // Sparse, so that they need no space. A file that is read gets a later time of access, unless the mount has none.
  for (const { path } of files) {
    truncateSync(path, Math.ceil((10 * GIBIBYTE) / files.length))
    utimesSync(path, 0, new Date())
  }
  expect(files.reduce((sum, { path }) => sum + statSync(path).size, 0)).toBeGreaterThanOrEqual(10 * GIBIBYTE)
  const large = await bytesReadAtStart()
  expect(Math.abs(large - small)).toBeLessThan(2 ** 18)
  for (const { path } of files) expect(statSync(path).atimeMs, path).toBe(0)
})
