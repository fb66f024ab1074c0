import type { Engine } from '../../engine/engine.ts'
import { fillTemplate } from '../../engine/template.ts'
import { dataset } from '../../lake/store/datasets.ts'
import { type Pinned, queryOf } from './answer.ts'

/**
 * A settled request as SQL that any DuckDB client can run over the same lake. A dataset without files for the request
 * is a table without rows, because the empty file that the engine uses instead is deleted with its process.
 */
export function plainSql(settled: Pinned, engine: Engine): string {
  const { template, bindings } = queryOf(settled, engine)
  const unread = [...settled.files].filter(([, files]) => files.length === 0).map(([name]) => name)
  const sql = unread.reduce(
    (text, name) => text.replaceAll(new RegExp(`read_parquet\\(\\$${name}\\b[^)]*\\)`, 'g'), noRows(name)),
    template.sql,
  )
  return fillTemplate({ ...template, sql }, bindings)
}

function noRows(name: string): string {
  const columns = dataset(name).columns.map(column => `CAST(NULL AS ${column.type}) AS "${column.name}"`)
  return `(SELECT ${columns.join(', ')} WHERE false)`
}
