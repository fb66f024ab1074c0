import { boolean, text, texts } from '../../engine/bind.ts'
import { cikIn } from '../answering/institution-name.ts'
import { operation } from '../answering/operation.ts'
import { from, joined, type OperationFields } from '../fields/notation.ts'
import { freeText } from '../parameters/kinds.ts'
import { choices } from '../parameters/list.ts'
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

const institution = from('institutions')
const total = from('institution_totals')
const UNKNOWN = 'unknown to the lake'

const fields: OperationFields = {
  dating: ['institution_totals'],
  parts: [
    {
      at: 'data[]',
      record: 'Institution',
      fields: [
        joined(
          'name',
          'string',
          'institutions.name institution_totals.institution_name',
          'that of `institutions`, else as filed',
          'neither source has a name',
        ),
        ...institution.columns('string', 'short_name', UNKNOWN),
        ...total.columns('string', 'cik'),
        ...institution.columns('string', 'description', UNKNOWN),
        ...institution.columns('string(URL)', 'website logo_url founder_img_url', UNKNOWN),
        institution.made('people', 'array of string', 'people', 'empty when unknown'),
        institution.made('tags', 'array of string', 'tags', 'empty when unknown'),
        institution.made('is_hedge_fund', 'boolean', 'is_hedge_fund', 'false when unknown'),
        total.made('date', 'date', 'report_date', "the institution's latest report"),
        ...total.columns('date', 'filing_date'),
        ...[
          'total_value',
          'share_value',
          'call_value',
          'put_value',
          'fund_value',
          'pfd_value',
          'debt_value',
          'warrant_value',
          'buy_value',
          'sell_value',
        ].map(name => total.made(name, 'string(dec)', name, 'rounded to the dollar')),
        ...total.columns('string(dec)', 'share_holdings call_holdings put_holdings fund_holdings'),
        ...total.columns('string(dec)', 'pfd_holdings debt_holdings warrant_holdings'),
      ],
    },
  ],
  parameters: [
    joined(
      'name',
      'string',
      'institutions.name institutions.cik institution_totals.institution_name institution_totals.cik',
      'a part of the name, in any case, or the CIK',
    ),
    total.made(
      'total_holdings',
      'string(dec)',
      'share_holdings call_holdings put_holdings fund_holdings pfd_holdings debt_holdings warrant_holdings',
      'sum',
    ),
    total.made(
      'percent_of_total',
      'number',
      'total_value report_date',
      'total_value / sum of the latest total_value of all institutions for the report date',
      "no institution's total is above 0",
    ),
  ],
}

export const institutions = operation({
  id: 'institutions',
  fields,
  examples: [],
  parameters: {
    name: freeText({
      description: 'Part of the name, in any case, or the CIK, leading zeros ignored.',
      example: 'capital',
      charactersMax: 200,
    }),
    ...ranges({
      total_value: { of: 'value of all positions, dollars', example: '1000000' },
      share_value: { of: 'value of shares, dollars', example: '1000000' },
    }),
    'tags[]': choices(
      {
        description: 'Keeps institutions with any of these tags. `all` filters nothing.',
        example: 'hedge_fund',
      },
      TAGS,
      tags => (tags.includes('all') ? text(null) : texts(tags)),
    ),
    ...ordering(SORTS, 'total_value'),
    limit: limit(500, 500),
    page: page(),
  },
  plan: values => ({
    reads: {},
    bindings: { cik: text(cikIn(values.name)), by_share: boolean(values.order === 'percent_of_total') },
    order: orderOf(SORTS, values),
  }),
})
