/** A five-minute interval that holds messages. */
export interface Interval {
  /** Its start: Unix milliseconds of tape time. */
  readonly startMs: number
  readonly messages: number
}

/** A part of the tape that is loaded at once: whole intervals, `toMs` left out. */
export interface Slice {
  readonly fromMs: number
  readonly toMs: number
  readonly messages: number
}

/** How long an interval of a frag is. */
export const INTERVAL_MS = 300_000

/**
 * Slices of at most `messagesMax` messages, or of one interval where that alone has more. Intervals are given in
 * their order; those without messages are in none of them, so nothing is read for the hours of silence.
 */
export function slicesOf(intervals: readonly Interval[], messagesMax: number): Slice[] {
  const slices: Slice[] = []
  for (const { startMs, messages } of intervals) {
    const last = slices.at(-1)
    const together = (last?.messages ?? 0) + messages
    if (last !== undefined && together <= messagesMax)
      slices[slices.length - 1] = { ...last, toMs: startMs + INTERVAL_MS, messages: together }
    else slices.push({ fromMs: startMs, toMs: startMs + INTERVAL_MS, messages })
  }
  return slices
}

/**
 * What `load` gives for each slice, in their order. While one is used the next is loaded, and never more than that:
 * memory holds two slices however long the tape. Left early, the load under way is aborted and waited for.
 */
export async function* loadedAhead<T>(
  slices: readonly Slice[],
  load: (slice: Slice, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const leaving = new AbortController()
  const either = AbortSignal.any([signal, leaving.signal])
  const start = (index: number) => {
    const slice = slices[index]
    const loading = slice && load(slice, either)
    // Nobody may be waiting yet when it fails: the failure is told where its turn comes.
    loading?.catch(() => {})
    return loading
  }
  let next = start(0)
  try {
    for (let index = 1; next !== undefined; index += 1) {
      const loaded = await next
      next = start(index)
      yield loaded
    }
  } finally {
    leaving.abort()
    await next?.catch(() => {})
  }
}
