import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { importFiles } from '../src/lake/import/import.ts'
import { dataset } from '../src/lake/store/datasets.ts'

/**
 * Compares the import of a CSV file of option trades in canonical columns with DuckDB's plain COPY of the file to Parquet.
 * Each runs in its own process with two threads. `node dist-bench/bench/import.js 5000000` sets the number of trades.
 */
const ROWS = 500_000
const THREADS = 2
const MEMORY_BYTES_MAX = 2560 * 1024 ** 2

/** Processor seconds of all threads of this process so far, which are more reliable than wall time on a busy machine. */
const processorSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6

const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(2)} s`

/** Peak resident memory of this process, in MiB. */
const peakMib = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

async function connect(memoryBytesMax: number) {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(THREADS),
    memory_limit: `${memoryBytesMax}B`,
  })
  const connection = await instance.connect()
  await connection.run(`SET TimeZone = 'UTC'`)
  return connection
}

/** Trades of one day in order of time, in 240,000 contracts. */
const TRADES = `
  SELECT
    md5(i::VARCHAR)::UUID AS id,
    DATE '2024-01-03' AS date,
    ticker AS underlying_symbol,
    ticker || strftime(expires, '%y%m%d') || upper(kind[1]) || format('{:08d}', (dollars * 1000)::INTEGER) AS option_chain_id,
    (h1 % 240000)::BIGINT AS option_symbol_id,
    kind AS option_type,
    dollars::DECIMAL(18, 3) AS strike,
    expires AS expiry,
    100 AS multiplier,
    TIMESTAMP '2024-01-03 14:30:00' + to_microseconds(i * (23400000000 // rows_all)) AS executed_at,
    paid AS price,
    units AS size,
    (paid * units * 100)::DECIMAL(18, 4) AS premium,
    (h3 % 100000)::BIGINT AS volume,
    (h4 % 50000)::BIGINT AS open_interest,
    (100 + h1 % 1000 / 10)::DECIMAL(18, 4) AS underlying_price,
    chr((65 + h2 % 16)::INTEGER) AS exchange,
    h0 % 500 = 0 AS canceled,
    h0 % 3 = 0 AS is_agg,
    if(side = 0, units, 0) AS ask_vol,
    if(side = 1, units, 0) AS bid_vol,
    if(side = 2, units, 0) AS mid_vol,
    if(side = 3, units, 0) AS no_side_vol,
    if(h3 % 8 = 0, units, 0) AS multi_vol,
    0::BIGINT AS stock_multi_vol,
    paid - 0.03 AS nbbo_bid,
    paid + 0.03 AS nbbo_ask,
    (h1 % 500)::BIGINT AS nbbo_bid_size,
    (h2 % 500)::BIGINT AS nbbo_ask_size,
    executed_at - INTERVAL 1 MILLISECOND AS nbbo_bid_time,
    executed_at - INTERVAL 2 MILLISECOND AS nbbo_ask_time,
    paid - 0.031 AS ewma_nbbo_bid,
    paid + 0.031 AS ewma_nbbo_ask,
    (h1 % 2000000000 / 2e9)::DECIMAL(18, 10) AS delta,
    (h2 % 2000000000 / 2e10)::DECIMAL(18, 10) AS gamma,
    (h3 % 2000000000 / -2e9)::DECIMAL(18, 10) AS theta,
    (h4 % 2000000000 / 2e9)::DECIMAL(18, 10) AS vega,
    (h0 % 2000000000 / 2e9)::DECIMAL(18, 10) AS rho,
    paid + 0.001 AS theo,
    (0.1 + h1 % 2000000000 / 2e9)::DECIMAL(18, 10) AS implied_volatility,
    to_json(CASE side WHEN 0 THEN ['ask_side', 'bullish'] WHEN 1 THEN ['bid_side', 'bearish'] ELSE [] END) AS tags,
    '[]' AS report_flags,
    CASE h3 % 5 WHEN 0 THEN 'isoi' WHEN 1 THEN 'mlft' ELSE 'auto' END AS upstream_condition_detail,
    'a' AS trade_code,
    NULL AS sale_condition,
    NULL AS multi_leg_id
  FROM (
    SELECT
      *,
      hash(i) AS h0, hash(i, 1) AS h1, hash(i, 2) AS h2, hash(i, 3) AS h3, hash(i, 4) AS h4,
      format('T{:03d}', h1 % 500 * (h2 % 500) // 500) AS ticker,
      if(h2 % 2 = 0, 'call', 'put') AS kind,
      50 + h1 % 200 * 2.5 AS dollars,
      DATE '2024-01-05' + (7 * (h3 % 12))::INTEGER AS expires,
      (0.05 + h4 % 20000 / 1000)::DECIMAL(18, 4) AS paid,
      (1 + h0 % 50)::BIGINT AS units,
      h2 % 4 AS side
    FROM (SELECT i, $rows::BIGINT AS rows_all FROM range($rows::BIGINT) AS r(i))
  )`

const typed = (path: string) => {
  const columns = dataset('option_trades').columns.map(({ name, type }) => `'${name}': '${type}'`)
  return `read_csv('${path}', columns = {${columns.join(', ')}}, auto_detect = false, header = true)`
}

async function bare(path: string, folder: string): Promise<void> {
  const connection = await connect(MEMORY_BYTES_MAX)
  const started = performance.now()
  await connection.run(`COPY (FROM ${typed(path)}) TO '${join(folder, 'bare.parquet')}' (FORMAT parquet)`)
  process.stdout.write(
    `bare ${seconds(started)}, processor ${processorSeconds().toFixed(1)} s, peak ${peakMib().toFixed(0)} MiB\n`,
  )
}

/** Imports the file and prints the time of each task, and of the import with and without the derived datasets. */
async function imported(path: string, folder: string): Promise<void> {
  const started = { from: performance.now(), processor: processorSeconds() }
  const tasks: { task: string; from: number; processor: number }[] = []
  await importFiles({
    format: 'csv-option_trades',
    inputs: [path],
    lake: join(folder, 'lake'),
    threads: THREADS,
    memoryBytesMax: MEMORY_BYTES_MAX,
    observe: each => {
      if (each.kind === 'notice') process.stdout.write(`note: ${each.message}\n`)
      if (each.kind === 'progress' && tasks.at(-1)?.task !== each.task)
        tasks.push({ task: each.task, from: performance.now(), processor: processorSeconds() })
    },
  })
  const end = { from: performance.now(), processor: processorSeconds() }
  const elapsed = ({ from, processor }: typeof end, to: typeof end) =>
    `${((to.from - from) / 1000).toFixed(2)} s, processor ${(to.processor - processor).toFixed(1)} s`
  for (const [index, each] of tasks.entries())
    process.stdout.write(`  ${each.task}: ${elapsed(each, tasks[index + 1] ?? end)}\n`)
  const derived = tasks.find(({ task }) => task.startsWith('derive ')) ?? end
  process.stdout.write(
    `import ${elapsed(started, derived)}, with derived datasets ${elapsed(started, end)}, peak ${peakMib().toFixed(0)} MiB\n`,
  )
}

/** Runs one part in a new process and returns the wall and processor seconds from the last line of its output. */
function part(name: string, path: string, folder: string): { clock: number; processor: number } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), name, path, folder],
    { encoding: 'utf8' },
  )
  process.stdout.write(stdout + stderr)
  const [, clock, processor] =
    / ([\d.]+) s, processor ([\d.]+) s/.exec(stdout.trim().split('\n').at(-1) ?? '') ?? []
  return { clock: Number(clock), processor: Number(processor) }
}

const [first, path = '', folder = ''] = process.argv.slice(2)
if (first === 'bare') await bare(path, folder)
else if (first === 'imported') await imported(path, folder)
else {
  const own = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
  try {
    const csv = join(own, 'trades.csv')
    const connection = await connect(MEMORY_BYTES_MAX)
    const rows = Number(first ?? ROWS)
    await connection.run(
      `COPY (${TRADES.replaceAll('$rows', String(rows))}) TO '${csv}' (FORMAT csv, HEADER)`,
    )
    connection.closeSync()
    process.stdout.write(`${rows} option trades, ${(statSync(csv).size / 1024 ** 2).toFixed(0)} MiB of CSV\n`)
    const floor = part('bare', csv, own)
    const taken = part('imported', csv, own)
    process.stdout.write(
      `import / bare COPY ${(taken.clock / floor.clock).toFixed(2)}x, of processor time ${(taken.processor / floor.processor).toFixed(2)}x\n`,
    )
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
