import type { Worker } from 'node:cluster'
import type { DamagedFile } from '../../lake/proof/damage.ts'
import { damagedByWorker } from '../process/damaged-files.ts'
import { sendTo } from './address.ts'

/** What the workers find out about the files of the lake. */
export interface Damage {
  /** The files in quarantine of all workers. */
  readonly all: () => readonly DamagedFile[]
  /** A worker has these files in quarantine now. */
  found(worker: Worker, files: readonly DamagedFile[]): void
  onReady(worker: Worker): void
  onEnded(worker: Worker): void
}

/**
 * Shares what one worker has found with the others, and lets one of them scrub the lake unless `scrubHours` is 0. `serving` are the
 * workers that get connections.
 */
export function followDamage(scrubHours: number, serving: () => readonly Worker[]): Damage {
  const damaged = damagedByWorker()
  let scrubber: Worker | null = null
  /** Lets a worker scrub the lake, if the one that did has ended. */
  const chooseScrubber = () => {
    if (scrubHours === 0 || (scrubber !== null && serving().includes(scrubber))) return
    scrubber = serving()[0] ?? null
    if (scrubber !== null) sendTo(scrubber, { kind: 'scrub' })
  }
  /** A worker that would not look at a file again, because its times have not changed, learns what another one has found. */
  const share = (from: Worker, to: Worker) => {
    const files = damaged.differing(from.id, to.id)
    if (files.length > 0) sendTo(to, { kind: 'prove_again', files })
  }
  return {
    all: damaged.all,
    found(worker, files) {
      damaged.set(worker.id, files)
      for (const other of serving()) share(worker, other)
    },
    onReady(worker) {
      for (const other of serving()) share(other, worker)
      chooseScrubber()
    },
    onEnded(worker) {
      damaged.set(worker.id, [])
      chooseScrubber()
    },
  }
}
