import { column } from '../column.ts'
import { type Decimal, plus, rounded, ZERO } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { descending, ordered } from '../order.ts'
import type { Row, Value } from '../parquet.ts'

/** Political money of each company with a committee, a contribution or a lobbying report in a cycle. */
export function derive(lake: Lake): Row[] {
  const committees = lake.rows('fec_committees')
  const contributions = lake.rows('fec_contributions')
  const reports = lake.rows('lobbying_reports')
  const cycles = new Map<number, Map<string, Value>>()
  for (const { cycle, cycle_end: end, ticker } of [...committees, ...contributions, ...reports]) {
    const companies = cycles.get(Number(cycle)) ?? new Map<string, Value>()
    cycles.set(Number(cycle), companies)
    if (ticker !== '') companies.set(String(ticker), end ?? null)
  }
  return [...cycles].flatMap(([cycle, companies]) => {
    const hasEmployees = lake.find('fec_contributions', { cycle, kind: 'employee' }).length > 0
    const hasReports = lake.find('lobbying_reports', { cycle }).length > 0
    return [...companies].map(([ticker, end]) =>
      company(lake, { cycle, ticker, cycle_end: end }, hasEmployees, hasReports),
    )
  })
}

function company(lake: Lake, key: Row, hasEmployees: boolean, hasReports: boolean): Row {
  const { cycle = null, ticker = null } = key
  const committees = lake.find('fec_committees', { cycle, ticker })
  const reports = lake.find('lobbying_reports', { cycle, ticker })
  const ofKind = (kind: string) => lake.find('fec_contributions', { cycle, ticker, kind })
  const [pac, employee] = [ofKind('pac'), ofKind('employee')]
  const orNull = <T>(value: T) => (hasEmployees ? value : null)
  return {
    ...key,
    company_name: nameOf(lake, key, committees, reports),
    pac_count: committees.filter(row => row.is_corporate === true).length,
    pac_contribution_count: pac.length,
    pac_total: amount(pac),
    pac_dem_total: amount(pac.filter(row => row.party === 'DEM')),
    pac_rep_total: amount(pac.filter(row => row.party === 'REP')),
    other_total: amount(ofKind('other')),
    employee_contribution_count: orNull(employee.length),
    employee_total_estimated: orNull(amount(employee)),
    employee_dem_total: orNull(amount(employee.filter(row => row.party === 'DEM'))),
    employee_rep_total: orNull(amount(employee.filter(row => row.party === 'REP'))),
    lobbying_total: hasReports ? amount(reports) : null,
  }
}

const amount = (rows: readonly Row[]): Decimal =>
  rounded(rows.map(row => row.amount as Decimal).reduce(plus, ZERO), 2)

/** The name on the last day of the cycle, else that of a committee, else of a client in a lobbying report. */
function nameOf(lake: Lake, key: Row, committees: readonly Row[], reports: readonly Row[]): Value {
  const { ticker = null, cycle_end: end = null } = key
  const profiles = lake.find('tickers', { ticker }).filter(row => String(row.date) <= String(end))
  const [profile] = ordered(profiles, descending(column('date')))
  return (
    profile?.full_name ??
    committees.map(row => row.company_name ?? null).find(name => name !== null) ??
    reports[0]?.client_name ??
    ticker
  )
}
