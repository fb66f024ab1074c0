/**
 * A function that calls `look` once per turn of the event loop and returns the same promise until the turn ends. Requests
 * that are read in one turn had all arrived before the first of them calls it, so that each sees what is true since it
 * arrived.
 */
export function oncePerTurn<T>(look: () => Promise<T>): () => Promise<T> {
  let looked: Promise<T> | null = null
  return () => {
    if (looked === null) {
      looked = look()
      setImmediate(() => {
        looked = null
      })
    }
    return looked
  }
}

/**
 * Calls `send` when all that was read in this turn of the event loop has been looked at. Responses are then written one after the
 * other: the first one wakes a client that waits, which the others then find awake. To wake it for each response would cost as
 * much as all else of an answer from the cache.
 */
export const atTurnEnd = <T>(send: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(send())
      } catch (thrown) {
        reject(thrown)
      }
    })
  })
