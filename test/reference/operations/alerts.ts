import { isTradingDay } from '../calendar.ts'
import type { Lake, Row } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import { amongTest, flagOf, parameter, type Request, refused, tickerTest } from '../request.ts'
import { shownColumns } from '../shown.ts'
import { endOfNewYork, newYork, timeOf } from '../time.ts'
import { isBefore, isCrossed, olderThan, timePage } from '../time-pages.ts'

const LIMIT = 50
const FORTNIGHT = 14n * 86_400_000_000n

/** Roots of option symbols that are not the ticker of their underlying, of the lakes that are read. */
const UNDERLYINGS: Readonly<Record<string, string>> = {
  SPXW: 'SPX',
  NDXP: 'NDX',
  RUTW: 'RUT',
  VIXW: 'VIX',
  BRKA: 'BRK.A',
  BRKB: 'BRK.B',
  BFB: 'BF.B',
}

export function answer(lake: Lake, request: Request): unknown {
  if (isCrossed(request)) return refused(422)
  const { owner: reader = null, admin = false } = request.caller ?? {}
  const all = lake.rows('alerts').filter(({ owner }) => owner === null || owner === reader || admin)
  const isWanted = tickerTest(request, 'ticker_symbols')
  const isOfConfiguration = amongTest(request, 'config_ids[]')
  const isOfType = amongTest(request, 'noti_types[]')
  const isInWindow = windowOf(lake, request)
  const alerts = all
    .filter(({ created_at: time }) => isInWindow(time as bigint))
    .filter(alert => flagOf(request, 'intraday_only') === false || isIntraday(alert))
    .filter(alert => isOfConfiguration(alert.user_noti_config_id) && isOfType(alert.noti_type))
    .filter(alert => isWanted(tickerOf(alert)))
  const newest = ordered(
    alerts,
    descending(({ created_at: time }) => time ?? null),
    ascending(({ id }) => id ?? null),
  )
  const limit = Number(parameter(request, 'limit') ?? LIMIT)
  return { data: timePage(newest, olderThan(request), limit).map(recordOf) }
}

/** Bounds of the request are exclusive, those that follow from the 14 days inclusive. */
function windowOf(lake: Lake, request: Request): (time: bigint) => boolean {
  const bound = parameter(request, 'newer_than')
  const [newer, older] = [bound === null ? null : timeOf(bound), olderThan(request)]
  if (newer !== null && older === null) return time => time > newer && time <= newer + FORTNIGHT
  const last = lake
    .rows('alerts')
    .reduce((latest, { date }) => (String(date) > latest ? String(date) : latest), '')
  const end = older ?? { time: last === '' ? 0n : now(endOfNewYork(last)), passed: 0 }
  return time => isBefore(time, end) && time >= end.time - FORTNIGHT && (newer === null || time > newer)
}

/** The end of the last date, or the wall clock if that is earlier. */
const now = (end: bigint) => {
  const clock = BigInt(Date.now()) * 1000n
  return clock < end ? clock : end
}

/** Whether the event was on the tape from 04:00 to 20:00 New York, both included, on a trading day. */
function isIntraday({ tape_time: tape }: Row): boolean {
  const { date, time } = newYork(tape as bigint)
  return isTradingDay(date) && time >= '04:00:00.000000' && time <= '20:00:00.000000'
}

/** A stock, or the underlying of a contract. */
function tickerOf({ symbol, symbol_type: type }: Row): string {
  if (type === 'stock') return String(symbol).toUpperCase()
  const root = String(symbol).slice(0, -15).replace(/^\d+/, '').replace(/\d+$/, '')
  return UNDERLYINGS[root] ?? root
}

const recordOf = (alert: Row) => ({
  ...shownColumns(alert, 'id user_noti_config_id name noti_type symbol symbol_type created_at tape_time'),
  meta: metaOf(String(alert.meta)),
})

function metaOf(text: string): unknown {
  try {
    const meta: unknown = JSON.parse(text)
    return typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? meta : { text }
  } catch {
    return { text }
  }
}
