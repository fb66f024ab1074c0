import { isDeepStrictEqual } from 'node:util'
import { dayAfter } from '../calendar.ts'
import { column } from '../column.ts'
import { type Decimal, decimal, numberOf, plus, quotient, rounded, times, ZERO } from '../decimal.ts'
import { counting, filedBy } from '../filings.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Row, Value } from '../parquet.ts'
import { groups, total } from '../rows.ts'
import { type Basis, basisOf } from '../splits.ts'

/**
 * An institution's positions and their history: its reports as they were known on each date on which it filed one. Of each
 * date, the positions that changed. A position is a ticker, a security type and a side, and sums the CUSIPs that it covers.
 */
export function derive(lake: Lake): Row[] {
  const institutions = groups(lake.rows('institution_holdings'), row => String(row.cik))
  return [...institutions.values()].flatMap(holdings => {
    const days = [...new Set(holdings.map(row => String(row.filing_date)))].toSorted()
    const changed: Row[] = []
    let before = new Map<string, Row>()
    for (const day of days) {
      const known = new Map(
        reportsOn(lake, holdings, day).map(row => [`${row.report_date} ${positionOf(row)}`, row]),
      )
      const gone = [...before].filter(([name]) => !known.has(name))
      changed.push(
        ...[...known].filter(([name, row]) => differs(row, before.get(name))).map(([, row]) => row),
      )
      changed.push(...gone.map(([, row]) => withdrawn(lake, row, day, [...known.values()])))
      before = known
    }
    return changed
  })
}

const differs = (row: Row, before: Row | undefined): boolean =>
  before === undefined || !isDeepStrictEqual({ ...row, filing_date: null }, { ...before, filing_date: null })

/** The rows of all reports of an institution, as they were known on a day. */
function reportsOn(lake: Lake, holdings: readonly Row[], day: string): Row[] {
  const filed = ordered(filedBy(holdings, day), ascending(column('report_date')))
  const reports = [...groups(filed, row => String(row.report_date))]
  const rows: Row[] = []
  let before: readonly Row[] = []
  for (const [at, [date, held]] of reports.entries()) {
    const dates = reports.slice(0, at + 1).map(([each]) => each)
    before = report(lake, date, dates, counting(held), before, rows).map(row => ({
      ...row,
      filing_date: day,
    }))
    rows.push(...before)
  }
  return rows
}

/** A position that an earlier filing of the report had, and that the report does not have as it is known on a day. */
function withdrawn(lake: Lake, row: Row, day: string, known: readonly Row[]): Row {
  const { report_date: reportDate, ticker = null, security_type: type } = row
  const date = String(reportDate)
  const dates = [...new Set(known.map(each => String(each.report_date)))].toSorted()
  const past = known.filter(each => positionOf(each) === positionOf(row) && String(each.report_date) < date)
  const close = closeOf(lake, ticker, date)
  const basis = basisOf(lake, String(ticker), String(type))
  const upToNow = dates.filter(each => each <= date)
  const shares = known.filter(each => each.report_date === date && each.security_type === 'Share')
  const outstanding = profileOf(lake, ticker, date)?.shares_outstanding ?? null
  const isShare = type === 'Share'
  return {
    ...row,
    filing_date: day,
    full_name: past.at(-1)?.full_name ?? profileOf(lake, ticker, date)?.full_name ?? null,
    units: 0,
    previous_units: 0,
    units_change: 0,
    historical_units: past.length > 0 ? [0, ...historyOf(past, upToNow, basis)] : [],
    value: dollars([]),
    first_buy: date,
    price_first_buy: close,
    avg_price: close === null ? null : rounded(close as Decimal, 10),
    perc_of_share_value: isShare ? fraction(dollars([]), dollars(shares)) : null,
    perc_of_total: isShare && outstanding !== null ? fraction(decimal(0), outstanding as Decimal) : null,
  }
}

const positionOf = (row: Row): string => JSON.stringify([row.ticker, row.security_type, row.put_call])
const HISTORY = 8

/** The rows of a report; `before` are those of the report before, and `earlier` those of all reports before. */
function report(
  lake: Lake,
  date: string,
  dates: readonly string[],
  held: readonly Row[],
  before: readonly Row[],
  earlier: readonly Row[],
): Row[] {
  const positions = groups(held, positionOf)
  const past = groups(earlier, positionOf)
  const shareValue = dollars(held.filter(row => row.security_type === 'Share'))
  const isFirst = dates.length === 1
  const previous = new Map(before.filter(row => row.units !== 0).map(row => [positionOf(row), row]))
  return [...new Set([...positions.keys(), ...previous.keys()])].map(name => {
    const lots = positions.get(name) ?? []
    const known = previous.get(name)
    const source = lots[0] ?? (known as Row)
    const { ticker = null, security_type: type = null, put_call: side = null, cik = null } = source
    const basis = basisOf(lake, String(ticker), String(type))
    const units = total(lots, 'units')
    const previousUnits = known ? basis.units(Number(known.units), String(known.report_date), date) : 0
    const firstBuy = String(known?.first_buy ?? date)
    const close = closeOf(lake, ticker, date)
    const outstanding = profileOf(lake, ticker, date)?.shares_outstanding ?? null
    const isShare = type === 'Share'
    const value = dollars(lots)
    return {
      report_date: date,
      cik,
      ticker,
      full_name: source.full_name ?? null,
      sector: profileOf(lake, ticker, date)?.sector ?? null,
      security_type: type,
      put_call: side,
      units,
      previous_units: previousUnits,
      units_change: isFirst ? 0 : units - previousUnits,
      historical_units: [units, ...historyOf(past.get(name) ?? [], dates, basis)],
      value,
      first_buy: firstBuy,
      price_first_buy: known
        ? basis.price(known.price_first_buy ?? null, String(known.report_date), date, 6)
        : close,
      avg_price: averageOf(known, basis, units, previousUnits, close, date),
      close,
      shares_outstanding: outstanding,
      perc_of_share_value: isShare ? fraction(value, shareValue) : null,
      perc_of_total:
        isShare && outstanding !== null ? fraction(decimal(units), outstanding as Decimal) : null,
    }
  })
}

/**
 * The units of up to 7 reports before the last one of `dates`, newest first, back to the first purchase. They are
 * converted from report to report.
 */
function historyOf(past: readonly Row[], dates: readonly string[], basis: Basis): number[] {
  const units = new Map(past.map(row => [String(row.report_date), Number(row.units)]))
  const first = [...units.keys()].toSorted()[0] ?? '9999'
  const held = dates.slice(-HISTORY).filter(date => date >= first)
  const converted = held.slice(0, -1).map((date, at) =>
    held
      .slice(at + 1)
      .reduce(({ day, count }, next) => ({ day: next, count: basis.units(count, day, next) }), {
        day: date,
        count: units.get(date) ?? 0,
      }),
  )
  return converted.map(({ count }) => count).toReversed()
}

/** The average price paid: what was added counts at `close`, what was sold at the average. */
function averageOf(
  known: Row | undefined,
  basis: Basis,
  units: number,
  previousUnits: number,
  close: Value,
  date: string,
): Value {
  const average = known
    ? basis.price(known.avg_price ?? null, String(known.report_date), date, 10)
    : decimal(0)
  if (units <= previousUnits) return average
  if (average === null || close === null) return null
  const paid = plus(
    times(average as Decimal, decimal(previousUnits)),
    times(close as Decimal, decimal(units - previousUnits)),
  )
  return quotient(paid, decimal(units), 10)
}

const dollars = (rows: readonly Row[]): Decimal =>
  rounded(rows.map(row => row.value as Decimal).reduce(plus, ZERO), 2)

const fraction = (part: Decimal, whole: Decimal): number | null =>
  whole.units === 0n ? null : numberOf(part) / numberOf(whole)

/** The profile of a ticker on a date. */
const profileOf = (lake: Lake, ticker: Value, date: string): Row | undefined =>
  ordered(lake.find('tickers', { ticker }), descending(column('date'))).find(row => String(row.date) <= date)

const DAYS_TO_SESSION = 10

/** The close of a ticker on a date, or on the last session of the 10 days before. */
function closeOf(lake: Lake, ticker: Value, date: string): Value {
  for (let back = 0; back <= DAYS_TO_SESSION; back += 1) {
    const [day] = lake.find('stock_days', { ticker, date: dayAfter(date, -back) })
    if (day !== undefined) return day.close ?? null
  }
  return null
}
