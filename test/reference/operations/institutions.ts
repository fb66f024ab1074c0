import { column, joinedColumns } from '../column.ts'
import { type Decimal, numberOf, plus, rounded, ZERO } from '../decimal.ts'
import { WAYS, waysToName, withoutZeros } from '../institution-name.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Row, Value } from '../parquet.ts'
import type { Sample } from '../readers.ts'
import { isWithin, paged, parameter, parameters, type Request } from '../request.ts'
import { groups } from '../rows.ts'
import { shownColumns } from '../shown.ts'

const PROFILE = 'short_name description website logo_url founder_img_url'
const VALUES =
  `total_value share_value call_value put_value fund_value pfd_value debt_value warrant_value buy_value
  sell_value`.split(/\s+/)
const HOLDINGS = `share_holdings call_holdings put_holdings fund_holdings pfd_holdings debt_holdings
  warrant_holdings`.split(/\s+/)

/** An institution's profile, if the lake has one, and its latest report with what is filtered and sorted by. */
interface Institution {
  readonly profile: Row | undefined
  readonly report: Row
}

export const samples = (lake: Lake): Sample[] =>
  latestReports(lake).map(({ profile, report }, index) => {
    const tags = (profile?.tags ?? []) as readonly Value[]
    return {
      ...report,
      name: waysToName(lake, String(report.cik))[index % WAYS],
      'tags[]': tags[index % tags.length],
    }
  })

export function answer(lake: Lake, request: Request): unknown {
  const institutions = latestReports(lake)
    .filter(institution => hasName(request, institution) && hasTag(request, institution))
    .filter(({ report }) => isWithin(request, 'total_value', report.total_value))
    .filter(({ report }) => isWithin(request, 'share_value', report.share_value))
  const order = parameter(request, 'order')?.toLowerCase() ?? 'total_value'
  const sorted = ordered(
    institutions,
    {
      of: ({ report }) => report[order] ?? null,
      direction: parameter(request, 'order_direction')?.toLowerCase() === 'asc' ? 'asc' : 'desc',
    },
    ascending(({ report }) => report.cik ?? null),
  )
  return { data: paged(request, sorted, 500).map(record) }
}

const latestReports = (lake: Lake): Institution[] =>
  [...groups(lake.rows('institution_totals'), row => String(row.cik)).values()]
    .flatMap(reports =>
      ordered(reports, descending(column('report_date')), descending(column('filing_date'))).slice(0, 1),
    )
    .map(report => institutionOf(lake, report))

function institutionOf(lake: Lake, totals: Row): Institution {
  const { cik = null, institution_name: filed = null, report_date: date = null } = totals
  const [profile] = lake.find('institutions', { cik })
  const dollars = VALUES.map(name => [name, rounded(totals[name] as Decimal, 0)] as const)
  const units = HOLDINGS.map(name => Number(totals[name]))
  const report: Row = {
    ...totals,
    ...Object.fromEntries(dollars),
    name: profile?.name ?? filed,
    date,
    percent_of_total: shareOfAll(lake, totals),
    total_holdings: units.reduce((one, other) => one + other, 0),
  }
  return { profile, report }
}

/** The share of all institutions' latest filings for the report date. */
function shareOfAll(lake: Lake, { report_date: date = null, total_value: value }: Row): number | null {
  const reports = groups(lake.find('institution_totals', { report_date: date }), row => String(row.cik))
  const all = [...reports.values()]
    .map(rows => ordered(rows, descending(column('filing_date')))[0]?.total_value as Decimal)
    .reduce(plus, ZERO)
  return all.units === 0n ? null : numberOf(value as Decimal) / numberOf(all)
}

/** Whether `name` is the CIK or a part of the name. */
function hasName(request: Request, { report }: Institution): boolean {
  const wanted = parameter(request, 'name')?.trim().toLowerCase()
  if (wanted === undefined || withoutZeros(wanted) === report.cik) return true
  return report.name !== null && String(report.name).toLowerCase().includes(wanted)
}

function hasTag(request: Request, { profile }: Institution): boolean {
  const wanted = parameters(request, 'tags[]')?.map(tag => tag.toLowerCase()) ?? ['all']
  const tags = (profile?.tags ?? []) as readonly Value[]
  return wanted.includes('all') || tags.some(tag => wanted.includes(String(tag)))
}

const record = ({ profile, report }: Institution) => ({
  ...joinedColumns(profile, PROFILE),
  ...shownColumns(report, `name cik date filing_date ${VALUES.join(' ')}`),
  people: profile?.people ?? [],
  tags: profile?.tags ?? [],
  is_hedge_fund: profile?.is_hedge_fund ?? false,
  ...Object.fromEntries(HOLDINGS.map(name => [name, String(report[name])])),
})
