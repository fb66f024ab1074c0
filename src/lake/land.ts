import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { dates, files } from '../engine/bind.ts'
import { Failure } from '../engine/failure.ts'
import type { Observe } from '../engine/observation.ts'
import type { Writer } from '../engine/writer.ts'
import { type Base, manifestsOf, openBase } from './base.ts'
import { readCurrent } from './current.ts'
import type { Dataset } from './datasets.ts'
import { FORMAT } from './format.ts'
import { extentOf, type LandingStep, planLanding } from './landing-plan.ts'
import { lakeFolder } from './layout.ts'
import type { Manifest } from './manifest.ts'
import { type Change, publish } from './publish.ts'
import { requireRecord } from './record.ts'
import { columnList, identifier, writeSorted } from './sorted-files.ts'
import { withStaging } from './staging.ts'

export interface Landing {
  /** The lake's snapshot afterwards; 0 if there is still none. */
  readonly snapshot: number
  /** Whether it is a new one. */
  readonly published: boolean
  /** Rows of `incoming` that the lake now holds through this landing; 0 if all inputs were known. */
  readonly rows: number
  /** The partitions whose files changed. */
  readonly partitions: readonly string[]
}

/**
 * Merges the rows of the writer's table or view `incoming` (exactly the dataset's columns) into the lake and
 * publishes them in one snapshot. Rows replace stored rows of the same natural key; a key has one row in `incoming`,
 * and always the same date. `inputs` are the sha256 of the files that the rows come from: where the current snapshot
 * knows all of them, or where the rows are stored already, nothing is published.
 *
 * `incoming` is read once for each partition that it touches: for much data give a table, not a view on files.
 * Rejects with lake_conflict, lake_write, lake_damaged, lake_newer, and input_refused where a required value is NULL
 * or a date has no four-digit year.
 */
export async function land(
  writer: Writer,
  lake: string,
  dataset: Dataset,
  inputs: readonly string[],
  observe: Observe,
): Promise<Landing> {
  const folder = lakeFolder(lake)
  return withStaging(folder, 'write', async staging => {
    const base = await openBase(folder, staging)
    const stored = await manifestsOf(folder, base.record, dataset)
    const known = inputsOf(stored)
    if (inputs.length > 0 && inputs.every(input => known.has(input)))
      return { snapshot: base.number, published: false, rows: 0, partitions: [] }

    const incoming = await incomingDates(writer, dataset)
    const steps = planLanding(dataset, [...incoming.keys()], stored.map(extentOf))
    const report = (done: number) =>
      observe({
        kind: 'progress',
        task: `land ${dataset.name}`,
        done,
        total: steps.length,
        unit: 'partitions',
      })
    const changes: Change[] = []
    for (const [done, step] of steps.entries()) {
      report(done)
      const change = await merge(writer, base, dataset, stored, step, inputs)
      if (change !== null) changes.push(change)
    }
    report(steps.length)
    return {
      snapshot: changes.length > 0 ? await publish(base, changes) : base.number,
      published: changes.length > 0,
      rows: [...incoming.values()].reduce((sum, rows) => sum + rows, 0),
      partitions: changes.map(({ manifest }) => manifest.partition),
    }
  })
}

/** sha256 of the inputs that the current snapshot holds for this dataset; none where there is no lake yet. */
export async function knownInputs(lake: string, dataset: Dataset): Promise<ReadonlySet<string>> {
  const folder = lakeFolder(lake)
  const number = await readCurrent(folder)
  if (number === null) return new Set()
  return inputsOf(await manifestsOf(folder, await requireRecord(folder, number), dataset))
}

const inputsOf = (manifests: readonly Manifest[]) => new Set(manifests.flatMap(({ inputs }) => inputs))

/** The incoming dates, ascending, with their rows. Refuses rows that no partition could hold. */
async function incomingDates(writer: Writer, dataset: Dataset): Promise<Map<string, number>> {
  const required = dataset.columns.filter(({ nullable }) => !nullable).map(({ name }) => name)
  const [blanks = {}] = await writer.rows(
    `SELECT ${required.map(name => `count(*) FILTER (${identifier(name)} IS NULL) AS ${identifier(name)}`).join(', ')} FROM incoming`,
  )
  const blank = required.find(name => blanks[name] !== '0')
  if (blank !== undefined)
    throw new Failure(
      'input_refused',
      `${dataset.name}.${blank} is NULL in ${blanks[blank]} rows: nothing was landed`,
    )

  const day = identifier(dataset.partition.column)
  const rows = await writer.rows(
    `SELECT ${day}::VARCHAR AS day, count(*) AS row_count FROM incoming GROUP BY ${day} ORDER BY ${day}`,
  )
  const strange = rows.find(row => !/^\d{4}-\d{2}-\d{2}$/.test(String(row.day)))
  if (strange !== undefined)
    throw new Failure('input_refused', `${dataset.name}: ${strange.day} is no date with a four-digit year`)
  return new Map(rows.map(row => [String(row.day), Number(row.row_count)]))
}

/** Writes one partition anew: its stored rows, less those that incoming rows replace, and the incoming ones. */
async function merge(
  writer: Writer,
  { lake, staging }: Base,
  dataset: Dataset,
  stored: readonly Manifest[],
  step: LandingStep,
  inputs: readonly string[],
): Promise<Change | null> {
  const sources = stored.filter(({ partition }) => step.sources.includes(partition))
  const former = sources.flatMap(source => source.files.map(({ name }) => name))
  const day = identifier(dataset.partition.column)
  const incoming = `SELECT ${columnList(dataset)} FROM incoming WHERE ${day} IN (SELECT unnest($dates))`
  const sameKey = dataset.key
    .map(name => `incoming.${identifier(name)} = stored.${identifier(name)}`)
    .join(' AND ')
  const select =
    former.length === 0
      ? incoming
      : `SELECT ${columnList(dataset)} FROM read_parquet($stored, hive_partitioning = false) AS stored
         WHERE NOT EXISTS (FROM (${incoming}) AS incoming WHERE ${sameKey})
         UNION ALL ${incoming}`
  const paths = former.map(name => join(lake, name))
  const staged = await writeSorted(writer, staging, dataset, step.partition, select, {
    dates: dates(step.dates),
    ...(paths.length > 0 ? { stored: files(paths) } : {}),
  })

  const names = staged.map(({ file }) => file.name)
  if (names.join('\n') === former.join('\n')) {
    for (const { path } of staged) await unlink(path)
    return null
  }
  return {
    manifest: {
      format: FORMAT,
      dataset: dataset.name,
      partition: step.partition,
      schema: dataset.schemaHash,
      inputs: [...new Set([...inputsOf(sources), ...inputs])].toSorted(),
      files: staged.map(({ file }) => file),
    },
    staged,
    absorbs: step.sources.filter(partition => partition !== step.partition),
  }
}
