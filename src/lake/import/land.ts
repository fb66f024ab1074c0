import type { Draft } from '../land/draft.ts'
import { land } from '../land/land.ts'
import { type DatasetFigures, figuresOf } from './figures.ts'
import type { ImportFormat } from './format/format.ts'
import { createIncoming, dropIncoming } from './rows/tables.ts'

/** Lands the accepted rows of each dataset of a format in a draft. Returns their figures, and the changed partitions. */
export async function landRows(
  draft: Draft,
  format: ImportFormat,
  hashes: readonly string[],
  isInOrder: boolean,
) {
  const { writer, observe } = draft
  const partitions: string[] = []
  const datasets: DatasetFigures[] = []
  let rows = 0
  for (const { dataset } of format.mappings) {
    const incoming = await createIncoming(writer, dataset, isInOrder)
    const { replaced } = incoming
    if (replaced > 0)
      observe({
        kind: 'notice',
        message: `${replaced} ${replaced === 1 ? 'row was' : 'rows were'} replaced by later rows with the same key`,
      })
    rows += incoming.rows
    if (incoming.rows > 0) {
      datasets.push(await figuresOf(writer, dataset))
      partitions.push(...(await land(draft, dataset, hashes, incoming.inOrder)).partitions)
    }
    await dropIncoming(writer)
  }
  if (partitions.length > 0) noteMixture(draft)
  return { rows, datasets, partitions }
}

/** Reports that an import ends the mark of generated data. */
function noteMixture({ base, observe }: Draft): void {
  if (base.record?.generated === undefined) return
  const message = 'the lake has generated data too: its answers are no longer marked as synthetic'
  observe({ kind: 'notice', message })
}
