import { performance } from 'node:perf_hooks'
import { type DuckDBConnection, DuckDBInstance, type DuckDBMaterializedResult } from '@duckdb/node-api'
import { describeSql, jsonRowsSql } from '../../src/engine/encode/sql.ts'
import { median } from '../measure/medians.ts'
import type { Circumstances, Measured } from '../section.ts'

/**
 * Compares the rows of an answer encoded as JSON by DuckDB with the same rows encoded by JavaScript. The two alternate.
 * Times are medians in milliseconds from the start of the query to its bytes. The ratio is the time of JavaScript divided
 * by ours. While the event loop is blocked, other requests have to wait.
 */
const ROWS = 20_000
const ROUNDS = 9
const THREADS = '2'

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

async function ours(connection: DuckDBConnection): Promise<number> {
  const described = await connection.run(describeSql(template))
  const types = described.columnTypes()
  const columns = described.columnNames().flatMap((name, index) => {
    const type = types[index]
    return type ? [{ name, type }] : []
  })
  return bytesOf(await connection.run(jsonRowsSql(template, columns))).length
}

async function theirs(connection: DuckDBConnection): Promise<number> {
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

export async function* encodeJson({ quick }: Circumstances): AsyncGenerator<Measured> {
  const instance = await DuckDBInstance.create(':memory:', { threads: THREADS })
  const connection = await instance.connect()
  await connection.run(`SET TimeZone = 'UTC'`)
  await connection.run(`CREATE TABLE answer AS SELECT ${answerColumns().join(', ')} FROM range(${ROWS}) r(i)`)
  const rounds: { ours: Took; theirs: Took }[] = []
  for (let round = -2; round < (quick ? 3 : ROUNDS); round += 1) {
    const took = { ours: await time(() => ours(connection)), theirs: await time(() => theirs(connection)) }
    // The first two rounds warm up the compiler.
    if (round >= 0) rounds.push(took)
  }
  const [mine, peer] = [
    median(rounds.map(round => round.ours.ms)),
    median(rounds.map(round => round.theirs.ms)),
  ]
  yield {
    name: `${ROWS} rows against JavaScript`,
    ratio: peer / mine,
    target: { atLeast: 4 },
    details: { 'ours, ms': mine, 'JavaScript, ms': peer },
  }
  yield {
    name: 'longest time that the event loop is blocked',
    details: { ms: median(rounds.map(round => round.ours.blockedMs)), 'at most, ms': 25 },
  }
  connection.closeSync()
  instance.closeSync()
}
