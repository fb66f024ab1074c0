/** A turn of the event loop in which requests are read: all of them had arrived before the first of them was read. */
export interface Turn {
  /** Call it when a request has been read. */
  begin(): void
  /**
   * A function that calls `look` once per turn and returns the same until the turn ends, so that each request sees what is true
   * since it arrived. Between turns, when a request goes on that has waited, it looks each time.
   */
  once<T>(look: () => T): () => T
  /**
   * Calls `send` when all that was read in this turn has been looked at. Responses are then written one after the other: the
   * first one wakes a client that waits, which the others then find awake. To wake it for each response would cost as much as
   * all else of an answer from the cache.
   */
  atEnd(send: () => void): void
}

export function openTurn(): Turn {
  let reading = false
  let ending = false
  let turns = 0
  let sends: (() => void)[] = []

  function end(): void {
    const due = sends
    sends = []
    reading = false
    ending = false
    turns += 1
    for (const send of due) send()
  }

  function endSoon(): void {
    if (ending) return
    ending = true
    setImmediate(end)
  }

  return {
    begin() {
      reading = true
      endSoon()
    },
    once<T>(look: () => T) {
      let looked: { readonly turn: number; readonly found: T } | null = null
      return () => {
        if (!reading) return look()
        if (looked?.turn !== turns) looked = { turn: turns, found: look() }
        return looked.found
      }
    },
    atEnd(send) {
      sends.push(send)
      endSoon()
    },
  }
}
