import { readFileSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { openBase } from '../../../src/lake/publish/base.ts'
import { publish } from '../../../src/lake/publish/publish.ts'
import { withStaging } from '../../../src/lake/publish/staging.ts'
import { readManifest } from '../../../src/lake/store/manifest.ts'
import { entriesOf } from '../../../src/lake/store/record.ts'
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

/** Makes the files of a lake larger, sparse so that they need no space, and has its manifests say so. */
async function enlarge(bytes: number): Promise<void> {
  await withStaging(lake, 'write', async staging => {
    const base = await openBase(lake, staging)
    const entries = base.record === null ? [] : entriesOf(base.record)
    const manifests = await Promise.all(entries.map(entry => readManifest(lake, entry)))
    const changes = manifests.map(manifest => ({
      manifest: { ...manifest, files: manifest.files.map(file => ({ ...file, bytes })) },
      staged: [],
      absorbs: [],
    }))
    await publish(base, changes)
  })
  for (const { path } of allFiles(await loadSnapshot(lake))) truncateSync(path, bytes)
}

test('a server reads nothing of 10 GB of files when it starts', { tags: 'slow' }, async () => {
  const small = await bytesReadAtStart()
  expect(small).toBeGreaterThan(0)
  const count = allFiles(await loadSnapshot(lake)).length
  await enlarge(Math.ceil((10 * GIBIBYTE) / count))
  const files = allFiles(await loadSnapshot(lake))
  expect(files).toHaveLength(count)
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThanOrEqual(10 * GIBIBYTE)
  expect(files.map(({ path }) => statSync(path).size)).toEqual(files.map(({ bytes }) => bytes))
  // A file that is read gets a later time of access, unless the mount has none.
  for (const { path } of files) utimesSync(path, 0, new Date())
  const large = await bytesReadAtStart()
  expect(Math.abs(large - small)).toBeLessThan(2 ** 18)
  for (const { path } of files) expect(statSync(path).atimeMs, path).toBe(0)
})
