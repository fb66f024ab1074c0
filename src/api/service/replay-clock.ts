import { newYorkInstant } from '../../market/new-york.ts'

/**
 * The clock of the tape that sockets replay. Every worker, including one that is restarted, computes the same position
 * from the start of the replay and its speed.
 */

export interface Replay {
  /** Trading date to replay, `YYYY-MM-DD`; null for the last closed one with option trades, which can become a later one. */
  readonly date: string | null
  /** Start of the server: of the first lap, unless the day was published later. Unix milliseconds. */
  readonly begunMs: number
  /** Milliseconds of tape per millisecond of wall time. */
  readonly speed: number
  /** The wall clock in Unix milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

/** One day's tape. Times in Unix milliseconds. */
export interface Tape {
  readonly date: string
  /** Start of a lap. */
  readonly firstMs: number
  /** End of a lap: all messages are due before it. */
  readonly endMs: number
}

/** A tape with the beginning of its replay. */
export interface ReplayedTape extends Tape {
  /** Start of the first lap, Unix milliseconds. */
  readonly begunMs: number
}

/** A position of the replay. */
export interface Position {
  readonly date: string
  /** Number of the run through the day, from 0. */
  readonly lap: number
  /** Time of the tape, from `firstMs` to `endMs`, where it stays until the next lap. Unix milliseconds. */
  readonly tapeMs: number
}

const OPEN_MINUTES = 570
const INTERVAL_MS = 300_000
/** Wall time from the end of a lap to the start of the next one. */
export const PAUSE_MS = 5000

const intervalOf = (epochMs: number) => Math.floor(epochMs / INTERVAL_MS) * INTERVAL_MS

/**
 * The tape of a day: it begins at 9:30 in New York, or with the five-minute interval of an earlier first trade, and ends
 * when the interval of the last trade ends. Five-minute intervals are the same in New York time and in UTC.
 */
export function tapeOf(date: string, firstTradeMs: number, lastTradeMs: number): Tape {
  return {
    date,
    firstMs: Math.min(newYorkInstant(date, OPEN_MINUTES), intervalOf(firstTradeMs)),
    // The frags of the last interval are due at its end, so the lap ends 1 ms later.
    endMs: intervalOf(lastTradeMs) + INTERVAL_MS + 1,
  }
}

/** The position of the replay at wall-clock time `nowMs`. */
export function positionAt(
  { date, firstMs, endMs, begunMs }: ReplayedTape,
  { speed }: Pick<Replay, 'speed'>,
  nowMs: number,
): Position {
  const lapMs = (endMs - firstMs) / speed + PAUSE_MS
  const elapsedMs = Math.max(0, nowMs - begunMs)
  const lap = Math.floor(elapsedMs / lapMs)
  return { date, lap, tapeMs: Math.min(endMs, firstMs + (elapsedMs - lap * lapMs) * speed) }
}

/** The environment variable by which a supervisor passes its start to its workers. */
export const replayEnvironment = ({ begunMs }: Pick<Replay, 'begunMs'>): Record<string, string> => ({
  REPLAY_BEGUN_MS: String(begunMs),
})

/** The replay with the start that the supervisor has passed in the environment, if it has. */
export function replayFromEnvironment(
  replay: Replay,
  env: Readonly<Record<string, string | undefined>>,
): Replay {
  const begunMs = Number(env.REPLAY_BEGUN_MS)
  return {
    ...replay,
    begunMs: Number.isFinite(begunMs) && begunMs > 0 ? begunMs : replay.begunMs,
  }
}
