import type { DamagedFile } from '../../lake/proof/damage.ts'

/** What the workers have found to be damaged. Each looks at the files that its own requests need, and one scrubs the lake. */
export interface DamagedFiles {
  set(worker: number, files: readonly DamagedFile[]): void
  /** The names of files that one worker has found and the other one has not, or the other way round. */
  differing(worker: number, other: number): readonly string[]
  /** The files of all workers, by name. */
  readonly all: () => readonly DamagedFile[]
}

export function damagedByWorker(): DamagedFiles {
  const byWorker = new Map<number, readonly DamagedFile[]>()
  const namesOf = (worker: number) => new Set((byWorker.get(worker) ?? []).map(({ file }) => file))
  return {
    set(worker, files) {
      byWorker.set(worker, files)
      if (files.length === 0) byWorker.delete(worker)
    },
    differing(worker, other) {
      const [own, others] = [namesOf(worker), namesOf(other)]
      return [...new Set([...own, ...others])].filter(name => own.has(name) !== others.has(name))
    },
    all() {
      const found = new Map([...byWorker.values()].flat().map(each => [each.file, each]))
      return [...found.keys()].toSorted().flatMap(name => found.get(name) ?? [])
    },
  }
}
