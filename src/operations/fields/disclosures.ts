import { CHAMBERS, NOTIFICATION_TYPES, SYMBOL_TYPES } from '../../market/vocabulary.ts'
import { among, type Field, from, joined, type OperationFields, without } from './notation.ts'

/** Operations 3, 6, 9, 12, 14, 21 and 22: notifications, and what persons and companies disclose. */

const alert = from('alerts')
const congress = from('congress_trades')
const insiderTrade = from('insider_trades')
const insider = from('insiders')
const company = from('fec_companies')
const post = from('posts')

export const ALERTS: OperationFields = {
  id: 'alerts',
  dating: ['alerts'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...alert.columns('string(UUID)', 'id user_noti_config_id'),
        ...alert.columns('string', 'name'),
        ...among(NOTIFICATION_TYPES, ...alert.columns('string', 'noti_type')),
        ...alert.columns('string', 'symbol'),
        ...among(SYMBOL_TYPES, ...alert.columns('string', 'symbol_type')),
        ...alert.columns('ts', 'created_at tape_time'),
        alert.made('meta', 'object', 'meta', 'the JSON object that stands in the text'),
      ],
    },
  ],
  parameters: [
    alert.made(
      'owner',
      'string',
      'owner',
      "a token's own: NULL, or the owner that the token names; admins see all",
    ),
    alert.made('intraday_only', 'boolean', 'tape_time', 'from 04:00 to 20:00 New York on a trading day'),
    alert.made('config_ids[]', 'array of string', 'user_noti_config_id', 'one of those given'),
    alert.made('ticker_symbols', 'string', 'symbol', "the ticker, or the contract's underlying"),
    alert.made('noti_types[]', 'array of string', 'noti_type', 'one of those given'),
    alert.made('newer_than', 'ts', 'created_at', 'created_at lies after it'),
    alert.made('older_than', 'ts', 'created_at', 'created_at lies before it'),
  ],
}

const CONGRESS_TRADE: readonly Field[] = [
  ...congress.columns('string(UUID)', 'politician_id'),
  ...congress.columns('string', 'name reporter'),
  ...among(CHAMBERS, ...congress.columns('string', 'member_type')),
  ...congress.columns('boolean', 'is_active'),
  ...congress.columns('string', 'issuer', 'the filing does not say'),
  ...congress.columns('string', 'ticker', 'the filing names none'),
  ...congress.columns('string', 'txn_type amounts'),
  ...congress.columns('date', 'transaction_date filed_at_date'),
  ...congress.columns('string', 'notes', 'the filing has none'),
]

export const CONGRESS_POLITICIANS: OperationFields = {
  id: 'congress-politicians',
  dating: ['congress_trades'],
  parts: [{ at: 'data[]', fields: CONGRESS_TRADE }],
  parameters: [
    congress.made(
      'last_traded_within_months',
      'integer',
      'transaction_date',
      "a politician's latest transaction_date lies within so many months of now",
    ),
  ],
}

export const CONGRESS_LATE_REPORTS: OperationFields = {
  id: 'congress-late-reports',
  dating: ['congress_trades'],
  parts: [{ at: 'data[]', fields: CONGRESS_TRADE }],
  parameters: [congress.made('date', 'date', 'filed_at_date', 'filed_at_date is it or earlier')],
}

const transactions = (name: string, code: string) =>
  insiderTrade.made(name, 'integer', 'transaction_code', `number of transactions of code ${code}`)
const notional = (name: string, code: string, sign: string) =>
  insiderTrade.made(
    name,
    'string(dec)',
    'shares price transaction_code',
    `${sign}Σ shares × price over transactions of code ${code}, a missing price counted as 0`,
  )

export const INSIDER_BUY_SELLS: OperationFields = {
  id: 'insider-buy-sells',
  dating: ['insider_trades'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...insiderTrade.columns('date', 'filing_date'),
        transactions('purchases', 'P'),
        notional('purchases_notional', 'P', ''),
        transactions('sells', 'S'),
        notional('sells_notional', 'S', '−'),
      ],
    },
  ],
  parameters: [insiderTrade.made('ticker', 'string', 'ticker')],
}

export const INSIDERS: OperationFields = {
  id: 'insiders',
  dating: ['insiders'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...insider.columns('integer', 'id'),
        ...insider.columns('string', 'cik name display_name name_slug'),
        ...insider.columns('boolean', 'is_person'),
        ...insider.columns('string(URL)', 'logo_url', 'none is known'),
        ...insider.columns('array of string(URL)', 'social_links'),
        ...insider.columns('string', 'ticker'),
      ],
    },
  ],
  parameters: [],
}

const NO_RECORDS = 'the lake has no such records for the cycle'

export const FEC_COMPANIES: OperationFields = {
  id: 'fec-companies',
  dating: ['fec_companies'],
  parts: [
    {
      at: '',
      fields: [
        company.made(
          'cycle',
          'integer',
          'cycle cycle_end',
          'the cycle asked for, else the latest not after that of now',
        ),
        without('request', 'limit', 'integer', 'the limit asked for, else 50'),
        without('request', 'page', 'integer', 'the page asked for, else 1'),
      ],
    },
    {
      at: 'data[]',
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

export const POTUS_POSTS: OperationFields = {
  id: 'potus-posts',
  dating: ['posts'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...post.columns('string', 'post'),
        post.made('timestamp', 'integer', 'timestamp', 'milliseconds since 1970-01-01, UTC'),
      ],
    },
  ],
  parameters: [joined('search_term', 'string', 'posts.post', 'the text contains it, in any case')],
}
