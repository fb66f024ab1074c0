import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepNewest } from '../../src/api/process/keep-newest.ts'
import { literal, text } from '../../src/engine/bind.ts'
import { openEngine } from '../../src/engine/engine.ts'
import { readCurrent } from '../../src/lake/store/current.ts'
import { dataset } from '../../src/lake/store/datasets.ts'
import { loadSnapshot, type Snapshot } from '../../src/lake/store/snapshot.ts'
import { operations } from '../../src/operations/index.ts'
import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { type Ask, answerTo, type HttpClient, httpClient } from '../measure/http.ts'
import { askUs, lakeRows } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import { PROGRAM } from '../measure/program.ts'
import { servedLake } from '../measure/served-lake.ts'
import type { Circumstances, Measured } from '../section.ts'
import { bareSeconds, type Files, filesIn, makeFile, processorSeconds } from './import.ts'
import { IMPORT_FILES, type ImportFile } from './import-files.ts'

const FORMAT = 'csv-option_trades'
const DAYS = ['2024-01-03', '2024-01-04'] as const
const MEMORY_BYTES = 1024 ** 3
const ROUNDS = 5
const SERVED_WITHIN_MS = 2000
const GIVE_UP_AFTER_MS = 60_000

/**
 * What the store of native tables costs when a day of 100,000 trades is published: the processor time of one worker that
 * fills it, against a bare COPY of the same rows, and the time from publishing until an answer about the day comes from it. The trades are
 * random ones of 70,000 contracts, and for the store also those of a day of the demo's market, which has 16,000.
 */
export async function* storeCost({ quick, folder, note }: Circumstances): AsyncGenerator<Measured> {
  const root = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
  const rows = quick ? 10_000 : 100_000
  const file = IMPORT_FILES.find(({ format }) => format === FORMAT)
  if (file === undefined) throw new Error(`no file of ${FORMAT}`)

  /** The rows of a SELECT as a CSV file, in a folder of its own that has no lake yet. */
  async function written(name: string, select: string): Promise<Files> {
    const files = filesIn(join(root, name), MEMORY_BYTES)
    mkdirSync(files.folder)
    await makeFile({ rows: select }, rows, files)
    return files
  }

  try {
    const first = await written('first', file.rows)
    const next = await written('next', onNextDay(file))
    note(`imports ${rows} trades`)
    await imported(first.csv, first.lake)
    yield await untilServed(root, first.lake, next.csv)
    yield* filling('filling by one worker', file, first.lake, next)
    const [before, last] = await lastDays(await benchLake(folder, quick ? SMALL : DEMO))
    const demoFirst = await written('demo-first', before)
    const demoNext = await written('demo-next', last)
    note("imports two days of the demo's market")
    await imported(demoFirst.csv, demoFirst.lake)
    await imported(demoNext.csv, demoFirst.lake)
    yield* filling("filling by one worker, a day of the demo's market", file, demoFirst.lake, demoNext)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The trades of the last two days of a generated lake, which has a file for each day, as SELECTs. */
async function lastDays(lake: string): Promise<[string, string]> {
  const columns = dataset('option_trades').columns.map(({ name }) => name)
  const files = (await loadSnapshot(lake)).files('option_trades').slice(-2)
  return files.map(
    ({ path }) =>
      `SELECT ${columns.join(', ')} FROM read_parquet(${literal(text(path))}, hive_partitioning = false)`,
  ) as [string, string]
}

/** The same trades one day later, with other ids. */
const onNextDay = ({ rows }: ImportFile) => `
  SELECT * REPLACE (
    md5(id::VARCHAR)::UUID AS id,
    DATE '${DAYS[1]}' AS date,
    executed_at + INTERVAL 1 DAY AS executed_at,
    nbbo_bid_time + INTERVAL 1 DAY AS nbbo_bid_time,
    nbbo_ask_time + INTERVAL 1 DAY AS nbbo_ask_time
  )
  FROM (${rows})`

/** Imports a file in a process of its own. */
async function imported(csv: string, lake: string): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, 'import', 'csv', 'option_trades', csv, '--lake', lake], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', chunk => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`import failed: ${printed}`)
}

/** The time from publishing a second day until its answers come from the store of a server that holds the first day. */
async function untilServed(root: string, lake: string, csv: string): Promise<Measured> {
  const found = await lakeRows(lake)
  const [contract = {}] = await found.find(
    'SELECT option_chain_id AS id FROM {option_trades} GROUP BY ALL ORDER BY count(*) DESC, id LIMIT 1',
  )
  found.close()
  const server = await servedLake(root, lake, { 'cache-mib': 0, workers: 1 })
  const client = httpClient(server.port, 1)
  const admin = httpClient(Number(/:(\d+)\/-\/metrics/.exec(server.output())?.[1]), 1)
  const ask = (date: string) => askUs('contract-volume-profile', { ...contract, date }, server.token)
  try {
    await answered(client, admin, ask(DAYS[0]))
    const before = await readCurrent(lake)
    const importing = imported(csv, lake)
    while ((await readCurrent(lake)) === before) await sleep(2)
    const published = performance.now()
    const { fromStore, any } = await answered(client, admin, ask(DAYS[1]))
    await importing
    return {
      name: 'served from the store after publishing, in proportion to 2 s',
      ratio: (fromStore - published) / SERVED_WITHIN_MS,
      target: { atMost: 1 },
      details: { 'from the store, ms': fromStore - published, 'first answer, ms': any - published },
    }
  } finally {
    client.close()
    admin.close()
    await server.stop()
  }
}

/** Repeats a request until its answer has records, and until it is read from the store: when that was. */
async function answered(client: HttpClient, admin: HttpClient, ask: Ask) {
  const until = performance.now() + GIVE_UP_AFTER_MS
  let any: number | null = null
  while (performance.now() < until) {
    const before = await storeReads(admin)
    const { bytes } = await answerTo(client, ask)
    const now = performance.now()
    if ((JSON.parse(bytes.toString()) as { data: unknown[] }).data.length === 0) continue
    any ??= now
    if ((await storeReads(admin)) > before) return { fromStore: now, any }
  }
  throw new Error(`${ask.path} is not answered from the store`)
}

async function storeReads(admin: HttpClient): Promise<number> {
  const { bytes } = await admin.send({ path: '/-/metrics' })
  return Number(/^tapehouse_store_reads_total (\d+)/m.exec(bytes.toString())?.[1] ?? 0)
}

/** Datasets that operations read: a server copies no others. */
const READ = new Set(operations.flatMap(({ datasets }) => datasets))

/**
 * Processor time of filling the store of one worker that holds the newest lists of files of all datasets that operations
 * read: of all of them, derived ones included, and of the trades alone. The engine has one thread, as that of each worker
 * of a server with a worker per core.
 */
async function* filling(
  name: string,
  file: ImportFile,
  lake: string,
  published: Files,
): AsyncGenerator<Measured> {
  const taken: { all: number; trades: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const filled = await filledOnce(lake)
    taken.push({ ...filled, bare: await bareSeconds(file, published) })
  }
  const seconds = (part: 'all' | 'trades' | 'bare') => median(taken.map(each => each[part]))
  const against = (part: 'all' | 'trades') => ({
    ratio: seconds(part) / seconds('bare'),
    details: { 'filling, processor s': seconds(part), 'bare COPY, processor s': seconds('bare') },
  })
  yield { name, target: { atMost: 0.5 }, ...against('all') }
  yield { name: `${name}, trades alone`, ...against('trades') }
}

async function filledOnce(lake: string) {
  const after = await loadSnapshot(lake)
  const before = await loadSnapshot(lake, after.number - 1)
  const engine = await openEngine(
    {
      ...{ lake, threads: 1, memoryBytesMax: MEMORY_BYTES, temporaryBytesMax: MEMORY_BYTES },
      ...{ leasesMax: 1, queueMax: 8, storeBytesMax: MEMORY_BYTES, schemaOf: dataset },
    },
    () => {},
  )
  const keepLast = (snapshot: Snapshot, name: string) => {
    const last = snapshot.lastDate(name)
    if (last !== null && READ.has(name))
      engine.store.keep(engine.bindFiles(name, snapshot.files(name, { from: last, to: last })))
  }
  for (const name of before.datasets) keepLast(before, name)
  await engine.store.settled()
  const held = engine.store.tables
  const started = processorSeconds()
  keepLast(after, 'option_trades')
  await engine.store.settled()
  const trades = processorSeconds() - started
  keepNewest(engine, before, after)
  await engine.store.settled()
  const all = processorSeconds() - started
  if (engine.store.tables <= held) throw new Error('the store was not filled')
  await engine.close()
  return { all, trades }
}
