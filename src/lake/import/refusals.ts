import { Failure } from '../../engine/failure.ts'
import type { RefusedFile } from './report.ts'

/** The bad files of an import. */
export interface Refusals {
  readonly all: readonly RefusedFile[]
  /** Whether a bad file is refused without the others. */
  readonly isTolerant: boolean
  /** Adds a bad file, by its path for messages. Throws `thrown` if it does not refuse a file, or if no file may be bad. */
  add(file: string, thrown: unknown): void
}

export function refusals(isTolerant: boolean): Refusals {
  const all: RefusedFile[] = []
  return {
    all,
    isTolerant,
    add(file, thrown) {
      if (!isTolerant || !(thrown instanceof Failure && thrown.code === 'input_refused')) throw thrown
      all.push({ file, reason: thrown.message })
    },
  }
}
