import type { Engine } from '../../engine/engine.ts'
import { allFiles, type LakeFile, type Snapshot } from '../../lake/store/snapshot.ts'

/**
 * Copies the lists of files of a new snapshot that take the place of lists with a table in the store: all files of a
 * dataset, those of its latest date, and each of these. So the first questions about a new day find its tables. Drops the
 * tables of lists that no request for the new snapshot reads.
 */
export function keepNewest({ store, bindFiles }: Engine, before: Snapshot, after: Snapshot): void {
  for (const dataset of after.datasets) {
    const kept = (list: readonly LakeFile[]) => list.length > 0 && store.has(bindFiles(dataset, list))
    const keep = (list: readonly LakeFile[]) => store.keep(bindFiles(dataset, list))
    const [former, next] = [newestFiles(before, dataset), newestFiles(after, dataset)]
    const all = before.files(dataset)
    // A list that is both is taken as that of the latest date: copying all files again costs more with each day.
    const every = after.files(dataset)
    if (all.length > former.length && kept(all) && !kept(every)) {
      store.drop(bindFiles(dataset, all))
      keep(every)
    }
    if (kept(former)) keep(next)
    if (former.some(file => kept([file]))) for (const file of next) keep([file])
  }
  store.retain(allFiles(after))
}

function newestFiles(snapshot: Snapshot, dataset: string): readonly LakeFile[] {
  const last = snapshot.lastDate(dataset)
  return last === null ? [] : snapshot.files(dataset, { from: last, to: last })
}
