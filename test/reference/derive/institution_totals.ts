import { latestOf } from '../column.ts'
import { type Decimal, decimal, minus, numberOf, plus, quotient, rounded, times, ZERO } from '../decimal.ts'
import { counting, filedBy, latestRows } from '../filings.ts'
import type { Lake } from '../lake.ts'
import type { Row } from '../parquet.ts'
import { groups, total } from '../rows.ts'

/** The columns of a kind of security, by the type and the side of the positions. */
const KINDS = [
  { name: 'share', type: 'Share', side: '' },
  { name: 'call', type: 'Option', side: 'call' },
  { name: 'put', type: 'Option', side: 'put' },
  { name: 'fund', type: 'Fund', side: '' },
  { name: 'pfd', type: 'Preferred', side: '' },
  { name: 'debt', type: 'Debt', side: '' },
  { name: 'warrant', type: 'Warrant', side: '' },
] as const

/**
 * Portfolio totals of an institution per report date, with what was bought and sold since its report before: as they were
 * known on each date on which the report was filed or its positions changed.
 */
export function derive(lake: Lake): Row[] {
  const institutions = [...groups(lake.rows('institution_positions'), row => String(row.cik)).values()]
  const dates = [...new Set(institutions.flat().map(row => String(row.report_date)))]
  return dates.flatMap(date => {
    const reports = institutions.filter(positions => positions.some(row => row.report_date === date))
    return reports.flatMap(positions =>
      knownDates(lake, positions, date).map(day => report(lake, date, day, positions)),
    )
  })
}

/** The days on which a report was filed, or its positions changed. */
function knownDates(lake: Lake, positions: readonly Row[], date: string): string[] {
  const filings = lake.find('institution_holdings', { report_date: date, cik: positions[0]?.cik ?? null })
  const changes = [
    ...filings.filter(row => row.filing_kind !== 'undated'),
    ...positions.filter(row => row.report_date === date),
  ]
  return [...new Set(changes.map(row => String(row.filing_date)))]
}

/** One report as it was known on a day; `positions` are all rows of the institution. */
function report(lake: Lake, date: string, day: string, positions: readonly Row[]): Row {
  const cik = positions[0]?.cik ?? null
  const known = latestRows(filedBy(positions, day))
  const held = known.filter(row => row.report_date === date)
  const former = known.map(row => String(row.report_date)).filter(each => each < date)
  const before = known.filter(row => row.report_date === former.toSorted().at(-1))
  const filings = filedBy(lake.find('institution_holdings', { report_date: date, cik }), day)
  const holdings = counting(filings)
  const value = dollars(holdings)
  const all = valueOfAll(lake, date, day)
  const names = filings.filter(row => (row.institution_name ?? null) !== null)
  const latest = names.filter(row => row.filing_date === latestOf(names, 'filing_date'))
  return {
    report_date: date,
    filing_date: day,
    cik,
    institution_name: latest.length > 0 ? latestOf(latest, 'institution_name') : null,
    total_value: value,
    ...Object.fromEntries(
      KINDS.flatMap(({ name, type, side }) => {
        const rows = holdings.filter(row => row.security_type === type && row.put_call === side)
        return [
          [`${name}_value`, dollars(rows)],
          [`${name}_holdings`, total(rows, 'units')],
        ]
      }),
    ),
    buy_value: rounded(before.length === 0 ? ZERO : bought(held), 2),
    sell_value: rounded(before.length === 0 ? ZERO : sold(held, before), 2),
    percent_of_total: all.units === 0n ? null : numberOf(value) / numberOf(all),
  }
}

const VALUES = new WeakMap<Lake, Map<string, Decimal>>()

/** The value of what all institutions held on a report date, as it was known on a day. */
function valueOfAll(lake: Lake, date: string, day: string): Decimal {
  const values = VALUES.get(lake) ?? new Map<string, Decimal>()
  VALUES.set(lake, values)
  const name = `${date} ${day}`
  const known = values.get(name)
  if (known !== undefined) return known
  const filings = filedBy(lake.find('institution_holdings', { report_date: date }), day)
  const value = dollars([...groups(filings, row => String(row.cik)).values()].flatMap(counting))
  values.set(name, value)
  return value
}

/** Increases at the value per unit of this report. */
const bought = (held: readonly Row[]): Decimal =>
  held
    .filter(row => Number(row.units) > Number(row.previous_units))
    .map(row => part(row.value as Decimal, Number(row.units) - Number(row.previous_units), Number(row.units)))
    .reduce(plus, ZERO)

/** Decreases at the value per unit of the report before, at most 0. */
function sold(held: readonly Row[], before: readonly Row[]): Decimal {
  const keyOf = (row: Row) => JSON.stringify([row.ticker, row.security_type, row.put_call])
  const values = new Map(before.map(row => [keyOf(row), row.value as Decimal]))
  return held
    .filter(row => Number(row.units) < Number(row.previous_units))
    .map(row => {
      const previous = Number(row.previous_units)
      return part(values.get(keyOf(row)) ?? ZERO, previous - Number(row.units), previous)
    })
    .reduce(minus, ZERO)
}

/** What a position adds is rounded to this number of places. */
const CHANGE_PLACES = 4

const part = (value: Decimal, units: number, whole: number): Decimal =>
  quotient(times(value, decimal(units)), decimal(whole), CHANGE_PLACES) ?? ZERO

const dollars = (rows: readonly Row[]): Decimal =>
  rounded(rows.map(row => row.value as Decimal).reduce(plus, ZERO), 2)
