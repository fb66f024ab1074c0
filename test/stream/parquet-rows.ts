import { DuckDBInstance, type Json } from '@duckdb/node-api'
import type { Snapshot } from '../../src/lake/store/snapshot.ts'

/** What a plain DuckDB answers of a dataset's files, which `sql` calls `rows`. */
export async function parquetRows(
  snapshot: Snapshot,
  dataset: string,
  sql: string,
): Promise<Record<string, Json>[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  const paths = snapshot.files(dataset).map(({ path }) => `'${path}'`)
  try {
    const result = await connection.run(
      `WITH rows AS (FROM read_parquet([${paths.join(', ')}], hive_partitioning = false)) ${sql}`,
    )
    return await result.getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
