import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { run } from '../arrow/memory.ts'
import type { Encoded } from '../encode/encoded.ts'
import type { RowRange } from '../encode/page.ts'
import { type DigitsShown, type Envelope, headerField, type TextOptions } from '../encode/sql.ts'
import type { ColumnType } from '../encode/types.ts'
import { writeCsvRow } from './csv.ts'
import { utf8 } from './json-string.ts'
import { objectWriter } from './object.ts'
import { rowsOfPage } from './page-rows.ts'
import { type Texts, textsOf } from './values.ts'
import { newWire, type Wire, writeAll, writeByte, writeText, written } from './wire.ts'

interface RowsOptions extends Pick<TextOptions, 'digits' | 'page'> {
  readonly envelope?: Envelope | undefined
}

/** The encodings as text: `json` is objects joined by commas, without brackets. */
export type TextEncoding = 'json' | 'ndjson' | 'csv'

const [COMMA, LINE_FEED] = [0x2c, 0x0a]
/** Bytes of a small answer, and of a large one. */
const [FIRST_BYTES, KEPT_BYTES] = [16_384, 1024 ** 2]

/**
 * Where all answers are written, one after another. One for each answer would grow several times, and V8 counts these bytes
 * as garbage to collect: at a few hundred KiB an answer, it marked the whole heap again every 30 answers.
 */
let shared = newWire(FIRST_BYTES)

/**
 * The rows of a template's result as text: the bytes that the SQL of `jsonRowsSql`, `ndjsonSql` and `csvSql` returns. The
 * engine writes many rows several times as fast and on other threads, but its operators for that cost more than few rows
 * do here.
 *
 * @param columns of types that `isWritable` names
 * @returns null if a value is one that only the engine writes
 */
export function encodeRows(
  result: DuckDBMaterializedResult,
  columns: readonly ColumnType[],
  encoding: TextEncoding,
  { digits = {}, page = null, envelope: [head, tail] = ['', ''] }: RowsOptions,
): Encoded | null {
  const { end, ...rows } = rowsOfPage(result, columns, page)
  const wire = shared
  wire.at = 0
  writeText(wire, head)
  const isWritten = writeRows(wire, result, columns, encoding, digits, rows)
  writeText(wire, tail)
  const bytes = isWritten ? written(wire) : null
  if (wire.bytes.length > KEPT_BYTES) shared = newWire(FIRST_BYTES)
  return bytes === null ? null : { bytes, rows: rows.to - rows.from, ...(page === null ? {} : { end }) }
}

/** Columns are described once per template, and their names become keys of objects once. */
const named = new WeakMap<readonly ColumnType[], readonly string[]>()

function namesOf(columns: readonly ColumnType[]): readonly string[] {
  const names = named.get(columns) ?? columns.map(({ name }) => name)
  named.set(columns, names)
  return names
}

/** Returns false if a value is one that only the engine writes. */
function writeRows(
  wire: Wire,
  result: DuckDBMaterializedResult,
  columns: readonly ColumnType[],
  encoding: TextEncoding,
  digits: DigitsShown,
  { from, to }: RowRange,
): boolean {
  const names = namesOf(columns)
  if (encoding === 'csv') writeAll(wire, utf8(`${names.map(headerField).join(',')}\n`))
  let row = 0
  for (let index = 0; index < result.chunkCount && row < to; index += 1) {
    const chunk = result.getChunk(index)
    const items = run(0, chunk.rowCount)
    const texts = columns.map(({ name, type }, place) =>
      textsOf(chunk.getColumnVector(place), items, type, digits[name] ?? 'fewest'),
    )
    const write = ROW_WRITERS[encoding](names, texts)
    // Reads `chunk` before each row. Without this reference DuckDB could free its memory before.
    for (let item = 0; item < chunk.rowCount; item += 1, row += 1)
      if (row >= from && row < to && !write(wire, item, row === from)) return false
  }
  return true
}

/** Writes a row of a chunk. Returns false for a value that only the engine writes. */
type WriteRow = (wire: Wire, item: number, isFirst: boolean) => boolean

const ROW_WRITERS: Readonly<
  Record<TextEncoding, (names: readonly string[], texts: readonly Texts[]) => WriteRow>
> = {
  json(names, texts) {
    const write = objectWriter(names, texts)
    return (wire, item, isFirst) => {
      if (!isFirst) writeByte(wire, COMMA)
      return write(wire, item)
    }
  },
  ndjson(names, texts) {
    const write = objectWriter(names, texts)
    return (wire, item) => {
      const isWritten = write(wire, item)
      writeByte(wire, LINE_FEED)
      return isWritten
    }
  },
  csv: (_, texts) => (wire, item) => writeCsvRow(wire, texts, item),
}
