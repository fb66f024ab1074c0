import { type DataType, tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { operations } from '../../src/operations/index.ts'
import { readColumn } from '../engine/arrow/read-arrow.ts'

/** The rows of an answer in each format, and how they differ from those of another. */

export type Row = Readonly<Record<string, unknown>>

/** An Arrow stream: its rows, with values in the form of `plain`, and its columns. */
export function rowsOfArrow(bytes: Buffer): {
  rows: Record<string, unknown>[]
  fields: readonly { name: string; type: DataType }[]
} {
  const table = tableFromIPC(bytes)
  const columns = table.schema.fields.map(({ name, type }, at) => [
    name,
    readColumn(table.getChildAt(at)).map(value => plain(ofArrow(value, type))),
  ])
  const rows = Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values?.[row]])),
  )
  return { rows, fields: table.schema.fields }
}

export function rowsOfParquet(bytes: Buffer): Promise<Row[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  return parquetReadObjects({ file })
}

/** Rows of texts, null where a field is empty. */
export function rowsOfCsv(text: string): Row[] {
  const [names = [], ...rows] = parseCsv(text)
  return rows.map(row => Object.fromEntries(names.map((name, at) => [name ?? '', row[at] ?? null])))
}

export function rowsOfNdjson(text: string): Row[] {
  const lines = text.split('\n').filter(line => line !== '')
  return lines.map(line => JSON.parse(line) as Row)
}

/** Values in one form, whichever reader they come from: scalars as text, times without zone and needless zeros. */
export function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return plain(value.toISOString())
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
  const text = String(value)
  if (typeof value === 'string' && /^[[{]/.test(text)) return plain(JSON.parse(text))
  const [, day, time, fraction = ''] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00)?$/.exec(text) ?? []
  if (day === undefined) return text
  const kept = fraction.replace(/0+$/, '')
  return `${day} ${time}${kept && `.${kept}`}`
}

/** Where rows that were read are not what is shown: number, column and both values, or how many there are. */
export function differences(shown: readonly Row[], read: readonly Row[]): unknown[] {
  if (shown.length !== read.length) return [[shown.length, read.length]]
  return shown.flatMap((row, at) =>
    Object.entries(row).flatMap(([name, value]) =>
      same(value, read[at]?.[name]) ? [] : [[at, name, value, read[at]?.[name]]],
    ),
  )
}

/** A value of `readColumn` as JSON would show it. */
function ofArrow(value: unknown, type: DataType): unknown {
  if (value === null) return null
  const [child] = type.children ?? []
  const kind = String(type)
  if (Array.isArray(value) && kind.startsWith('Struct'))
    return Object.fromEntries(type.children.map((field, at) => [field.name, ofArrow(value[at], field.type)]))
  if (Array.isArray(value)) return value.map(item => (child ? ofArrow(item, child.type) : item))
  if (kind.startsWith('Date')) return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10)
  if (!kind.startsWith('Timestamp')) return value
  const micros = BigInt(String(value))
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, 19)
  return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}Z`
}

/** The Arrow types of fields that are text in JSON. */
const TYPED: Readonly<Record<string, string>> = {
  'string(dec)': 'Decimal',
  date: 'Date',
  ts: 'Timestamp',
  'ts(ms)': 'Timestamp',
  'ts(us)': 'Timestamp',
}

/** Columns that are text where the record's field is a decimal, a date or a time. */
export function untyped(id: string, fields: readonly { name: string; type: DataType }[]): string[] {
  const records = operations
    .find(each => each.id === id)
    ?.fields.parts.find(({ at }) => /^data(\.data)?(\[\])?$/.test(at))
  return (records?.fields ?? [])
    .filter(({ name, type }) => {
      const column = fields.find(field => field.name === name)
      const wanted = TYPED[type]
      return wanted !== undefined && column !== undefined && !String(column.type).startsWith(wanted)
    })
    .map(({ name }) => name)
}

/**
 * Whether what was read is what is shown. CSV has lists and objects as JSON; hyparquet reads decimals as doubles and
 * times to the millisecond.
 */
function same(shown: unknown, read: unknown): boolean {
  if (shown === null || read === null || read === undefined) return shown === null && (read ?? null) === null
  if (typeof shown === 'object' && typeof read === 'string') return same(shown, JSON.parse(read))
  if (Array.isArray(shown))
    return (
      Array.isArray(read) && shown.length === read.length && shown.every((item, at) => same(item, read[at]))
    )
  if (read instanceof Date) return new Date(String(shown)).getTime() === read.getTime()
  if (typeof shown === 'object') {
    return Object.entries(shown).every(([name, value]) => same(value, (read as Row)[name]))
  }
  if (typeof read === 'number' && typeof shown === 'string')
    return Math.abs(Number(shown) - read) <= 1e-12 * Math.max(1, Math.abs(read))
  return typeof shown === 'number' ? Number(read) === shown : String(read) === String(shown)
}

/** Rows of fields (RFC 4180), null where there is nothing between two commas. */
function parseCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [[]]
  const FIELD = /("(?:[^"]|"")*"|[^,\n]*)([,\n]|$)/gy
  for (const [whole, field = '', end] of text.matchAll(FIELD)) {
    if (whole === '' && rows.at(-1)?.length === 0) break
    rows.at(-1)?.push(field === '' ? null : field.replace(/^"([\s\S]*)"$/, '$1').replaceAll('""', '"'))
    if (end === '\n') rows.push([])
  }
  return rows.filter(row => row.length > 0)
}
