import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '../../engine/bind.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Derived, derive, together } from '../derive/derive.ts'
import { type Draft, withDraft } from '../land/draft.ts'
import { amendSnapshot } from '../land/past-draft.ts'
import { carriedOver } from '../publish/carry.ts'
import type { Change } from '../publish/publish.ts'
import { keptSnapshots } from '../snapshots/kept.ts'
import { OWN_NAME } from '../store/content.ts'
import { currentNumber } from '../store/current.ts'
import { datasets } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import { FORMAT } from '../store/format.ts'
import { lakeFolder, MANIFESTS, pathOf, SUPERSEDED } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { fromFormer, isPartition } from '../store/partition.ts'
import { entriesOf } from '../store/record.ts'

/** What an upgrade did with a dataset. */
export interface UpgradedDataset {
  readonly dataset: string
  /** Files that the new snapshot has under their present names. */
  readonly carried: number
  /** Days that were computed again, because their files had other columns. */
  readonly computed: number
}

export interface Upgrade {
  /** The lake's snapshot afterwards. */
  readonly snapshot: number
  /** Empty if the current snapshot was up to date; then none was published. */
  readonly datasets: readonly UpgradedDataset[]
  /** Names of kept snapshots whose derived datasets were computed again. */
  readonly kept: readonly string[]
}

/**
 * Brings a lake to the present format in one snapshot, and computes derived datasets again whose files have other
 * columns, in kept snapshots too. Files keep their content: new names are links to them. Earlier snapshots can still be
 * read, and nothing is deleted. Does nothing if the lake is up to date. Rejects with lake_missing, lake_newer,
 * lake_conflict or lake_write, and with lake_damaged by name if a file is missing or cannot be read; then nothing has
 * changed.
 */
export async function upgradeLake(writer: Writer, lake: string, observe: Observe): Promise<Upgrade> {
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  const upgraded = await withDraft(
    writer,
    folder,
    observe,
    async draft => {
      const carried = draft.base.record?.format === FORMAT ? new Map() : await carryOver(draft)
      const computed = await computeOutdated(draft)
      const names = [...new Set([...carried.keys(), ...computed.map(({ dataset }) => dataset)])].toSorted()
      return {
        snapshot: await draft.publish({ made_by: 'upgrade-lake' }),
        datasets: names.map(dataset => ({
          dataset,
          carried: carried.get(dataset) ?? 0,
          computed: computed.find(each => each.dataset === dataset)?.computed.length ?? 0,
        })),
      }
    },
    { readsFormer: true },
  )
  const kept: string[] = []
  for (const { name, snapshot } of await keptSnapshots(folder)) {
    const isAmended = await amendSnapshot(writer, folder, snapshot, observe, async draft => {
      await computeOutdated(draft)
    })
    if (isAmended) kept.push(name)
  }
  return { ...upgraded, kept }
}

/** Puts all partitions into the draft under their present names. Returns the number of files by dataset. */
async function carryOver(draft: Draft): Promise<Map<string, number>> {
  const { record, lake } = draft.base
  const carried = new Map<string, number>()
  if (record === null) return carried
  const names = [...new Set(entriesOf(record).map(({ dataset }) => dataset))]
  for (const [done, name] of names.entries()) {
    draft.observe({ kind: 'progress', task: 'upgrade-lake', done, total: names.length, unit: 'datasets' })
    for (const manifest of await draft.manifests({ name })) {
      await draft.put({ name }, await carry(draft, manifest))
      carried.set(name, (carried.get(name) ?? 0) + manifest.files.length)
    }
  }
  draft.retire(await formerFiles(lake))
  return carried
}

/** The change that carries a partition over. If its columns are not known, they are read from its first file. */
async function carry({ writer, base }: Draft, stored: Manifest): Promise<Change> {
  const change = await carriedOver(base, stored)
  const [first] = stored.files
  if (first === undefined || Object.keys(stored.columns).length > 0) return change
  const columns = await columnsIn(writer, pathOf(base.lake, first.name))
  return { ...change, manifest: { ...change.manifest, columns } }
}

/** The columns of a file, for a dataset that this version does not know. */
async function columnsIn(writer: Writer, path: string): Promise<Record<string, string>> {
  const described = await writer.rows('DESCRIBE FROM read_parquet($file, hive_partitioning = false)', {
    file: files([path]),
  })
  return Object.fromEntries(described.map(row => [String(row.column_name), String(row.column_type)]))
}

const OTHER = new Set([SUPERSEDED, MANIFESTS])

/** The manifests and files that tapehouse wrote to the folders of format 1, of all snapshots. */
async function formerFiles(lake: string): Promise<string[]> {
  const found: string[] = []
  // The lake's other folders have no folders with such names.
  for (const dataset of await foldersIn(lake, name => !OTHER.has(name)))
    for (const partition of await foldersIn(join(lake, dataset), name => isPartition(fromFormer(name))))
      for (const name of await readdir(join(lake, dataset, partition)))
        if (OWN_NAME.test(name)) found.push(`${dataset}/${partition}/${name}`)
  return found
}

async function foldersIn(path: string, fits: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true })
  return entries.filter(entry => entry.isDirectory() && fits(entry.name)).map(({ name }) => name)
}

/** Computes the derived datasets again that have lost partitions or partitions with other columns, and what reads them. */
async function computeOutdated(draft: Draft): Promise<readonly Derived[]> {
  const { record } = draft.base
  const entries = record === null ? [] : entriesOf(record)
  const outdated: string[] = []
  for (const name of derivations().keys()) {
    const dataset = datasets().get(name)
    const stored = entries.filter(entry => entry.dataset === name).length
    if (dataset && (await draft.manifests(dataset)).length < stored) outdated.push(name)
  }
  if (outdated.length === 0) return []
  const computed = await derive(draft, { datasets: outdated })
  return together(computed, await derive(draft, { fedBy: outdated }))
}
