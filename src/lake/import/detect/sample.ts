import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { literal, text } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import { jsonTable } from '../layout/json-table.ts'
import type { FileForm, Layout } from '../layout/layout.ts'
import type { Sampled } from './draft.ts'

/** The rows that a draft of a layout looks at. */
const ROWS = 1000

/** The first rows of a text of lines, by the engine's sniffer. Throws if it finds no columns. */
export async function sampleLines(writer: Writer, folder: string, start: string): Promise<Sampled> {
  const path = join(folder, 'sample.csv')
  await writeFile(path, start)
  try {
    const [dialect] = await writer.rows(
      `SELECT HasHeader AS header FROM sniff_csv(${literal(text(path))}, all_varchar = true)`,
    )
    const hasHeader = dialect?.header === true
    const sampled = await sampleRows(
      writer,
      `read_csv(${literal(text(path))}, all_varchar = true, header = ${hasHeader})`,
    )
    const names = hasHeader ? sampled.names : sampled.names.map((_, place) => `column ${place + 1}`)
    return { ...sampled, names, file: hasHeader ? { kind: 'csv' } : { kind: 'csv', header: 0, names } }
  } finally {
    await rm(path, { force: true })
  }
}

/** The first rows of a Parquet file. */
export const sampleParquet = async (writer: Writer, path: string): Promise<Sampled> => ({
  ...(await sampleRows(writer, `read_parquet(${literal(text(path))})`)),
  file: { kind: 'parquet' },
})

async function sampleRows(writer: Writer, table: string): Promise<Omit<Sampled, 'file'>> {
  const described = await writer.rows(`DESCRIBE FROM ${table}`)
  const names = described.map(row => String(row.column_name))
  const rows = await writer.rows(`SELECT COLUMNS(*)::VARCHAR FROM ${table} LIMIT ${ROWS}`)
  return { names, values: names.map(name => filled(rows.map(row => row[name]))) }
}

const filled = (values: readonly unknown[]) =>
  values.flatMap(value => {
    const trimmed = value === null || value === undefined ? '' : String(value).trim()
    return trimmed === '' ? [] : [trimmed]
  })

/** The first rows of a JSON document: those of the place in it with the most rows. Null if it has none. */
export function sampleDocument(document: unknown): Sampled | null {
  const layouts = placesIn(document, '$', 0).map(
    file => ({ title: '', name: '', columns: {}, file }) satisfies Layout,
  )
  const tables = layouts.flatMap(layout => {
    const table = jsonTable(document, layout)
    return table === null ? [] : [{ layout, table }]
  })
  const [best] = tables.toSorted((one, other) => other.table.records.length - one.table.records.length)
  if (best === undefined) return null
  const { names, records } = best.table
  const rows = records.slice(0, ROWS)
  const used = [...names.keys()].filter(
    place => names[place] !== 'rows' && rows.some(row => row[place] !== null),
  )
  return {
    file: best.layout.file,
    names: used.map(place => names[place] ?? ''),
    values: used.map(place => filled(rows.map(row => row[place]))),
  }
}

const DEPTH_MAX = 6
const MEMBERS_MAX = 50

/** Where a document may have rows. */
function placesIn(value: unknown, path: string, depth: number): FileForm[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return []
  const members = Object.entries(value)
  const rows = path === '$' ? {} : { rows: path.replace(/^\$\.?/, '') }
  const isObject = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each)
  const here: FileForm[] = []
  if (Array.isArray(value) && value.length > 0) {
    if (value.every(isObject)) here.push({ kind: 'json', ...rows })
    else if (value.every(Array.isArray))
      here.push({ kind: 'json', ...rows, shape: 'arrays', names: positions(value) })
  } else if (members.length > 1 && (members.every(([, each]) => isObject(each)) || isSeries(members)))
    here.push({ kind: 'json', ...rows, shape: 'keyed' })
  else if (members.some(([, each]) => Array.isArray(each) && each.length > 1 && !each.some(isObject)))
    here.push({ kind: 'json', ...rows, shape: 'columns' })
  const deeper = members
    .slice(0, Array.isArray(value) ? 1 : MEMBERS_MAX)
    .flatMap(([name, each]) => placesIn(each, stepTo(path, name, Array.isArray(value)), depth + 1))
  return [...here, ...deeper]
}

/** Whether the members of an object are the points of a series, by date. */
const isSeries = (members: readonly [string, unknown][]) =>
  members.every(([key, each]) => /^\d{4}-\d{2}(-\d{2})?/.test(key) && typeof each !== 'object')

const positions = (rows: readonly unknown[][]) =>
  Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, place) => `column ${place + 1}`)

const stepTo = (path: string, name: string, isArray: boolean) =>
  isArray
    ? `${path}[${name}]`
    : /^\w+$/.test(name)
      ? `${path}.${name}`
      : `${path}["${name.replace(/["\\]/g, '\\$&')}"]`
