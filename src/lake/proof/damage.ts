import { Failure } from '../../engine/failure.ts'
import type { Stamp } from '../stamp/stamp.ts'
import type { LakeFile } from '../store/prune.ts'

/** A file that is not what its manifest says. */
export interface DamagedFile {
  readonly dataset: string
  /** The dates of its rows: `2024-01-03`, or `2024-01-02 to 2024-01-31`. */
  readonly days: string
  /** Relative to the lake. */
  readonly file: string
  /** What is wrong with it. */
  readonly reason: string
}

/** A file in quarantine, and its stamp when it failed. */
export interface Damage {
  readonly file: LakeFile
  readonly stamp: Stamp | null
  readonly reason: string
}

export function described({ file, reason }: Damage): DamagedFile {
  const { name, dataset, dates } = file
  const [first, last] = dates
  return { dataset, days: first === last ? first : `${first} to ${last}`, file: name, reason }
}

/** The failure of a request that needs a damaged file. */
export function damageFailure(damage: Damage): Failure {
  const { reason, ...details } = described(damage)
  const { dataset, days, file } = details
  return new Failure(
    'lake_damaged',
    `${dataset} of ${days} cannot be read, because ${file} is damaged (${reason}): restore this file, or run "tapehouse verify --repair"`,
    { details },
  )
}
