import { rm } from 'node:fs/promises'
import { literal, text } from '../../../engine/bind.ts'
import { Failure } from '../../../engine/failure.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { Dataset } from '../../store/datasets.ts'
import { identifier, identifiers, orderOf } from '../../store/sorted-files.ts'
import { isTicker, tickerValue } from '../format/tickers.ts'
import { type Vocabulary, vocabularyOf } from '../format/vocabularies.ts'
import type { Input } from '../input/inputs.ts'
import { RECORD_BYTES_MAX } from '../input/records.ts'
import { bytesOf, unpackedBytes } from '../input/source.ts'
import { unpackZstd } from '../input/zstd.ts'
import { type Header, readHeader } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'
import { accepted, haveOwnKeys } from '../rows/tables.ts'
import { type PlainScan, scanPlain } from './plain.ts'

/** An interrupt is lost while a statement waits for a thread, so it is repeated. */
const INTERRUPT_EVERY_MS = 20

/** DuckDB reads a file name with any of these as a glob pattern. */
export const PATTERN = /[*?[\]{}]/

/** A file for DuckDB (path and compression) and for this program (bytes). */
interface Source {
  readonly path: string
  readonly compression: 'none' | 'gzip'
  bytes(): AsyncIterable<Buffer>
}

/**
 * Reads a CSV file with the columns of the dataset with DuckDB's typed reader, if all of it is plain: many times as
 * fast as line by line. The bytes are checked concurrently. Returns the header and the number of records, or null if
 * the file must be read line by line; the tables then do not change. Throws like `readInput`.
 */
export async function readTyped(
  reading: Reading,
  input: Input,
  dataset: Dataset,
): Promise<{ records: number; header: Header } | null> {
  if (input.compression !== 'zstd') {
    if (PATTERN.test(input.real)) return null
    const bytes = () => unpackedBytes(input, reading.writer, reading.folder, reading.advance)
    return readFrom(reading, input, dataset, { path: input.real, compression: input.compression, bytes })
  }
  const path = await unpackZstd(input, reading.writer, reading.folder)
  try {
    return await readFrom(reading, input, dataset, {
      path,
      compression: 'none',
      bytes: () => bytesOf(path, input, () => {}),
    })
  } finally {
    await rm(path, { force: true })
  }
}

async function readFrom(
  { writer, format, canceling, inOrder }: Reading,
  input: Input,
  dataset: Dataset,
  source: Source,
) {
  const table = accepted(dataset)
  let pending: Buffer = Buffer.alloc(0)
  let header: Header | undefined
  let scan: PlainScan | undefined
  let insertion: Insertion | undefined
  let sql = ''
  let plain = true
  try {
    for await (const bytes of source.bytes()) {
      canceling.check()
      let chunk = bytes
      if (scan === undefined) {
        pending = Buffer.concat([pending, bytes])
        const start = startOf(pending)
        if (start === 'none') return null
        if (start === 'cut off') continue
        header = readHeader(input.shown, start.line, { columns: format.sources[0]?.columns ?? [] })
        const positions = [...header.positions].map(([name, at]) => [at, name] as const)
        const named = new Map(positions)
        const columns = Array.from({ length: header.width }, (_, at) =>
          dataset.columns.find(({ name }) => name === named.get(at)),
        )
        scan = scanPlain(columns, header.delimiter, start.lineEnd)
        chunk = pending.subarray(start.next)
        plain = scan.push(chunk)
        if (!plain) return null
        sql = insertSql(table, dataset.columns, header, source)
        const order = inOrder ? ` ORDER BY ${identifiers(orderOf(dataset))}` : ''
        insertion = await insert(writer, table, sql + order)
        continue
      }
      plain = scan.push(chunk) && insertion?.failed() !== true
      if (!plain) break
    }
    const records = plain ? (scan?.end() ?? null) : null
    if (records === null || header === undefined || insertion === undefined) return null
    if ((await insertion.rows()) !== records || records === 0) return null
    const isInOrder = inOrder !== undefined && (await haveOwnKeys(writer, dataset))
    if (inOrder && !isInOrder) {
      // Only the order in the file says which of two rows with the same key is the later one.
      await insertion.drop()
      insertion = await insert(writer, table, sql)
      if ((await insertion.rows()) !== records) return null
    }
    await insertion.keep()
    if (isInOrder) inOrder()
    return { records, header }
  } finally {
    await insertion?.drop()
  }
}

/** The first line of `bytes`, its line end and the start of the next line; `none` if it is not a plain line. */
function startOf(bytes: Buffer) {
  const end = bytes.indexOf(10)
  if (end === -1) return bytes.length > RECORD_BYTES_MAX ? 'none' : 'cut off'
  const lineEnd = bytes[end - 1] === 13 ? ('\r\n' as const) : ('\n' as const)
  const line = bytes.toString('utf8', 0, end + 1 - lineEnd.length).replace(/^\ufeff/, '')
  const simple = /^[^\r\n\0\ufffd]*[^\s][^\r\n\0\ufffd]*$/.test(line) && line.split('"').length % 2 === 1
  return simple ? { line, lineEnd, next: end + 1 } : 'none'
}

function insertSql(
  table: string,
  columns: Dataset['columns'],
  { delimiter, width, positions }: Header,
  { path, compression }: Source,
): string {
  const types = new Map(columns.map(({ name, type }) => [positions.get(name), type]))
  const fields = Array.from({ length: width }, (_, at) => `'field${at}': '${types.get(at) ?? 'VARCHAR'}'`)
  const values = columns.map(column => {
    const { name, type } = column
    const at = positions.get(name)
    const value = at === undefined ? `NULL::${type}` : `field${at}`
    const vocabulary = at === undefined ? null : vocabularyOf(column)
    if (at !== undefined && isTicker(column)) return `${tickerValue(value)} AS ${identifier(name)}`
    return `${vocabulary === null ? value : orFail(value, vocabulary)} AS ${identifier(name)}`
  })
  return `
    INSERT INTO ${table} SELECT ${values.join(', ')}
    FROM read_csv(${literal(text(path))}, columns = {${fields.join(', ')}}, auto_detect = false, header = true,
      delim = ${literal(text(delimiter))}, quote = '"', escape = '"', compression = '${compression}',
      hive_partitioning = false, strict_mode = true, null_padding = false, allow_quoted_nulls = false)`
}

/** A text of a vocabulary. Any other fails the statement, and is rejected when the file is read line by line. */
const orFail = (x: string, { value }: Vocabulary) =>
  `CASE WHEN ${x} IS NOT NULL THEN coalesce(${value(x)}, error(${x})) END`

/** An INSERT that runs in the background, in a transaction. */
interface Insertion {
  /** Whether it has failed. */
  failed(): boolean
  /** Waits for its end. Returns the number of rows, or null if DuckDB cannot read the file like this. */
  rows(): Promise<number | null>
  keep(): Promise<void>
  /** Rolls it back, unless it was kept. */
  drop(): Promise<void>
}

async function insert(writer: Writer, table: string, sql: string): Promise<Insertion> {
  const count = async () => {
    const [row] = await writer.rows(`SELECT count(*) AS number FROM ${table}`)
    return Number(row?.number)
  }
  const before = await count()
  let state: 'running' | 'done' | 'failed' | 'ended' = 'running'
  let cause: unknown
  await writer.run('BEGIN TRANSACTION')
  const work = writer.run(sql).then(
    () => {
      state = 'done'
    },
    thrown => {
      state = 'failed'
      cause = thrown
    },
  )
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    state = 'ended'
    await writer.run(how)
  }
  return {
    failed: () => state === 'failed',
    async rows() {
      await work
      // A full disk or too little memory is not a defect of the file.
      if (cause instanceof Failure) throw cause
      return state === 'failed' ? null : (await count()) - before
    },
    keep: () => end('COMMIT'),
    async drop() {
      if (state === 'ended') return
      const timer = setInterval(() => state === 'running' && writer.interrupt(), INTERRUPT_EVERY_MS)
      await work.finally(() => clearInterval(timer))
      await end('ROLLBACK')
    },
  }
}
