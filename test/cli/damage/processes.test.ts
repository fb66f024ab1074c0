import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { allFiles, loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest, temporaryFolder } from '../../fixtures/lake.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'
import { openDisk } from '../../hold/damage/disk.ts'
import { DAMAGES, keepContent } from '../../lake/proof/damages.ts'
import { tapehouseHere } from '../in-process.ts'
import { serving, tapehouse } from '../process.ts'

const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
const DAY = '2024-01-10'
let lake: string
let token: string
beforeAll(async () => {
  lake = await importOptionDays(folder, [
    { date: DAY, trades: { ACME: 5 } },
    { date: '2024-01-11', trades: { ACME: 6 } },
  ])
  token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = async (dataset: string) => {
  const [file] = (await loadSnapshot(lake)).files(dataset)
  if (file === undefined) throw new Error(`no ${dataset}`)
  return file
}

test('a server names a damaged file in readiness, metrics and log, and serves it once it is mended', {
  tags: 'slow',
}, async () => {
  const proofs = join(folderForTest(), 'proofs')
  const file = await fileOf('contract_days')
  const mend = keepContent(file.path)
  DAMAGES['a bit flips in the middle']?.(file.path, '')
  const flags = ['--lake', lake, '--tokens', tokens, '--workers', '2', '--proofs-dir', proofs]
  const server = await serving(flags)
  const ask = (date: string) =>
    fetch(`${server.url}/api/stock/ACME/oi-per-expiry?date=${date}`, {
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
    })
  const readiness = async () => {
    const response = await fetch(`${server.adminUrl}/-/ready`)
    return { code: response.status, body: await response.json() }
  }
  const metrics = async () => (await fetch(`${server.adminUrl}/-/metrics`)).text()
  const named = { dataset: 'contract_days', days: DAY, file: file.name }
  try {
    const refused = await ask(DAY)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'lake_damaged', ...named })
    expect((await ask('2024-01-11')).status).toBe(200)
    await server.until(() => server.output().includes('"msg":"file_damaged"'))
    // The message to the supervisor may come after the line of the worker.
    while (!(await metrics()).includes('\ntapehouse_damaged_files 1\n')) await sleep(20)
    expect(await readiness()).toMatchObject({
      code: 200,
      body: { status: 'ready', damaged_files: 1, damaged: [named] },
    })
  } finally {
    mend()
  }
  // Without a request for the file.
  while (!(await metrics()).includes('\ntapehouse_damaged_files 0\n')) await sleep(20)
  expect((await readiness()).body).not.toHaveProperty('damaged')
  expect((await ask(DAY)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  expect(readdirSync(proofs)).toHaveLength(1)
})

test('a scrub finds decay that changes no times, all workers learn of it, and metrics have its pass', {
  tags: 'slow',
}, async () => {
  const proofs = join(folderForTest(), 'proofs')
  const file = await fileOf('contract_days')
  const disk = openDisk()
  onTestFinished(keepContent(file.path))
  onTestFinished(disk.close)
  await disk.watch(file.path)
  const flags = ['--lake', lake, '--tokens', tokens, '--workers', '2', '--proofs-dir', proofs]
  const first = await serving(flags)
  const proved = await fetch(`${first.url}/api/stock/ACME/oi-per-expiry?date=${DAY}`, {
    headers: { authorization: `Bearer ${token}`, connection: 'close' },
  })
  expect(proved.status).toBe(200)
  expect(await first.stop()).toBe(0)
  await disk.decay(file.path)
  // The pass began long ago, so that all of it is due.
  const [name = ''] = readdirSync(proofs)
  const state = JSON.parse(readFileSync(join(proofs, name), 'utf8'))
  expect(state.proofs).toHaveLength(1)
  writeFileSync(
    join(proofs, name),
    JSON.stringify({ ...state, scrub: { ...state.scrub, begunMs: 0, after: '' } }),
  )

  const server = await serving(flags)
  const lines = () =>
    server
      .output()
      .split('\n')
      .flatMap(line => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []))
  const ofKind = (kind: string) => lines().filter(({ msg }) => msg === kind)
  await server.until(() => ofKind('file_damaged').length === 2 && ofKind('lake_scrubbed').length === 1)
  const found = ofKind('file_damaged')
  expect(found.map(line => line.file)).toEqual([file.name, file.name])
  expect(new Set(found.map(({ pid }) => pid)).size).toBe(2)
  const snapshot = await loadSnapshot(lake)
  const files = allFiles(snapshot)
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0)
  expect(ofKind('lake_scrubbed')).toMatchObject([
    { snapshot: snapshot.number, files: files.length, bytes, damaged: 1 },
  ])
  const metrics = await (await fetch(`${server.adminUrl}/-/metrics`)).text()
  expect(metrics).toContain(`\ntapehouse_scrubbed_files_total ${files.length}\n`)
  expect(metrics).toContain(`\ntapehouse_scrubbed_bytes_total ${bytes}\n`)
  expect(metrics).toMatch(/\ntapehouse_scrub_completed_timestamp_seconds 1\d{9}(\.\d+)?\n/)
  expect(await server.stop()).toBe(0)
})

const QUERY = ['query', 'oi-per-expiry', '--ticker', 'ACME', '--date', DAY, '--format', 'json', '--lake']
const STREAM = ['stream', '--date', DAY, '--speed', 'max', '--format', 'json', '--lake']

test.each([
  ['query', QUERY, 'contract_days', tapehouseHere],
  // Its threads need the build.
  ['stream', STREAM, 'chain_frags', tapehouse],
  ['stream --updates', [...STREAM.slice(0, -1), '--updates', '--lake'], 'option_trades', tapehouse],
] as const)('%s reads no damaged file', { tags: 'slow' }, async (_, command, dataset, run) => {
  const file = await fileOf(dataset)
  const right = await run([...command, lake])
  expect([right.code, right.stdout.length > 0]).toEqual([0, true])
  for (const damage of Object.values(DAMAGES).slice(0, 5)) {
    const mend = keepContent(file.path)
    damage(file.path, '')
    try {
      const refused = await run([...command, lake])
      expect([refused.code, refused.stdout.toString()]).toEqual([1, ''])
      expect(refused.stderr).toContain(`${dataset} of ${DAY} cannot be read, because ${file.name} is damaged`)
    } finally {
      mend()
    }
    expect((await run([...command, lake])).stdout.equals(right.stdout)).toBe(true)
  }
})

test('while a server runs, a link that is its lake can be changed: SIGHUP makes it serve the other lake', {
  tags: 'slow',
}, async () => {
  const other = await importOptionDays(folderForTest(), [{ date: DAY, trades: { ACME: 2 } }])
  const link = join(folderForTest(), 'current')
  symlinkSync(lake, link)
  const server = await serving(['--lake', link, '--tokens', tokens, '--workers', '1', '--cache-mib', '0'])
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  const get = async (path: string) => (await fetch(server.url + path, { headers })).json()
  const trades = async () => {
    const { datasets } = (await get('/api/lake')) as { datasets: { name: string; rows: number }[] }
    return datasets.find(({ name }) => name === 'option_trades')?.rows
  }
  rmSync(link)
  symlinkSync(other, link)
  // Nothing of this file has been read before.
  expect(await get('/api/stock/ACME/oi-per-expiry?date=2024-01-11')).toMatchObject({
    data: [{ expiry: '2024-12-20' }],
  })
  expect(await trades()).toBe(11)
  server.process.kill('SIGHUP')
  await server.until(() => server.output().includes('"msg":"restarted"'))
  expect(await trades()).toBe(2)
  expect(await server.stop()).toBe(0)
})
