import { type LoadedSnapshot, snapshotLoader } from '../../lake/store/snapshot.ts'

/** The last closed day with option trades, which sockets replay by default; null if the lake has none. */
export const lastClosedDay = (snapshot: Pick<LoadedSnapshot, 'closedDate'>): string | null =>
  snapshot.closedDate('option_trades')

/**
 * When the replay of a snapshot's last closed day begins, in Unix milliseconds: when the first of the consecutive
 * snapshots with this day was published, or when the server started if that was later. The lake says so, and not the
 * moment at which a worker notices, so that all workers agree, including one that is restarted.
 */
export async function replayBegan(newest: LoadedSnapshot, serverBegunMs: number): Promise<number> {
  const day = lastClosedDay(newest)
  const load = snapshotLoader(newest.lake, newest.closing)
  let begunMs = Date.parse(newest.createdAt)
  for (let number = newest.number - 1; begunMs > serverBegunMs && number > 0; number -= 1) {
    const earlier = await load(number).catch(() => null)
    // Vacuum may have deleted it.
    if (earlier === null || lastClosedDay(earlier) !== day) return begunMs
    begunMs = Date.parse(earlier.createdAt)
  }
  return Math.max(begunMs, serverBegunMs)
}
