import { type Bindings, date, instant, text } from '../../engine/bind.ts'
import { timed } from '../../engine/deadline.ts'
import { Failure } from '../../engine/failure.ts'
import type { Template } from '../../engine/template.ts'
import type { LakeFile, Snapshot } from '../../lake/store/snapshot.ts'
import type { Messages } from '../../stream/messages.ts'
import { type Replay, type ReplayedTape, tapeOf } from '../service/replay-clock.ts'
import type { Service } from '../service/service.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import { type Channel, TAPE_SPAN } from './channels.ts'
import { lastClosedDay, replayBegan } from './replayed-day.ts'

/** A part of a day's tape, from `fromMs` (inclusive) to `toMs` (exclusive), in whole Unix milliseconds. */
export interface Span {
  readonly day: string
  readonly fromMs: number
  readonly toMs: number
  /** Priority among waiting loads, lowest first: the start of the span in milliseconds of tape over all laps. */
  readonly order: number
}

/** Numbers of trades. */
export interface Trades {
  readonly ofDay: number
  readonly ofBusiestMinute: number
}

const NO_TRADES: Trades = { ofDay: 0, ofBusiestMinute: 0 }

/** Reads the tape from the lake, always from the newest snapshot, so that its files cannot have been vacuumed. */
export interface Slices {
  /** The tape of the day. Rejects with `not_found` if the lake has none; the next call looks for it again. */
  tape(): Promise<ReplayedTape>
  /** The tape, or null until `tape` has resolved. */
  readonly known: ReplayedTape | null
  /** Reads the tape if it is not known, or if the lake has another last closed day than that of the tape. */
  follow(): Promise<void>
  /** Loads the messages of a channel that are due in a span. */
  load(channel: Channel, span: Span, gone: AbortSignal): Promise<Messages>
  /**
   * Trades of an underlying on the tape's day, or of all if `ticker` is null. No channel has more messages. 0 until the
   * tape is known.
   */
  trades(ticker: string | null): Trades
}

export function openSlices(
  { engine, lake }: Pick<Service, 'engine' | 'lake'>,
  replay: Replay,
  limits: SocketLimits,
): Slices {
  const queued = priorityQueue(limits.loadsAtOnce)
  let known: ReplayedTape | null = null
  let reading: Promise<ReplayedTape> | null = null
  let trades: ReadonlyMap<string | null, Trades> = new Map()

  const table = (
    name: string,
    template: Template,
    files: Readonly<Record<string, readonly LakeFile[]>>,
    bindings: Bindings,
    gone?: AbortSignal,
  ) => {
    const bound = Object.entries(files).map(([dataset, list]) => [dataset, engine.bindFiles(dataset, list)])
    const query = { operation: name, template, bindings: { ...bindings, ...Object.fromEntries(bound) } }
    return timed(limits.loadDeadlineMs, gone)(signal => engine.table(query, signal))
  }

  async function readTape(): Promise<ReplayedTape> {
    const snapshot = await lake.pin()
    const day = replay.date ?? lastClosedDay(snapshot)
    const option_trades = day === null ? [] : snapshot.files('option_trades', { from: day, to: day })
    const spans = await table('stream', TAPE_SPAN, { option_trades }, { date: date(day) })
    if (day === null || spans.numRows === 0) {
      throw new Failure(
        'not_found',
        `the lake has no option trades${day === null ? '' : ` on ${day}`}: there is no tape to replay`,
      )
    }
    const column = (name: string) => [...(spans.getChild(name) ?? [])]
    const numbers = (name: string) => column(name).map(Number)
    const counts = numbers('trades')
    const busiest = numbers('busiest')
    const begunMs = replay.date === null ? await replayBegan(snapshot, replay.begunMs) : replay.begunMs
    trades = new Map(
      column('ticker').map((ticker, row) => [
        ticker === null ? null : String(ticker),
        { ofDay: counts[row] ?? 0, ofBusiestMinute: busiest[row] ?? 0 },
      ]),
    )
    const tape = tapeOf(
      day,
      numbers('first_ms').reduce((one, other) => Math.min(one, other)),
      numbers('last_ms').reduce((one, other) => Math.max(one, other)),
    )
    return { ...tape, begunMs }
  }

  function read(): Promise<ReplayedTape> {
    reading ??= readTape()
      .then(tape => {
        known = tape
        return tape
      })
      .finally(() => {
        reading = null
      })
    return reading
  }

  return {
    tape: async () => known ?? (await read()),
    async follow() {
      const day = known === null ? null : (replay.date ?? lastClosedDay(await lake.pin()))
      if (known === null || known.date !== day) await read()
    },
    get known() {
      return known
    },
    load: ({ source, ticker }, { day, fromMs, toMs, order }, gone) =>
      queued(order, async () => {
        if (gone.aborted) throw new Failure('canceled', 'the channel has no more clients')
        const snapshot = await lake.pin()
        const files = Object.keys(source.reads).map(dataset => [
          dataset,
          filesOf(snapshot, dataset, source.reads[dataset], day, ticker),
        ])
        const bindings = {
          date: date(day),
          from: instant(fromMs),
          to: instant(toMs),
          ticker: text(ticker),
        }
        const rows = await table(
          `stream.${source.kind}`,
          source.template,
          Object.fromEntries(files),
          bindings,
          gone,
        )
        // Loaded with the first messages: a worker starts without the code of protobuf.
        const { columnsOf, messagesOf } = await import('../../stream/messages.ts')
        return messagesOf(columnsOf(source.kind, rows))
      }),
    trades: ticker => trades.get(ticker) ?? NO_TRADES,
  }
}

function filesOf(
  snapshot: Snapshot,
  dataset: string,
  read: Channel['source']['reads'][string] | undefined,
  day: string,
  ticker: string | null,
): readonly LakeFile[] {
  const keys = ticker === null || read === undefined ? {} : { keys: { [read.tickers]: [ticker] } }
  return snapshot.files(dataset, { ...(read?.history ? {} : { from: day }), to: day, ...keys })
}

/** Runs at most `runningMax` functions at once. Among the waiting ones, the lowest order runs first. */
function priorityQueue(runningMax: number): <T>(order: number, work: () => Promise<T>) => Promise<T> {
  let waiting: { readonly order: number; readonly start: () => void }[] = []
  let running = 0
  return async (order, work) => {
    if (running >= runningMax) await new Promise<void>(start => waiting.push({ order, start }))
    else running += 1
    try {
      return await work()
    } finally {
      // A waiting function takes over the slot, so that no new one can run before it.
      const least = waiting.reduce((so, one) => Math.min(so, one.order), Number.POSITIVE_INFINITY)
      const next = waiting.find(one => one.order === least)
      waiting = waiting.filter(one => one !== next)
      if (next) next.start()
      else running -= 1
    }
  }
}
