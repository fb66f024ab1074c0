import { newYorkInstant } from '../../market/new-york.ts'

/**
 * The clock of the tape that sockets hear. All workers know when the replay began and how fast it goes, so that each
 * finds the same tape at the same moment by itself, also one that is started anew.
 */

export interface Replay {
  /** Day whose tape runs, `YYYY-MM-DD`; null: the last one that the lake holds. */
  readonly date: string | null
  /** When the first lap began, Unix milliseconds. */
  readonly begunMs: number
  /** Milliseconds of tape a millisecond. */
  readonly speed: number
  /** The wall clock in Unix milliseconds; `Date.now` when left out. */
  readonly now?: () => number
}

/** One day's tape. Times in Unix milliseconds. */
export interface Tape {
  readonly date: string
  /** Where a lap begins. */
  readonly firstMs: number
  /** Where it ends: no message is due then or later. */
  readonly endMs: number
}

/** Where the tape is: in which run through the day, counted from 0, and at which of the day's moments. */
export interface Position {
  readonly lap: number
  /** From `firstMs` to `endMs`, where it rests until the next lap. */
  readonly tapeMs: number
}

const OPEN_MINUTES = 570
const INTERVAL_MS = 300_000
/** Wall time from a day's end to its next run. */
export const PAUSE_MS = 5000

const intervalOf = (epochMs: number) => Math.floor(epochMs / INTERVAL_MS) * INTERVAL_MS

/**
 * The tape of a day from its first and its last trade: it begins at 9:30 in New York, or with the interval of an
 * earlier trade, and ends once the interval of the last is closed. Five-minute marks are the same there and in UTC.
 */
export function tapeOf(date: string, firstTradeMs: number, lastTradeMs: number): Tape {
  return {
    date,
    firstMs: Math.min(newYorkInstant(date, OPEN_MINUTES), intervalOf(firstTradeMs)),
    // The frags of the last interval are due when it closes: the end comes after them.
    endMs: intervalOf(lastTradeMs) + INTERVAL_MS + 1,
  }
}

/** Where the tape is at the wall clock's `nowMs`. */
export function positionAt({ firstMs, endMs }: Tape, { begunMs, speed }: Replay, nowMs: number): Position {
  const lapMs = (endMs - firstMs) / speed + PAUSE_MS
  const elapsedMs = Math.max(0, nowMs - begunMs)
  const lap = Math.floor(elapsedMs / lapMs)
  return { lap, tapeMs: Math.min(endMs, firstMs + (elapsedMs - lap * lapMs) * speed) }
}

/** The environment by which a supervisor tells its workers what the settings do not: when the replay began, and its day. */
export const replayEnvironment = ({ begunMs, date }: Replay): Record<string, string> => ({
  REPLAY_BEGUN_MS: String(begunMs),
  ...(date === null ? {} : { REPLAY_DATE: date }),
})

/** The replay as the supervisor has told it; what it has not stays as it is. */
export function replayTold(replay: Replay, env: Readonly<Record<string, string | undefined>>): Replay {
  const begunMs = Number(env.REPLAY_BEGUN_MS)
  return {
    ...replay,
    date: replay.date ?? env.REPLAY_DATE ?? null,
    begunMs: Number.isFinite(begunMs) && begunMs > 0 ? begunMs : replay.begunMs,
  }
}
