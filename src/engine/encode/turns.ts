import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * How long such work may hold the event loop before other requests get a turn. A short answer needs several passes of the event
 * loop, each of which may have one such turn.
 */
const TURN_MS = 0.5
/** How long the thread rests between two turns while requests of others are computed, so that each finds it free. */
const REST_MS = 1

let latest: Promise<unknown> = Promise.resolve()

/** Whether requests of others are computed now. */
export type IsShared = () => boolean

/**
 * Waits for the next pass of the event loop that no other such work has, or for the one after a rest. However much there is,
 * each pass has one turn of it.
 */
function nextTurn(isShared: IsShared): Promise<unknown> {
  latest = latest.then(async () => {
    if (isShared()) await setTimeout(REST_MS)
    // A timer may be due at once where the thread was held: what has arrived meanwhile comes first.
    await setImmediate()
  })
  return latest
}

/**
 * Runs long work that pauses after each step, and returns its result. After each turn it lets other requests run, and rejects
 * with the signal's reason if that has aborted. `take` gets the value of each step.
 */
export async function inTurns<Step, Result>(
  steps: Generator<Step, Result>,
  signal: AbortSignal,
  take: (step: Step) => void = () => {},
  isShared: IsShared = () => false,
): Promise<Result> {
  let turnEnds = performance.now() + TURN_MS
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    take(step.value)
    if (performance.now() < turnEnds) continue
    await nextTurn(isShared)
    signal.throwIfAborted()
    turnEnds = performance.now() + TURN_MS
  }
}
