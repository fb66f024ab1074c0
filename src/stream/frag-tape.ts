import { type Bindings, date, instant, text } from '../engine/bind.ts'
import type { Engine } from '../engine/engine.ts'
import { Failure } from '../engine/failure.ts'
import { readTemplate, type Template } from '../engine/template.ts'
import type { Snapshot } from '../lake/store/snapshot.ts'
import { columnsOf, type MessageColumns } from './messages.ts'
import type { Interval, Slice } from './slices.ts'

const INTERVALS = readTemplate('frag-intervals', 'stream')
const FRAGS = readTemplate('frags', 'stream')
/** For adopted files, whose rows are in any order. The lake's own files have a day's intervals in order. */
const FRAGS_IN_ORDER: Template = { ...FRAGS, sql: `${FRAGS.sql}\nORDER BY due_ms, option_symbol` }
const UPDATES = readTemplate('frag-updates', 'stream')

/** The frags of a tape. */
export interface FragTape {
  /** Trading day, `YYYY-MM-DD`. */
  readonly date: string
  /** The underlying; null for all. */
  readonly ticker: string | null
  /** Whether a frag is sent after each trade, and not only at the end of its interval. */
  readonly updates: boolean
}

/** The datasets of a tape. */
export const sourcesOf = ({ updates }: FragTape): readonly string[] =>
  updates ? ['chain_frags', 'option_trades'] : ['chain_frags']

function query(template: Template, tape: FragTape, snapshot: Snapshot, engine: Engine, more: Bindings = {}) {
  const keys: Record<string, string[]> = tape.ticker === null ? {} : { underlying_symbol: [tape.ticker] }
  const selection = { from: tape.date, to: tape.date, keys }
  const lists = sourcesOf(tape).map(dataset => [
    dataset,
    engine.bindFiles(dataset, snapshot.files(dataset, selection)),
  ])
  return {
    operation: `stream ${template.name}`,
    template,
    bindings: {
      date: date(tape.date),
      ticker: text(tape.ticker),
      ...more,
      ...Object.fromEntries(lists),
    },
  }
}

/**
 * The day's intervals with messages of the tape, ascending. Rejects with not_found, with the available days, if empty.
 */
export async function intervalsOf(
  tape: FragTape,
  snapshot: Snapshot,
  engine: Engine,
  signal: AbortSignal,
): Promise<Interval[]> {
  for (const dataset of sourcesOf(tape)) requireDay(dataset, tape.date, snapshot)
  const table = await engine.table(query(INTERVALS, tape, snapshot, engine), signal)
  const [starts, counts] = [table.getChild('start_ms'), table.getChild(tape.updates ? 'updates' : 'frags')]
  const intervals = Array.from({ length: table.numRows }, (_, row) => ({
    startMs: Number(starts?.get(row)),
    messages: Number(counts?.get(row)),
  }))
  if (intervals.length > 0) return intervals
  throw tape.ticker === null
    ? noDay('chain_frags', tape.date, snapshot)
    : new Failure(
        'not_found',
        `there are no frags of ${tape.ticker} on ${tape.date}: specify another ticker, or none for all`,
      )
}

function requireDay(dataset: string, day: string, snapshot: Snapshot): void {
  if (snapshot.files(dataset, { from: day, to: day }).length === 0) throw noDay(dataset, day, snapshot)
}

const ADVICE: Readonly<Record<string, string>> = {
  chain_frags: 'derive them from its trades with tapehouse derive chain_frags',
  option_trades: 'import option trades, or stream without updates',
}

function noDay(dataset: string, day: string, snapshot: Snapshot): Failure {
  const [first] = snapshot.files(dataset)
  const last = snapshot.lastDate(dataset)
  return first === undefined || last === null
    ? new Failure('not_found', `the lake has no ${dataset}: ${ADVICE[dataset]}`)
    : new Failure(
        'not_found',
        `the lake has no ${dataset} of ${day}: specify a trading day from ${first.dates[0]} to ${last}`,
      )
}

/**
 * The messages of a slice in the order of the tape. Frags that are due at the same time are in the order of their
 * files, which is by contract in files that the lake has written. Rejects when the signal aborts, with its reason.
 */
export async function loadSlice(
  tape: FragTape,
  { fromMs, toMs }: Slice,
  snapshot: Snapshot,
  engine: Engine,
  signal: AbortSignal,
): Promise<MessageColumns> {
  const bounds = { from: instant(fromMs), to: instant(toMs) }
  const load = async (template: Template) => {
    const rows = await engine.table(query(template, tape, snapshot, engine, bounds), signal)
    return columnsOf('chain_frags', rows)
  }
  const loaded = await load(tape.updates ? UPDATES : FRAGS)
  const isInOrder = loaded.dueMs.every((ms, row) => row === 0 || (loaded.dueMs[row - 1] ?? 0) <= ms)
  return isInOrder ? loaded : load(FRAGS_IN_ORDER)
}
