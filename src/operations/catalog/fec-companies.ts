import { integer } from '../../engine/bind.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { newYorkToday, nowDate } from '../answering/now.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields, without } from '../fields/notation.ts'
import { bound, count, limit, page } from '../parameters/number.ts'
import type { Parameter } from '../parameters/parameter.ts'
import { refused } from '../parameters/problem.ts'

const year = count({
  description:
    'Two-year election cycle, named by its even year. Default: the latest cycle in the lake that has begun.',
  example: '2024',
  least: 1900,
  most: 9998,
})

/** An election cycle: an even year. */
const cycle: Parameter<number | null> = {
  ...year,
  schema: { ...year.schema, multipleOf: 2 },
  parse: texts => {
    const parsed = year.parse(texts)
    return 'value' in parsed && Number(parsed.value) % 2 !== 0
      ? refused(`is ${parsed.value}, which is odd; a cycle is named by its even year`)
      : parsed
  },
}

const company = from('fec_companies')
const NO_RECORDS = 'the lake has no such records for the cycle'

const fields: OperationFields = {
  dating: ['fec_companies'],
  parts: [
    {
      at: '',
      fields: [
        company.made(
          'cycle',
          'integer',
          'cycle cycle_end',
          'the requested cycle; default: the latest that has begun',
        ),
        without('request', 'limit', 'integer', 'the requested limit; default: 50'),
        without('request', 'page', 'integer', 'the requested page; default: 1'),
      ],
    },
    {
      at: 'data[]',
      record: 'FecCompany',
      fields: [
        ...company.columns('string', 'company_name ticker'),
        ...company.columns('integer', 'cycle pac_count pac_contribution_count'),
        ...company.columns('string(dec)', 'pac_total pac_dem_total pac_rep_total other_total'),
        ...company.columns('integer', 'employee_contribution_count', NO_RECORDS),
        ...company.columns(
          'string(dec)',
          'employee_total_estimated employee_dem_total employee_rep_total',
          NO_RECORDS,
        ),
        ...company.columns('string(dec)', 'lobbying_total', NO_RECORDS),
      ],
    },
  ],
  parameters: [company.made('min_total', 'integer', 'pac_total other_total', 'pac_total + other_total')],
}

export const fecCompanies = operation({
  id: 'fec-companies',
  fields,
  examples: [],
  parameters: {
    cycle,
    min_total: bound('min', {
      description: 'Minimum of `pac_total` + `other_total` in whole dollars, inclusive.',
      example: '10000',
      integer: true,
    }),
    page: page(1),
    limit: limit(200, 50),
  },
  plan: ({ cycle: requested, page, limit }, snapshot) => {
    const about = requested ?? latestCycle(snapshot)
    return {
      reads: { fec_companies: { from: `${about}-01-01`, to: lastDay(about) } },
      bindings: { cycle: integer(about) },
      envelope: [`{"cycle":${about},"data":[`, `],"limit":${limit},"page":${page}}`],
    }
  },
})

const lastDay = (cycle: number) => `${cycle}-12-31`

/** The latest cycle in the snapshot that has begun; the current one if there is none. */
function latestCycle(snapshot: Snapshot): number {
  const thisYear = Number((nowDate(snapshot, 'fec_companies') ?? newYorkToday()).slice(0, 4))
  const current = thisYear + (thisYear % 2)
  // Rows are dated by the end of their cycle.
  const ends = snapshot.files('fec_companies').flatMap(({ dates }) => dates)
  const past = ends.filter(end => end <= lastDay(current)).toSorted()
  return Number(past.at(-1)?.slice(0, 4) ?? current)
}
