import { Failure } from '../../engine/failure.ts'
import type { Shares } from '../admission/shares.ts'

/** The place of an answer among the long ones that a worker sends at the same time. */
export interface Place {
  /** Takes the place, unless it was taken or left before. Throws `overloaded` if there is none. */
  take(): void
  /** Gives the place up for good. */
  leave(): void
}

/** A place for an answer to a token. Throws `overloaded` if there is none now. */
export function openPlace(longAnswers: Shares, token: string): Place {
  let state: 'open' | 'taken' | 'left' = 'open'
  const check = () => {
    const refusal = refusalOf(longAnswers, token)
    if (refusal !== null) throw refusal
  }
  check()
  return {
    take() {
      if (state !== 'open') return
      check()
      longAnswers.add(token, 1)
      state = 'taken'
    },
    leave() {
      if (state === 'taken') longAnswers.add(token, -1)
      state = 'left'
    },
  }
}

function refusalOf(longAnswers: Shares, token: string): Failure | null {
  const whose = longAnswers.exceeded(token, 1)
  if (whose === null) return null
  const sent =
    whose === 'all'
      ? `${longAnswers.max} long responses`
      : `${longAnswers.tokenMax} long responses to this token`
  return new Failure('overloaded', `the worker sends ${sent} already`)
}
