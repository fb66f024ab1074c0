import { literal } from '../../engine/bind.ts'
import { readingSql } from '../../engine/file-lists.ts'
import type { Draft } from '../land/draft.ts'
import { land } from '../land/land.ts'
import type { Dataset } from '../store/datasets.ts'
import { columnList, identifier } from '../store/sorted-files.ts'
import { storedFiles } from '../store/stored-files.ts'
import type { ImportFormat } from './format/format.ts'
import { createIncoming, dropIncoming } from './rows/tables.ts'

/** Lands the accepted rows of each dataset of a format in a draft. Returns their number, and the changed partitions. */
export async function landRows(draft: Draft, format: ImportFormat, hashes: readonly string[]) {
  const { writer, observe } = draft
  const partitions: string[] = []
  let rows = 0
  for (const { dataset } of format.mappings) {
    const incoming = await createIncoming(writer, dataset, !format.isAlone)
    const { replaced } = incoming
    if (replaced > 0)
      observe({
        kind: 'notice',
        message: `${replaced} ${replaced === 1 ? 'row was' : 'rows were'} replaced by later rows with the same key`,
      })
    rows += incoming.rows
    if (incoming.rows > 0)
      partitions.push(...(await land(draft, dataset, hashes, incoming.inOrder)).partitions)
    await dropIncoming(writer)
  }
  if (partitions.length > 0) noteMixture(draft)
  return { rows, partitions }
}

/** Creates the view `held_<name>` of the lake's rows of a dataset, for a format's SQL. */
export async function showHeld(draft: Draft, dataset: Dataset): Promise<void> {
  const held = await draft.writer.bindFiles(
    dataset,
    storedFiles(dataset, await draft.manifests(dataset), file => draft.path(file)),
  )
  const select = `SELECT ${columnList(dataset)} FROM read_parquet($held, hive_partitioning = false)`
  await draft.writer.run(
    `CREATE OR REPLACE TEMP VIEW ${identifier(`held_${dataset.name}`)} AS
     ${readingSql(select, { held }).replace('$held', literal(held))}`,
  )
}

/** Reports that an import ends the mark of generated data. */
function noteMixture({ base, observe }: Draft): void {
  if (base.record?.generated === undefined) return
  const message = 'the lake has generated data too: its answers are no longer marked as synthetic'
  observe({ kind: 'notice', message })
}
