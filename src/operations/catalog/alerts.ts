import { boolean, dates, microInstant, ofFew, text, texts } from '../../engine/bind.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { DAY_MICROS, dayOfMicros } from '../../market/day.ts'
import { UNDERLYING_OF_ROOT } from '../../market/option-roots.ts'
import { NOTIFICATION_TYPES, SYMBOL_TYPES } from '../../market/vocabulary.ts'
import { closings } from '../answering/closings.ts'
import { nowMicros } from '../answering/now.ts'
import { type Caller, operation, type Plan } from '../answering/operation.ts'
import { among, from, type OperationFields } from '../fields/notation.ts'
import { absent, flag } from '../parameters/kinds.ts'
import { choices, listOf } from '../parameters/list.ts'
import { tickerBindings, tickerFilter, uuid } from '../parameters/market.ts'
import { limit } from '../parameters/number.ts'
import type { Values } from '../parameters/parameter.ts'
import { afterOlderThan, boundOfOlderThan, moment, type OlderThan, olderThan } from '../parameters/time.ts'

const parameters = {
  limit: limit(500, 50),
  intraday_only: absent(
    flag(
      '`true` keeps alerts whose `tape_time` is on a trading day from 04:00 to 20:00 New York, both included; `false` filters nothing.',
    ),
    true,
  ),
  'config_ids[]': listOf(uuid('Configurations whose alerts to keep.')),
  ticker_symbols: tickerFilter('Stocks, or underlyings of contracts, whose alerts to keep.'),
  'noti_types[]': choices(
    { description: 'Kinds of alert to keep.', example: 'flow_alerts' },
    NOTIFICATION_TYPES,
  ),
  newer_than: moment('Keeps alerts created after this time.'),
  older_than: olderThan('Keeps alerts created before this time.'),
}

const alert = from('alerts')

const fields: OperationFields = {
  dating: ['alerts'],
  parts: [
    {
      at: 'data[]',
      record: 'Alert',
      fields: [
        ...alert.columns('string(UUID)', 'id user_noti_config_id'),
        ...alert.columns('string', 'name'),
        ...among(NOTIFICATION_TYPES, ...alert.columns('string', 'noti_type')),
        ...alert.columns('string', 'symbol'),
        ...among(SYMBOL_TYPES, ...alert.columns('string', 'symbol_type')),
        ...alert.columns('ts', 'created_at tape_time'),
        alert.made('meta', 'object', 'meta', 'the text parsed as a JSON object'),
      ],
    },
  ],
  parameters: [
    alert.made('owner', 'string', 'owner', 'NULL, or the owner of the token; admins see all'),
    alert.made('intraday_only', 'boolean', 'tape_time', 'from 04:00 to 20:00 New York on a trading day'),
    alert.made('config_ids[]', 'array of string', 'user_noti_config_id', 'one of the values'),
    alert.made('ticker_symbols', 'string', 'symbol symbol_type', "the ticker, or the contract's underlying"),
    alert.made('noti_types[]', 'array of string', 'noti_type', 'one of the values'),
    alert.made('newer_than', 'ts', 'created_at', 'created_at is after it'),
    alert.made('older_than', 'ts', 'created_at', 'created_at is before it'),
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

/** Both bounds are exclusive, in microseconds. */
interface Window {
  readonly after: bigint
  readonly before: bigint
}

/**
 * The window of a request, at most 14 days; null if the lake has no alerts. One microsecond more makes its own bound
 * inclusive.
 */
function windowOf(newer: bigint | null, older: OlderThan | null, now: bigint | null): Window | null {
  if (newer !== null && older === null) return { after: newer, before: newer + WINDOW_MICROS + 1n }
  const end = older ?? (now === null ? null : { time: now, passed: 0 })
  if (end === null) return null
  const earliest = end.time - WINDOW_MICROS - 1n
  return { after: newer !== null && newer > earliest ? newer : earliest, before: boundOfOlderThan(end) }
}

function plan(values: Values<typeof parameters>, snapshot: Snapshot, { owner, admin }: Caller): Plan {
  const { newer_than: newer, older_than: older } = values
  const window = windowOf(newer, older, nowMicros(snapshot, 'alerts'))
  // Alerts are dated by their day in UTC.
  const days = window && { from: dayOfMicros(window.after), to: dayOfMicros(window.before) }
  return {
    reads: { alerts: days },
    // The next page keeps the lower bound of this window: its own 14 days would begin earlier.
    timePages: {
      column: 'created_at',
      after: afterOlderThan(older),
      since: window === null || window.after === newer ? null : window.after,
    },
    bindings: {
      newer_than: microInstant(window?.after ?? null),
      older_than: microInstant(window?.before ?? null),
      // The time on the tape is within a year of the alert.
      closings: ofFew(dates(days ? closings(yearOf(days.from) - 1, yearOf(days.to) + 1) : [])),
      roots: ofFew(texts([...UNDERLYING_OF_ROOT.keys()])),
      underlyings: ofFew(texts([...UNDERLYING_OF_ROOT.values()])),
      ...tickerBindings(values.ticker_symbols),
      owner: text(owner),
      admin: boolean(admin),
    },
  }
}

const yearOf = (day: string) => Number(day.slice(0, 4))
