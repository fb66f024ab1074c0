import { readFile } from 'node:fs/promises'
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { Decimal } from './decimal.ts'

/**
 * A stored value. INTEGER and BIGINT are numbers, DECIMAL is exact, DATE is `YYYY-MM-DD`, TIMESTAMP is a bigint:
 * microseconds since 1970 in UTC. UUID is text.
 */
export type Value = null | boolean | number | string | bigint | Decimal | Value[]

export type Row = Record<string, Value>

const DAY_MS = 86_400_000

/** Ticks instead of Dates, which lose microseconds. */
const parsers = {
  timestampFromMicroseconds: (ticks: bigint) => ticks,
  dateFromDays: (days: number) => new Date(days * DAY_MS).toISOString().slice(0, 10),
}

/** What hyparquet returns for a value of a column, as a Value. */
type Reading = (raw: unknown) => Value

/** The rows of a Parquet file, each value exact. */
export async function readRows(path: string): Promise<Row[]> {
  const { buffer, byteOffset, byteLength } = await readFile(path)
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  const metadata = parquetMetadata(file)
  const readings = new Map<string, Reading>()
  for (const column of parquetSchema(metadata).children) {
    let leaf = column
    for (let [child] = leaf.children; child; [child] = leaf.children) leaf = child
    const { type, converted_type: converted, scale = 0, name } = leaf.element
    readings.set(column.element.name, eachOf(readingOf(type, converted, scale)))
    // hyparquet would make doubles of decimals.
    if (converted === 'DECIMAL') {
      const element = metadata.schema.find(each => each === leaf.element)
      if (element === undefined) throw new Error(`${path}: the schema has no element ${name}`)
      delete element.converted_type
      delete element.logical_type
    }
  }
  const rows: Row[] = await parquetReadObjects({ file, metadata, compressors, parsers })
  for (const row of rows) for (const [name, read] of readings) row[name] = read(row[name])
  return rows
}

/** `read` for a value or each value of a list, and null for what is missing. */
const eachOf =
  (read: Reading): Reading =>
  raw => {
    if (raw === null || raw === undefined) return null
    return Array.isArray(raw) ? raw.map(eachOf(read)) : read(raw)
  }

function readingOf(type: string | undefined, converted: string | undefined, scale: number): Reading {
  if (converted === 'DECIMAL') return raw => ({ units: unitsOf(raw), scale })
  if (converted === 'TIMESTAMP_MICROS') return raw => raw as bigint
  if (type === 'INT64') return wholeNumber
  return raw => raw as Value
}

/** The unscaled integer of a decimal: a number, a bigint, or big-endian two's complement bytes. */
function unitsOf(raw: unknown): bigint {
  if (raw instanceof Uint8Array)
    return BigInt.asIntN(raw.length * 8, BigInt(`0x${Buffer.from(raw).toString('hex')}`))
  return BigInt(raw as number | bigint)
}

function wholeNumber(raw: unknown): number {
  const number = Number(raw)
  if (!Number.isSafeInteger(number)) throw new Error(`${raw} is too large for a number`)
  return number
}
