import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { amend } from '../publish/publish.ts'
import { withStaging } from '../publish/staging.ts'
import { requireRecord } from '../store/record.ts'
import { type Draft, openDraft } from './draft.ts'

/**
 * A draft on a snapshot of a lake that is never published: it neither changes the lake nor waits for writers. Its files
 * are written to `folder`. Rejects with lake_damaged or lake_newer.
 */
export async function unpublishedDraft(
  writer: Writer,
  lake: string,
  number: number,
  folder: string,
  observe: Observe,
): Promise<Draft> {
  const record = await requireRecord(lake, number)
  const { draft } = await openDraft(writer, { lake, staging: folder, number, record }, observe, false)
  return { ...draft, publish: () => Promise.reject(new Error('this draft is not for publication')) }
}

/**
 * Runs `work` on a draft of snapshot `number`, and replaces the snapshot's record if it has changed anything. Returns
 * whether it has. `rewrittenBy` goes into the record. Rejects with the failures of `withDraft`, and if the snapshot does
 * not exist.
 */
export async function amendSnapshot(
  writer: Writer,
  lake: string,
  number: number,
  observe: Observe,
  work: (draft: Draft) => Promise<void>,
  rewrittenBy?: string,
): Promise<boolean> {
  return withStaging(lake, 'write', async staging => {
    const former = await requireRecord(lake, number)
    const record = rewrittenBy === undefined ? former : { ...former, rewritten_by: rewrittenBy }
    const base = { lake, staging, number, record }
    const { draft } = await openDraft(
      writer,
      base,
      observe,
      false,
      null,
      async (_, changed, dropped = []) => {
        await amend(base, changed, dropped)
        return number
      },
    )
    await work(draft)
    const isChanged = draft.changed()
    if (isChanged) await draft.publish()
    return isChanged
  })
}
