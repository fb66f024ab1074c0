import type { DamagedFile } from '../../lake/proof/damage.ts'

/** What the workers have found to be damaged. Each looks at the files that its own requests need. */
export interface DamagedFiles {
  set(worker: number, files: readonly DamagedFile[]): void
  /** The files of all workers, by name. */
  readonly all: () => readonly DamagedFile[]
}

export function damagedByWorker(): DamagedFiles {
  const byWorker = new Map<number, readonly DamagedFile[]>()
  return {
    set(worker, files) {
      byWorker.set(worker, files)
      if (files.length === 0) byWorker.delete(worker)
    },
    all() {
      const found = new Map([...byWorker.values()].flat().map(each => [each.file, each]))
      return [...found.keys()].toSorted().flatMap(name => found.get(name) ?? [])
    },
  }
}
