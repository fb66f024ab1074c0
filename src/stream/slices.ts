/** A five-minute interval with messages. */
export interface Interval {
  /** Its start: Unix milliseconds of tape time. */
  readonly startMs: number
  readonly messages: number
}

/** A part of the tape that is loaded at once: complete intervals from `fromMs` to `toMs`, exclusive. */
export interface Slice {
  readonly fromMs: number
  readonly toMs: number
  readonly messages: number
}

/** The length of a frag's interval. */
export const INTERVAL_MS = 300_000

/**
 * Slices of at most `messagesMax` messages, or of one interval if it has more. `intervals` are ascending, without empty
 * ones, so that nothing is read for hours without messages.
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
 * The result of `load` for each slice, in order. While one is used, only the next one is loaded: memory holds two
 * slices however long the tape is. If the consumer returns early, the current load is aborted and awaited.
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
    // A rejection is handled where the slice is awaited.
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
