import { latestOf } from '../column.ts'
import { type Decimal, decimal, minus, numberOf, plus, quotient, rounded, times, ZERO } from '../decimal.ts'
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

/** Portfolio totals of an institution per report date, with what was bought and sold since its report before. */
export function derive(lake: Lake): Row[] {
  const totals = new Map(
    [...groups(lake.rows('institution_holdings'), row => String(row.report_date))].map(([date, rows]) => [
      date,
      dollars(rows),
    ]),
  )
  const institutions = groups(lake.rows('institution_positions'), row => String(row.cik))
  return [...institutions.values()].flatMap(positions => {
    const reports = [...groups(positions, row => String(row.report_date))].toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    )
    return reports.map(([date, held], at) => {
      const all = totals.get(date) as Decimal
      return report(lake, date, held, reports[at - 1]?.[1] ?? null, all)
    })
  })
}

function report(
  lake: Lake,
  date: string,
  held: readonly Row[],
  before: readonly Row[] | null,
  all: Decimal,
): Row {
  const cik = held[0]?.cik ?? null
  const holdings = lake.find('institution_holdings', { report_date: date, cik })
  const value = dollars(holdings)
  return {
    report_date: date,
    filing_date: latestOf(holdings, 'filing_date'),
    cik,
    institution_name: holdings.map(row => row.institution_name ?? null).find(name => name !== null) ?? null,
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
    buy_value: rounded(before === null ? ZERO : bought(held), 2),
    sell_value: rounded(before === null ? ZERO : sold(held, before), 2),
    percent_of_total: all.units === 0n ? null : numberOf(value) / numberOf(all),
  }
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
