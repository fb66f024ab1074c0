import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal, text } from '../../../src/engine/bind.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import type { LakeFile, Snapshot } from '../../../src/lake/store/snapshot.ts'
import { identifier } from '../../../src/lake/store/sorted-files.ts'
import { goldenLake } from '../../golden/lake.ts'
import type { Perturbation } from './perturbations.ts'

/** A column and what is done to all of its values. */
export interface Change {
  readonly dataset: string
  readonly column: string
  readonly perturbation: Perturbation
}

/** A golden lake whose columns can be changed. */
export interface PerturbedLake {
  readonly snapshot: Snapshot
  readonly engine: Engine
  /** The lake with some columns changed; null where that changes no value. */
  changed(changes: readonly Change[]): Promise<Snapshot | null>
}

const quoted = (value: string) => literal(text(value))

/** Makes the golden lake `source` below `folder`. `connection`, to a database of its own, writes the changed files. */
export async function perturbedLake(
  source: string,
  folder: string,
  connection: DuckDBConnection,
): Promise<PerturbedLake> {
  const { whole, engine } = await goldenLake(source, folder)
  const changedFolder = join(whole.lake, 'changed')
  mkdirSync(changedFolder)
  const known = new Map<string, Promise<readonly LakeFile[] | null>>()

  async function rowsOf(name: string, files: readonly LakeFile[]): Promise<string> {
    const table = identifier(`${folder} ${name}`)
    const paths = files.map(({ path }) => quoted(path)).join(', ')
    await connection.run(
      `CREATE TABLE IF NOT EXISTS ${table} AS
       FROM read_parquet([${paths}], hive_partitioning = false, filename = 'lake_file')`,
    )
    return table
  }

  async function filesOf(name: string, changes: readonly Change[]): Promise<readonly LakeFile[] | null> {
    const files = whole.files(name)
    if (files.length === 0) return null
    const values = changes.map(({ column, perturbation }) => `${perturbation.sql} AS ${identifier(column)}`)
    const differs = changes.map(
      ({ column, perturbation }) => `${perturbation.sql} IS DISTINCT FROM ${identifier(column)}`,
    )
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE changed AS
       SELECT * REPLACE (${values.join(', ')}), ${differs.join(' OR ')} AS lake_differs
       FROM ${await rowsOf(name, files)}`,
    )
    const day = identifier(dataset(name).partition.column)
    const reader = await connection.runAndReadAll(
      `SELECT lake_file, bool_or(lake_differs) AS differs, min(${day})::VARCHAR AS least, max(${day})::VARCHAR AS greatest
       FROM changed GROUP BY lake_file`,
    )
    const found = new Map(reader.getRowObjectsJson().map(row => [String(row.lake_file), row]))
    if (![...found.values()].some(({ differs: any }) => any === true)) return null
    const written: LakeFile[] = []
    for (const [place, file] of files.entries()) {
      const path = join(changedFolder, `${known.size}-${place}.parquet`)
      await connection.run(
        `COPY (SELECT * EXCLUDE (lake_file, lake_differs) FROM changed WHERE lake_file = ${quoted(file.path)})
         TO ${quoted(path)} (FORMAT parquet)`,
      )
      const { least, greatest } = found.get(file.path) ?? {}
      written.push({ ...file, path, dates: [String(least), String(greatest)] })
    }
    return written
  }

  return {
    snapshot: whole,
    engine,
    async changed(changes) {
      let snapshot: Snapshot | null = null
      for (const name of new Set(changes.map(each => each.dataset))) {
        const own = changes.filter(each => each.dataset === name)
        const key = `${name} ${own.map(({ column, perturbation }) => `${column} ${perturbation.name}`).join(', ')}`
        const found = known.get(key) ?? filesOf(name, own)
        known.set(key, found)
        const files = await found
        const isDating = own.some(({ column }) => column === dataset(name).partition.column)
        if (files !== null) snapshot = withFiles(snapshot ?? whole, name, files, isDating)
      }
      return snapshot
    },
  }
}

/** A snapshot with other files of one dataset. Where their dates changed, the dataset's last date is that of the files. */
function withFiles(
  snapshot: Snapshot,
  name: string,
  files: readonly LakeFile[],
  isDating: boolean,
): Snapshot {
  const lastDate = isDating
    ? (files
        .map(({ dates }) => dates[1])
        .toSorted()
        .at(-1) ?? null)
    : snapshot.lastDate(name)
  return {
    ...snapshot,
    files: wanted => (wanted === name ? files : snapshot.files(wanted)),
    lastDate: wanted => (wanted === name ? lastDate : snapshot.lastDate(wanted)),
    closedDate: (wanted, ...others) =>
      wanted === name && isDating ? lastDate : snapshot.closedDate(wanted, ...others),
  }
}
