import type { Draft } from '../land/draft.ts'
import type { Extent } from '../land/import-record.ts'
import { land } from '../land/land.ts'
import { type DatasetFigures, figuresOf } from './figures.ts'
import type { ImportFormat } from './format/format.ts'
import { extentOfRows } from './rows/extents.ts'
import { createIncoming, dropIncoming } from './rows/tables.ts'

/**
 * Lands the accepted rows of each dataset of a format in a draft. Returns their figures and the changed partitions, and
 * what goes into the record of the import.
 */
export async function landRows(
  draft: Draft,
  format: ImportFormat,
  hashes: readonly string[],
  isAgain: boolean,
) {
  const { writer, observe } = draft
  const partitions: string[] = []
  const datasets: DatasetFigures[] = []
  const recorded = new Map<string, { extent: Extent | null; repeated: number }>()
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
    recorded.set(dataset.name, {
      extent: await extentOfRows(writer, dataset, 'incoming'),
      repeated: replaced,
    })
    if (incoming.rows > 0) {
      datasets.push(await figuresOf(writer, dataset))
      const landing = await land(draft, dataset, hashes, { inOrder: incoming.inOrder, isAgain })
      partitions.push(...landing.partitions)
    }
    await dropIncoming(writer)
  }
  if (partitions.length > 0) noteMixture(draft)
  return { rows, datasets, partitions, recorded }
}

/** Reports that an import ends the mark of generated data. */
function noteMixture({ base, observe }: Draft): void {
  if (base.record?.generated === undefined) return
  const message = 'the lake has generated data too: its answers are no longer marked as synthetic'
  observe({ kind: 'notice', message })
}
