import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@duckdb/node-api'
import { files } from '../../../src/engine/bind.ts'
import { derive } from '../../../src/lake/derive/derive.ts'
import { withDraft } from '../../../src/lake/land/draft.ts'
import { land } from '../../../src/lake/land/land.ts'
import { snapshotAsOf } from '../../../src/lake/point-in-time/as-of.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { loadSnapshot, type Snapshot } from '../../../src/lake/store/snapshot.ts'
import { identifier } from '../../../src/lake/store/sorted-files.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedWriter } from '../../fixtures/shared-writer.ts'

const quiet = () => {}

/** A lake of rows that are given as SQL, one SELECT per dataset; columns that it leaves out are NULL. */
export async function smallLake(rows: Readonly<Record<string, string>>): Promise<string> {
  const writer = await sharedWriter()
  const lake = join(folderForTest(), 'lake')
  await withDraft(writer, lake, quiet, async draft => {
    for (const [name, sql] of Object.entries(rows)) {
      const columns = dataset(name).columns.map(column => `${identifier(column.name)} ${column.type}`)
      await writer.run(`CREATE OR REPLACE TEMP TABLE incoming (${columns.join(', ')})`)
      await writer.run(`INSERT INTO incoming BY NAME (${sql})`)
      await land(draft, dataset(name))
    }
    await derive(draft)
    await draft.publish({ generated: null })
  })
  return lake
}

/** The snapshot of a lake as of a day, in a folder for the time of the test. */
export async function asOf(lake: string, day: string): Promise<Snapshot> {
  const folder = join(folderForTest(), 'as-of')
  mkdirSync(folder)
  return snapshotAsOf(await sharedWriter(), await loadSnapshot(lake), day, folder, quiet)
}

/** The values of one SQL expression per row of a dataset, in the order of a second one. */
export async function valuesIn(
  snapshot: Snapshot,
  name: string,
  value: string,
  order = value,
): Promise<(Json | undefined)[]> {
  const paths = snapshot.files(name).map(({ path }) => path)
  if (paths.length === 0) return []
  const rows = await (await sharedWriter()).rows(
    `SELECT ${value} AS value FROM read_parquet($files, hive_partitioning = false) ORDER BY ${order}`,
    { files: files(paths) },
  )
  return rows.map(row => row.value)
}
