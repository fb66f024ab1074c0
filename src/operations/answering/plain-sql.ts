import { type Bindings, files, integer } from '../../engine/bind.ts'
import { completed } from '../../engine/computed-columns.ts'
import { pageRowsSql } from '../../engine/encode/page.ts'
import type { Engine } from '../../engine/engine.ts'
import { fillTemplate, type Template } from '../../engine/template.ts'
import { dataset } from '../../lake/store/datasets.ts'
import type { LakeFile } from '../../lake/store/snapshot.ts'
import { type Pinned, queryOf } from './answer.ts'

/** A settled request as SQL that any DuckDB client can run over the same lake. */
export function plainSql(settled: Pinned, engine: Engine): string {
  const { template, bindings, page } = queryOf(settled, engine)
  if (page === undefined) return plainTemplate(template, bindings, settled.files)
  if (page.time === null)
    return plainTemplate(template, { ...bindings, limit: integer(page.rows) }, settled.files)
  return plainTemplate({ ...template, sql: pageRowsSql(template.sql, page) }, bindings, settled.files)
}

/**
 * A template with its values, without the empty files that the engine uses, because they are deleted with its process: a
 * dataset without files is a table without rows, and one with files that lack columns is united with such a table.
 */
export function plainTemplate(
  template: Template,
  bindings: Bindings,
  read: ReadonlyMap<string, readonly LakeFile[]>,
): string {
  let { sql } = template
  const bound = { ...bindings }
  for (const [name, list] of read) {
    const table = tableFor(name, list)
    if (table === null) continue
    sql = sql.replaceAll(new RegExp(`read_parquet\\(\\$${name}\\b[^)]*\\)`, 'g'), () => table)
    if (list.length > 0) bound[name] = files(list.map(({ path }) => path))
  }
  return fillTemplate({ ...template, sql }, bound)
}

/** What replaces `read_parquet` of a dataset; null if nothing does. */
function tableFor(name: string, list: readonly LakeFile[]): string | null {
  if (list.length === 0) return `(${noRows(name)})`
  if (!list.some(({ isOlder }) => isOlder)) return null
  const united = `(${noRows(name)} UNION ALL BY NAME FROM read_parquet($${name}, hive_partitioning = false, union_by_name = true))`
  const { computed } = dataset(name)
  return computed === null ? united : `(${completed(computed, united)})`
}

function noRows(name: string): string {
  const columns = dataset(name).columns.map(column => `CAST(NULL AS ${column.type}) AS "${column.name}"`)
  return `SELECT ${columns.join(', ')} WHERE false`
}
