import { macrosUsed } from '../../../engine/macros.ts'
import type { Writer } from '../../../engine/writer.ts'
import { identifier } from '../../store/sorted-files.ts'
import type { Source } from '../format/format.ts'
import { sharedMacros } from '../format/formats.ts'
import type { BoundLayout } from './bind.ts'

/** Defines the macros that the rules of a layout use. */
export async function defineRules(
  writer: Pick<Writer, 'run'>,
  { values, levels }: BoundLayout,
): Promise<void> {
  const rules = [...values.values(), ...levels.flat()].join('\n')
  for (const { sql } of macrosUsed(rules, sharedMacros())) await writer.run(sql)
}

/**
 * A SELECT of raw rows, each raw column as text, from a table with the line and the fields of each record: `line`,
 * `field0`, `field1` …
 */
export function layoutSelect(
  { values, levels, cells, isData }: BoundLayout,
  source: Source,
  file: number,
  table: string,
): string {
  const raw = source.columns.map(
    ({ name }) => `${values.get(name) ?? 'NULL::VARCHAR'} AS ${identifier(name)}`,
  )
  const records = `SELECT *${cells === null ? '' : `, unnest(${cells}) AS cell`} FROM ${table}`
  const rows = levels.reduce((below, columns) => `SELECT *, ${columns.join(', ')} FROM (${below})`, records)
  return `SELECT ${file} AS file, line, ${raw.join(', ')} FROM (${rows})${isData === null ? '' : ` WHERE ${isData}`}`
}

/** Whether a record may become no row or several. */
export const changesRows = ({ cells, isData }: BoundLayout) => cells !== null || isData !== null
