import { literal } from '../../engine/bind.ts'
import { readingSql } from '../../engine/file-lists.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Dataset } from '../store/datasets.ts'
import type { Manifest, ManifestFile } from '../store/manifest.ts'
import { overlaps, type Span, spanOf } from '../store/partition.ts'
import { columnList, identifier } from '../store/sorted-files.ts'
import { storedFiles } from '../store/stored-files.ts'

/** The stored rows of a lake: those of a draft, or of a snapshot. */
export interface Held {
  readonly writer: Writer
  manifests(dataset: Dataset): Promise<readonly Manifest[]>
  path(file: ManifestFile): string
}

/**
 * Creates the view `held_<name>` of the lake's rows of a dataset; with `span`, of the partitions that have days of it.
 * Returns the name of the view.
 */
export async function showHeld(held: Held, dataset: Dataset, span?: Span): Promise<string> {
  const { writer } = held
  const manifests = await held.manifests(dataset)
  const chosen = manifests.filter(({ partition }) => span === undefined || overlaps(spanOf(partition), span))
  const list = storedFiles(dataset, chosen, file => held.path(file))
  const files = await writer.bindFiles(dataset, list)
  const select = `SELECT ${columnList(dataset)} FROM read_parquet($held, hive_partitioning = false)`
  const view = identifier(`held_${dataset.name}`)
  await writer.run(
    `CREATE OR REPLACE TEMP VIEW ${view} AS ${readingSql(select, { held: files }).replace('$held', literal(files))}`,
  )
  return view
}
