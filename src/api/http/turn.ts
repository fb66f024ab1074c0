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
