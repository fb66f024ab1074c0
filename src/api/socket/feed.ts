import type { Messages } from '../../stream/messages.ts'
import { type Position, positionAt, type Replay, type Tape } from '../service/replay-clock.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import type { Channel } from './channels.ts'
import type { Slices } from './slices.ts'

/** One channel's messages in the order of the tape, from when the feed was opened on, lap after lap. */
export interface Feed {
  /** Hands out at most `most` messages that are due, and gives how many they were. */
  advance(position: Position, most: number): number
  /** Loads on where that is due; also where there is no position yet. */
  prepare(position: Position | null): void
  close(): void
}

export interface FeedNeeds {
  readonly channel: Channel
  readonly slices: Slices
  readonly replay: Replay
  readonly limits: SocketLimits
  /** The wall clock's time at which the feed begins: what is due from then on goes out. */
  readonly openedMs: number
  readonly deliver: (messages: Messages, row: number) => void
  /** Told of the first failure in a row; the load is tried again. */
  readonly failed: (thrown: unknown) => void
}

/** Messages due from `fromMs` on and before `toMs` of a lap. */
interface Slice {
  readonly lap: number
  readonly fromMs: number
  readonly toMs: number
  readonly messages: Messages
  /** The first that is not out yet. */
  next: number
}

/** Where the next slice begins. */
interface Cursor {
  lap: number
  fromMs: number
  spanMs: number
}

/**
 * Tape of a slice, bounded where messages are many and where they are few. In a fast replay the upper bound is wall
 * time, or loading would be all that a worker does.
 */
const SPAN_MS_MIN = 1000
const SPAN_MS_MAX = 600_000
const SPAN_WALL_MS = 25_000
/** A day's busiest minutes, against its average: the first slice is cut for them. */
const BUSIEST = 5
/** How many times as long as the one before a slice may be. */
const GROWTH = 4
/** What is left of a slice when the next is loaded. Sooner, two would be held all the time; later, it would come late. */
const LEFT_AT_LOAD = 0.35

export function openFeed(needs: FeedNeeds): Feed {
  const { channel, slices, replay, limits, deliver } = needs
  const gone = new AbortController()
  let tape: Tape | null = null
  let cursor: Cursor | null = null
  let current: Slice | null = null
  let ahead: Slice | null = null
  let loading = false
  let failing = false
  let retryAt = 0
  let seenLap = 0

  const clamped = (spanMs: number) =>
    Math.round(Math.max(SPAN_MS_MIN, Math.min(spanMs, Math.max(SPAN_MS_MAX, SPAN_WALL_MS * replay.speed))))

  function begin(day: Tape): Cursor {
    const { lap, tapeMs } = positionAt(day, replay, needs.openedMs)
    const perMs = slices.trades(channel.ticker) / (day.endMs - day.firstMs)
    const spanMs = clamped(limits.sliceMessagesMax / BUSIEST / perMs)
    return { lap, fromMs: Math.ceil(tapeMs), spanMs }
  }

  async function load(): Promise<Slice> {
    tape ??= await slices.tape()
    cursor ??= begin(tape)
    // What was begun anew meanwhile is caught up with: laps that nobody can hear any more are left out.
    if (cursor.fromMs >= tape.endMs)
      cursor = { ...cursor, lap: Math.max(cursor.lap + 1, seenLap), fromMs: tape.firstMs }
    const { lap, fromMs, spanMs } = cursor
    const toMs = Math.min(fromMs + spanMs, tape.endMs)
    const order = lap * (tape.endMs - tape.firstMs) + fromMs - tape.firstMs
    const span = { day: tape.date, fromMs, toMs, order }
    const messages = await slices.load(channel, span, gone.signal)
    const wanted =
      messages.rows === 0
        ? Number.POSITIVE_INFINITY
        : ((spanMs / messages.rows) * limits.sliceMessagesMax) / 2
    cursor = { lap, fromMs: toMs, spanMs: clamped(Math.min(wanted, spanMs * GROWTH)) }
    return { lap, fromMs, toMs, messages, next: 0 }
  }

  function isNear(position: Position | null): boolean {
    if (current === null || position?.lap !== current.lap) return true
    const { fromMs, toMs } = current
    return toMs - position.tapeMs <= LEFT_AT_LOAD * (toMs - fromMs)
  }

  function prepare(position: Position | null): void {
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

  function advance(position: Position, most: number): number {
    seenLap = position.lap
    let sent = 0
    while (!gone.signal.aborted) {
      if (current === null) {
        current = ahead
        ahead = null
        prepare(position)
        if (current === null) return sent
      }
      // A lap that is over is given to its end before the next begins.
      const lapsOn = position.lap - current.lap
      const untilMs =
        lapsOn === 0 ? position.tapeMs : lapsOn > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
      const { messages } = current
      while (current.next < messages.rows && (messages.dueMs[current.next] ?? 0) <= untilMs) {
        if (sent === most) return sent
        const row = current.next
        current.next += 1
        sent += 1
        deliver(messages, row)
      }
      if (current.next < messages.rows || untilMs < current.toMs) return sent
      current = null
    }
    return sent
  }

  prepare(null)
  return { advance, prepare, close: () => gone.abort() }
}
