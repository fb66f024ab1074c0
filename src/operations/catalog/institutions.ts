import { text, texts } from '../../engine/bind.ts'
import { cikIn } from '../answering/institution-name.ts'
import { operation } from '../answering/operation.ts'
import { choice, freeText, listOf } from '../parameters/kinds.ts'
import { limit, page, ranges } from '../parameters/number.ts'
import { ordering, orderOf } from '../parameters/order.ts'

const TAGS = [
  'advisor',
  'value_investor',
  'brokerage',
  'hedge_fund',
  'private_fund',
  'biotech',
  'activist',
  'top_fund',
  'tiger_club',
  'esg',
  'credit',
  '13d_activist',
  'energy',
  'small_cap',
  'event',
  'real_estate',
  'technology',
  'all',
  'public_companies',
  'known',
] as const

const SORTS = {
  name: 'name',
  call_value: 'call_value',
  put_value: 'put_value',
  share_value: 'share_value',
  call_holdings: 'call_holdings',
  put_holdings: 'put_holdings',
  share_holdings: 'share_holdings',
  total_value: 'total_value',
  warrant_value: 'warrant_value',
  fund_value: 'fund_value',
  pfd_value: 'pfd_value',
  debt_value: 'debt_value',
  total_holdings: 'total_holdings',
  warrant_holdings: 'warrant_holdings',
  fund_holdings: 'fund_holdings',
  pfd_holdings: 'pfd_holdings',
  debt_holdings: 'debt_holdings',
  percent_of_total: 'percent_of_total',
  date: 'date',
  buy_value: 'buy_value',
  sell_value: 'sell_value',
}

export const institutions = operation({
  id: 'institutions',
  path: '/api/institutions',
  summary: 'Institutions that report on Form 13F, with their portfolios',
  description: [
    "One record an institution, of its latest report: `date` is the report's, `filing_date` that of its latest filing. An institution that never reported is left out; one of which nothing but its reports is known goes by the name that it filed under, and what describes it is null or empty.",
    "Values are dollars, rounded; filters compare them as shown. `buy_value` is what was added since the report before, at this report's values, `sell_value` what was given up, at the former ones, and never above 0. Holdings are units: shares, shares under options, or principal of debt in dollars.",
    "Ordered by `total_value`, greatest first, unless `order` says otherwise: `total_holdings` is the sum of the seven unit counts, `percent_of_total` the portfolio's share of all that institutions reported for the same date. Ties go by CIK.",
  ].join('\n\n'),
  parameters: {
    name: freeText({
      description: 'A part of the name, in any case, or the CIK, leading zeros ignored.',
      example: 'capital',
      charactersMax: 200,
    }),
    ...ranges({
      total_value: { of: 'value of all positions, dollars', example: '1000000' },
      share_value: { of: 'value of shares, dollars', example: '1000000' },
    }),
    'tags[]': listOf(
      choice(
        {
          description:
            'Institutions that have any of these tags; may be given several times. `all` filters nothing.',
          example: 'hedge_fund',
        },
        TAGS,
      ),
      tags => (tags.includes('all') ? text(null) : texts(tags)),
    ),
    ...ordering(SORTS, 'total_value'),
    limit: limit(500, 500),
    page: page(),
  },
  plan: asked => ({
    reads: {},
    bindings: { cik: text(cikIn(asked.name)) },
    order: orderOf(SORTS, asked),
  }),
})
