import type { Messages } from '../../stream/messages.ts'
import { type Position, positionAt, type Replay, type ReplayedTape } from '../service/replay-clock.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import type { Channel } from './channels.ts'
import { openPace } from './pace.ts'
import type { Slices } from './slices.ts'

/** The messages of one channel in the order of the tape, lap after lap, beginning when the feed is opened. */
export interface Feed {
  /**
   * Delivers at most `messagesMax` messages that are due, and returns their number. A feed that is behind the tape, for
   * example because it had to wait for a slice, catches up only while the clients read what they get.
   */
  advance(position: Position, messagesMax: number): number
  /**
   * Begins a tick, before `advance`: starts to load the next slice if it is needed soon. `position` is null until the tape
   * is known.
   */
  prepare(position: Position | null): void
  close(): void
}

export interface FeedNeeds {
  readonly channel: Channel
  readonly slices: Slices
  readonly replay: Replay
  readonly limits: SocketLimits
  /** Wall-clock time at which the feed begins. Messages due before it are not delivered. Unix milliseconds. */
  readonly openedMs: number
  /** Whether all clients have read enough to get more than the tape's own rate. */
  readonly mayCatchUp: () => boolean
  readonly deliver: (messages: Messages, row: number) => void
  /** Called for the first of consecutive failures to load. The feed retries until it succeeds. */
  readonly failed: (thrown: unknown) => void
}

/** The messages of one lap that are due from `fromMs` (inclusive) to `toMs` (exclusive). */
interface Slice {
  /** The day of the tape. */
  readonly date: string
  readonly lap: number
  readonly fromMs: number
  readonly toMs: number
  readonly messages: Messages
  /** Row of the next message to deliver. */
  next: number
}

/** Start and length of the next slice. */
interface Cursor {
  lap: number
  fromMs: number
  spanMs: number
}

/**
 * Bounds of the tape time in a slice. In a fast replay the upper bound is a wall time, because otherwise a worker would
 * do nothing but load slices.
 */
const SPAN_MS_MIN = 1000
const SPAN_MS_MAX = 600_000
const SPAN_WALL_MS = 25_000
/** Assumed ratio of a day's busiest minutes to its average, from which the length of the first slice is computed. */
const BUSIEST = 5
/** Maximum ratio of a slice's length to that of the previous slice. */
const GROWTH = 4
/** Remaining share of a slice at which the next one is loaded. More would hold two slices in memory all the time. */
const LEFT_AT_LOAD = 0.35

/** The length of a lap, and one millisecond, so that its end is before the start of the next one. */
const lapOf = ({ firstMs, endMs }: ReplayedTape) => endMs - firstMs + 1

export function openFeed(needs: FeedNeeds): Feed {
  const { channel, slices, replay, limits, deliver } = needs
  const gone = new AbortController()
  let tape: ReplayedTape | null = null
  let cursor: Cursor | null = null
  let current: Slice | null = null
  let ahead: Slice | null = null
  let loading = false
  let failing = false
  let retryAt = 0
  let seenLap = 0
  let pace = openPace(needs.mayCatchUp)
  /** Messages that this tick may still deliver to catch up. */
  let extra = 0

  const clamped = (spanMs: number) =>
    Math.round(Math.max(SPAN_MS_MIN, Math.min(spanMs, Math.max(SPAN_MS_MAX, SPAN_WALL_MS * replay.speed))))

  function begin(day: ReplayedTape): Cursor {
    const { lap, tapeMs } = positionAt(day, replay, needs.openedMs)
    const perMs = slices.trades(channel.ticker).ofDay / (day.endMs - day.firstMs)
    const spanMs = clamped(limits.sliceMessagesMax / BUSIEST / perMs)
    return { lap, fromMs: Math.ceil(tapeMs), spanMs }
  }

  async function load(): Promise<Slice> {
    const day = await slices.tape()
    if (day !== tape) {
      cursor = null
      pace = openPace(needs.mayCatchUp)
    }
    tape = day
    cursor ??= begin(day)
    // After a lap, skips laps that ended while this feed could not load.
    if (cursor.fromMs >= day.endMs)
      cursor = { ...cursor, lap: Math.max(cursor.lap + 1, seenLap), fromMs: day.firstMs }
    const { lap, fromMs, spanMs } = cursor
    const toMs = Math.min(fromMs + spanMs, day.endMs)
    const order = lap * (day.endMs - day.firstMs) + fromMs - day.firstMs
    const span = { day: day.date, fromMs, toMs, order }
    const messages = await slices.load(channel, span, gone.signal)
    const wanted =
      messages.rows === 0
        ? Number.POSITIVE_INFINITY
        : ((spanMs / messages.rows) * limits.sliceMessagesMax) / 2
    cursor = { lap, fromMs: toMs, spanMs: clamped(Math.min(wanted, spanMs * GROWTH)) }
    return { date: day.date, lap, fromMs, toMs, messages, next: 0 }
  }

  function isNear(position: Position | null): boolean {
    if (current === null || position?.date !== current.date || position.lap !== current.lap) return true
    const { fromMs, toMs } = current
    return toMs - position.tapeMs <= LEFT_AT_LOAD * (toMs - fromMs)
  }

  function prepare(position: Position | null): void {
    extra = limits.catchUpPerTick
    if (position !== null && position.date === tape?.date)
      pace.tick(position.lap * lapOf(tape) + position.tapeMs)
    loadNext(position)
  }

  function loadNext(position: Position | null): void {
    if (loading || ahead !== null || !isNear(position)) return
    if (gone.signal.aborted || performance.now() < retryAt) return
    loading = true
    load()
      .then(
        slice => {
          ahead = slice
          failing = false
        },
        (thrown: unknown) => {
          if (gone.signal.aborted) return
          retryAt = performance.now() + limits.retryMs
          if (!failing) needs.failed(thrown)
          failing = true
        },
      )
      .finally(() => {
        loading = false
      })
  }

  function advance(position: Position, messagesMax: number): number {
    seenLap = position.lap
    // Another day is replayed now: the rest of the former one is dropped.
    if (current?.date !== position.date) current = null
    if (ahead?.date !== position.date) ahead = null
    if (tape?.date !== position.date) return 0
    const lapMs = lapOf(tape)
    const until = pace.until()
    let sent = 0
    while (!gone.signal.aborted) {
      if (current === null) {
        current = ahead
        ahead = null
        loadNext(position)
        if (current === null) return sent
        pace.reach(current.lap * lapMs + current.fromMs)
      }
      // The rest of a lap that is over comes before the next one begins.
      const lapStart = current.lap * lapMs
      const { messages, toMs } = current
      while (current.next < messages.rows && lapStart + (messages.dueMs[current.next] ?? 0) <= until) {
        const row = current.next
        const time = lapStart + (messages.dueMs[row] ?? 0)
        if (sent === messagesMax || (time > pace.due && extra === 0)) {
          pace.reach(time)
          return sent
        }
        if (time > pace.due) extra -= 1
        current.next += 1
        sent += 1
        deliver(messages, row)
      }
      if (current.next < messages.rows || until < lapStart + toMs) {
        pace.reach(until)
        return sent
      }
      pace.reach(lapStart + toMs)
      current = null
    }
    return sent
  }

  prepare(null)
  return { advance, prepare, close: () => gone.abort() }
}
