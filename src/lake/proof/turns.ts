/** Runs at most `runningMax` functions at once, in the order in which they come. */
export function inTurns(runningMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= runningMax) await new Promise<void>(start => waiting.push(start))
    else running += 1
    try {
      return await work()
    } finally {
      // A waiting function takes over the place, so that no new one can run before it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
