import { join } from 'node:path'
import { literal, text } from '../../engine/bind.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Draft } from '../land/draft.ts'
import type { Keeper } from '../land/kept-draft.ts'
import type { Market } from './market.ts'
import { INTEREST_TABLE } from './steps.ts'

/** What of a market is in the draft, so that a generation goes on where another one was interrupted. */
export interface Progress {
  /** The number of sessions whose options were generated before, from the first one on. */
  readonly sessions: number
  /** Whether the rows of a step were generated before. */
  has(step: string): boolean
  /** The rows of a step are in the draft. */
  finish(step: string): Promise<void>
  /** Keeps what the next session's options need of this one's, before the next session is generated. */
  hold(writer: Writer, day: string): Promise<void>
}

/** The step that generates the options of a session. */
export const optionsStep = (day: string) => `options ${day}`
const stateOf = (day: string) => `state-${day}.parquet`

export async function openProgress(
  { writer, base }: Draft,
  keeper: Keeper,
  market: Market,
): Promise<Progress> {
  const before = new Set(keeper.done)
  const done = new Set(before)
  const countSessions = () => {
    const missing = market.days.findIndex(day => !done.has(optionsStep(day)))
    return missing === -1 ? market.days.length : missing
  }
  const path = (day: string) => literal(text(join(base.staging, stateOf(day))))
  const sessions = countSessions()
  const last = market.days[sessions - 1]
  if (last !== undefined)
    await writer.run(`CREATE OR REPLACE TABLE ${INTEREST_TABLE.table} AS FROM read_parquet(${path(last)})`)
  return {
    sessions,
    has: step => before.has(step),
    async finish(step) {
      done.add(step)
      const latest = market.days[countSessions() - 1]
      await keeper.keep(done, latest === undefined ? [] : [stateOf(latest)])
    },
    async hold(lane, day) {
      if (keeper.keeps) await lane.run(`COPY ${INTEREST_TABLE.table} TO ${path(day)} (FORMAT parquet)`)
    },
  }
}
