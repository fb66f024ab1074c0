import { type Bindings, literal, text } from '../../engine/bind.ts'
import type { Writer } from '../../engine/writer.ts'
import { identifier } from '../store/sorted-files.ts'

/**
 * Derivations whose memory grows with the rows of an input, and the column that divides it: the rows of one value depend
 * on the input's rows of this value only.
 */
const DIVIDED: Readonly<Record<string, { readonly input: string; readonly column: string }>> = {
  // The latest trade of each contract and interval is a structure, which the engine keeps in memory and never on disk.
  chain_frags: { input: 'option_trades', column: 'option_chain_id' },
}

/** One statement computes about as many rows of the input at most. */
export const ROWS_A_PORTION = 1_000_000

/**
 * The statements that together compute the rows of a derivation: one, or one for each range of values of the column that
 * divides it. The ranges follow the row groups of the input's files, so that each statement reads only its part.
 */
export async function portionsOf(
  writer: Writer,
  dataset: string,
  sql: string,
  bindings: Bindings,
  rowsMax = ROWS_A_PORTION,
): Promise<readonly string[]> {
  const divided = DIVIDED[dataset]
  const files = divided && bindings[divided.input]
  if (divided === undefined || files === undefined) return [sql]
  const found = await writer.rows(
    `SELECT min(least) AS first
     FROM (
       SELECT
         stats_min_value AS least,
         (sum(row_group_num_rows) OVER (ORDER BY stats_min_value, file_name, row_group_id) - 1) // ${rowsMax} AS portion
       FROM parquet_metadata($files)
       WHERE path_in_schema = ${literal(text(divided.column))}
         AND row_group_num_rows > 0
     )
     GROUP BY portion
     ORDER BY portion`,
    { files },
  )
  const firsts = [...new Set(found.slice(1).map(({ first }) => first))].filter(first => first !== null)
  const column = identifier(divided.column)
  const read = `read_parquet($${divided.input}, hive_partitioning = false)`
  const bounds = [null, ...firsts.map(first => literal(text(String(first)))), null]
  return bounds.slice(1).map((to, index) => {
    const from = bounds[index]
    const within = [
      ...(from === null ? [] : [`${column} >= ${from}`]),
      ...(to === null ? [] : [`${column} < ${to}`]),
    ]
    return within.length === 0 ? sql : sql.replaceAll(read, `(FROM ${read} WHERE ${within.join(' AND ')})`)
  })
}
