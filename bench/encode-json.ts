import { performance } from 'node:perf_hooks'
import { DuckDBInstance, type DuckDBMaterializedResult } from '@duckdb/node-api'
import { describeSql, jsonRowsSql } from '../src/engine/encode/sql.ts'

/**
 * Compares the rows of an answer encoded as JSON by DuckDB with the same rows encoded by JavaScript. The two alternate.
 * Times are medians in milliseconds from the start of the query to its bytes. The ratio is the time of JavaScript divided
 * by ours. "blocked" is the longest time during which the event loop was blocked, so that other requests had to wait.
 */
const ROWS = 20_000
const ROUNDS = 9
const THREADS = '2'

const instance = await DuckDBInstance.create(':memory:', { threads: THREADS })
const connection = await instance.connect()
await connection.run(`SET TimeZone = 'UTC'`)
await connection.run(`CREATE TABLE answer AS SELECT ${answerColumns().join(', ')} FROM range(${ROWS}) r(i)`)
const template = 'SELECT * FROM answer'

/** 40 columns of the types of a trade's record, in the same proportions. */
function answerColumns(): string[] {
  const columns = (count: number, name: string, sql: (column: number) => string) =>
    Array.from({ length: count }, (_, column) => `${sql(column)} AS ${name}_${column}`)
  return [
    ...columns(10, 'price', n => `(hash(i + ${n}) % 1000000 / 10000)::DECIMAL(12, 4)`),
    ...columns(8, 'volume', n => `(hash(i * ${n + 2}) % 100000)::BIGINT`),
    ...columns(6, 'ratio', n => `(hash(i + ${n * 7}) % 1000003)::DOUBLE / 777`),
    ...columns(8, 'symbol', n => `'AAPL24' || hash(i + ${n * 3}) % 100000`),
    ...columns(3, 'at', n => `make_timestamp(1700000000000000 + (hash(i + ${n}) % 100000000000)::BIGINT)`),
    ...columns(2, 'day', n => `DATE '2024-01-01' + (i % ${n + 100})::INTEGER`),
    ...columns(3, 'flag', n => `i % ${n + 2} = 0`),
  ]
}

async function ours(): Promise<number> {
  const described = await connection.run(describeSql(template))
  const types = described.columnTypes()
  const columns = described.columnNames().flatMap((name, index) => {
    const type = types[index]
    return type ? [{ name, type }] : []
  })
  return bytesOf(await connection.run(jsonRowsSql(template, columns))).length
}

async function theirs(): Promise<number> {
  const result = await connection.run(template)
  return Buffer.from(JSON.stringify(await result.getRowObjectsJson())).length
}

function bytesOf(result: DuckDBMaterializedResult): Uint8Array {
  const value = result.getChunk(0).getColumnVector(0).getItem(0)
  if (value === null || typeof value !== 'object' || !('bytes' in value)) throw new Error('no bytes')
  if (!(value.bytes instanceof Uint8Array)) throw new Error('no bytes')
  return value.bytes
}

interface Took {
  readonly ms: number
  readonly blockedMs: number
  readonly bytes: number
}

async function time(side: () => Promise<number>): Promise<Took> {
  let last = performance.now()
  let blockedMs = 0
  const beat = () => {
    const now = performance.now()
    blockedMs = Math.max(blockedMs, now - last)
    last = now
  }
  const pulse = setInterval(beat, 1)
  const start = performance.now()
  const bytes = await side()
  const ms = performance.now() - start
  await new Promise(resolve => setTimeout(resolve, 2))
  beat()
  clearInterval(pulse)
  return { ms, blockedMs, bytes }
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const rounds: { ours: Took; theirs: Took }[] = []
for (let round = -2; round < ROUNDS; round += 1) {
  const took = { ours: await time(ours), theirs: await time(theirs) }
  // The first two rounds warm up the compiler.
  if (round >= 0) rounds.push(took)
}

const megabytes = (median(rounds.map(round => round.ours.bytes)) / 1e6).toFixed(1)
console.log(`${ROWS} rows, 40 columns, ${megabytes} MB; ${THREADS} threads; Node ${process.version}; medians`)
console.log(
  `${'JSON rows'.padEnd(12)}${'ours, ms'.padStart(12)}${'JavaScript, ms'.padStart(18)}${'ratio'.padStart(10)}`,
)
for (const [name, of] of [
  ['answered', (took: Took) => took.ms],
  ['blocked', (took: Took) => took.blockedMs],
] as const) {
  const [mine, peer] = [
    median(rounds.map(round => of(round.ours))),
    median(rounds.map(round => of(round.theirs))),
  ]
  const ratio = `${(peer / mine).toFixed(2)}x`
  console.log(
    `${name.padEnd(12)}${mine.toFixed(1).padStart(12)}${peer.toFixed(1).padStart(18)}${ratio.padStart(10)}`,
  )
}

connection.closeSync()
instance.closeSync()
