import { column } from '../column.ts'
import { compare, type Decimal, plus } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Sample } from '../readers.ts'
import { today } from '../relative-date.ts'
import { numberIn, paged, parameter, type Request, refused } from '../request.ts'
import { shownColumns } from '../shown.ts'

const FIELDS = `company_name ticker cycle pac_count pac_contribution_count pac_total pac_dem_total pac_rep_total
  other_total employee_contribution_count employee_total_estimated employee_dem_total employee_rep_total
  lobbying_total`

const LIMIT = 50

export const samples = (lake: Lake): Sample[] =>
  lake.rows('fec_companies').map(({ cycle, pac_total: pac, other_total: other }) => ({
    cycle,
    min_total: totalOf(pac, other),
  }))

export function answer(lake: Lake, request: Request): unknown {
  const cycle = Number(parameter(request, 'cycle') ?? latestCycle(lake))
  if (cycle % 2 !== 0) return refused(422)
  const least = numberIn(request, 'min_total')
  const companies = lake
    .find('fec_companies', { cycle })
    .filter(row => least === null || compare(totalOf(row.pac_total, row.other_total), least) >= 0)
  const greatestFirst = ordered(companies, descending(column('pac_total')), ascending(column('ticker')))
  return {
    cycle,
    limit: Number(parameter(request, 'limit') ?? LIMIT),
    page: Number(parameter(request, 'page') ?? 1),
    data: paged(request, greatestFirst, LIMIT, 1).map(row => shownColumns(row, FIELDS)),
  }
}

const totalOf = (pac: unknown, other: unknown): Decimal => plus(pac as Decimal, other as Decimal)

/** The latest cycle of the lake that has begun, else the present one. Even years name the cycles. */
function latestCycle(lake: Lake): number {
  const year = Number(today().slice(0, 4))
  const present = year + (year % 2)
  const begun = lake
    .rows('fec_companies')
    .map(row => Number(row.cycle))
    .filter(cycle => cycle <= present)
  return begun.length === 0 ? present : Math.max(...begun)
}
