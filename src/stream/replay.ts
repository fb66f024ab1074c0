/** Messages of a part of the tape. */
export interface Load {
  readonly rows: number
  /** When each is due: Unix milliseconds of tape time, ascending. */
  readonly dueMs: Float64Array
}

/** Consecutive messages that are due: rows `from` to `to`, exclusive. */
export interface Run<L extends Load> {
  readonly messages: L
  readonly from: number
  readonly to: number
}

/** Wall time, in milliseconds of any origin. */
export interface Clock {
  now(): number
  /** Resolves at `wallMs`; rejects when the signal aborts, with its reason. */
  until(wallMs: number, signal: AbortSignal): Promise<void>
}

/** The factor by which the replay is faster than the tape; `max`: as fast as it is read. */
export type Speed = number | 'max'

/**
 * The messages of `loads` when they are due: the first at once, each later one after its distance on the tape divided
 * by the speed. A slow reader gets the messages that it missed in one run; the tape does not wait for it.
 */
export async function* replay<L extends Load>(
  loads: AsyncIterable<L>,
  speed: Speed,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Run<L>, void> {
  let origin: { readonly wallMs: number; readonly tapeMs: number } | undefined
  for await (const messages of loads) {
    const { dueMs, rows } = messages
    if (rows === 0) continue
    if (speed === 'max') {
      signal.throwIfAborted()
      yield { messages, from: 0, to: rows }
      continue
    }
    origin ??= { wallMs: clock.now(), tapeMs: dueMs[0] ?? 0 }
    for (let from = 0; from < rows; ) {
      const { wallMs, tapeMs } = origin
      await clock.until(wallMs + ((dueMs[from] ?? 0) - tapeMs) / speed, signal)
      // Timers may fire slightly early: the awaited message is due in any case.
      const nowMs = Math.max(tapeMs + (clock.now() - wallMs) * speed, dueMs[from] ?? 0)
      let to = from
      while (to < rows && (dueMs[to] ?? 0) <= nowMs) to += 1
      yield { messages, from, to }
      from = to
    }
  }
}

/** The longest wait of one timer: one day. Node's limit is 2^31 − 1 ms. */
const TIMER_MS_MAX = 86_400_000

/** The process's monotonic clock. */
export const processClock: Clock = {
  now: () => performance.now(),
  async until(wallMs, signal) {
    for (let left = wallMs - performance.now(); left > 0; left = wallMs - performance.now())
      await pause(Math.min(left, TIMER_MS_MAX), signal)
    signal.throwIfAborted()
  },
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
