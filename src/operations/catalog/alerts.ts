import { boolean, dates, microInstant, text, texts } from '../../engine/bind.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { DAY_MICROS, dayOfMicros } from '../../market/day.ts'
import { UNDERLYING_OF_ROOT } from '../../market/option-roots.ts'
import { NOTIFICATION_TYPES, SYMBOL_TYPES } from '../../market/vocabulary.ts'
import { closings } from '../answering/closings.ts'
import { nowMicros } from '../answering/now.ts'
import { type Caller, operation, type Plan } from '../answering/operation.ts'
import { among, from, type OperationFields } from '../fields/notation.ts'
import { absent, choice, flag, listOf } from '../parameters/kinds.ts'
import { tickerBindings, tickerFilter, uuid } from '../parameters/market.ts'
import { limit } from '../parameters/number.ts'
import type { Values } from '../parameters/parameter.ts'
import { moment } from '../parameters/time.ts'

const parameters = {
  limit: limit(500, 50),
  intraday_only: absent(
    flag(
      'Whether only alerts count whose `tape_time` lies on a trading day from 04:00 to 20:00 New York, both included.',
    ),
    true,
  ),
  'config_ids[]': listOf(uuid('Configurations whose alerts count. May be given several times.')),
  ticker_symbols: tickerFilter("The stock of an alert, or its contract's underlying."),
  'noti_types[]': listOf(
    choice(
      { description: 'Kinds of alert. May be given several times.', example: 'flow_alerts' },
      NOTIFICATION_TYPES,
    ),
  ),
  newer_than: moment('Only alerts created after it.'),
  older_than: moment('Only alerts created before it.'),
}

const alert = from('alerts')

const fields: OperationFields = {
  dating: ['alerts'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...alert.columns('string(UUID)', 'id user_noti_config_id'),
        ...alert.columns('string', 'name'),
        ...among(NOTIFICATION_TYPES, ...alert.columns('string', 'noti_type')),
        ...alert.columns('string', 'symbol'),
        ...among(SYMBOL_TYPES, ...alert.columns('string', 'symbol_type')),
        ...alert.columns('ts', 'created_at tape_time'),
        alert.made('meta', 'object', 'meta', 'the JSON object that stands in the text'),
      ],
    },
  ],
  parameters: [
    alert.made(
      'owner',
      'string',
      'owner',
      "a token's own: NULL, or the owner that the token names; admins see all",
    ),
    alert.made('intraday_only', 'boolean', 'tape_time', 'from 04:00 to 20:00 New York on a trading day'),
    alert.made('config_ids[]', 'array of string', 'user_noti_config_id', 'one of those given'),
    alert.made('ticker_symbols', 'string', 'symbol', "the ticker, or the contract's underlying"),
    alert.made('noti_types[]', 'array of string', 'noti_type', 'one of those given'),
    alert.made('newer_than', 'ts', 'created_at', 'created_at lies after it'),
    alert.made('older_than', 'ts', 'created_at', 'created_at lies before it'),
  ],
}

export const alerts = operation({
  id: 'alerts',
  fields,
  examples: [],
  parameters,
  plan,
})

const WINDOW_MICROS = 14n * DAY_MICROS

/** Both ends exclusive, in microseconds. */
interface Window {
  readonly after: bigint
  readonly before: bigint
}

/** The 14 days at most that a request covers; null where nothing tells them. A microsecond more includes their own end. */
function windowOf(newer: bigint | null, older: bigint | null, now: bigint | null): Window | null {
  if (newer !== null && older === null) return { after: newer, before: newer + WINDOW_MICROS + 1n }
  const before = older ?? now
  if (before === null) return null
  const earliest = before - WINDOW_MICROS - 1n
  return { after: newer !== null && newer > earliest ? newer : earliest, before }
}

function plan(asked: Values<typeof parameters>, snapshot: Snapshot, { owner, admin }: Caller): Plan {
  const window = windowOf(asked.newer_than, asked.older_than, nowMicros(snapshot, 'alerts'))
  // Alerts are dated by their day in UTC.
  const days = window && { from: dayOfMicros(window.after), to: dayOfMicros(window.before) }
  return {
    reads: { alerts: days },
    bindings: {
      newer_than: microInstant(window?.after ?? null),
      older_than: microInstant(window?.before ?? null),
      // What happened on the tape lies within a year of the alert.
      closings: dates(days ? closings(yearOf(days.from) - 1, yearOf(days.to) + 1) : []),
      roots: texts([...UNDERLYING_OF_ROOT.keys()]),
      underlyings: texts([...UNDERLYING_OF_ROOT.values()]),
      ...tickerBindings(asked.ticker_symbols),
      owner: text(owner),
      admin: boolean(admin),
    },
  }
}

const yearOf = (day: string) => Number(day.slice(0, 4))
