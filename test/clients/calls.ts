import createClient from 'openapi-fetch'
import type { paths } from './market.ts'

/**
 * Calls operations through a client of openapi-fetch with the types that openapi-typescript generates, and compares what
 * it returns with the JSON of the response. Environment: URL and TOKEN. Prints the operations that were called.
 */

declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

const { URL: baseUrl = '', TOKEN = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${TOKEN}` } })

/** The last response, before the client read it. */
let last: Response | undefined
client.use({
  onResponse: ({ response }) => {
    last = response.clone()
  },
})

function assert(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem)
}

/** The data of an answer, which must be the JSON of the response. */
async function dataOf<T>(
  name: string,
  calling: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, response } = await calling
  const json = await last?.text()
  assert(response.status === 200 && data !== undefined, `${name}: ${response.status} ${json}`)
  assert(JSON.stringify(data) === json, `${name}: the data is not the JSON of the response`)
  console.log(name, response.status)
  return data
}

// Enumerations, lists of them, ranges and flags in a query.
const screened = await dataOf(
  'screener-option-contracts',
  client.GET('/api/screener/option-contracts', {
    params: {
      query: {
        'sectors[]': ['Technology', 'Financial Services'],
        type: 'call',
        min_volume: 1,
        max_delta: 0.95,
        is_new: false,
        order: 'expires',
        order_direction: 'asc',
        limit: 20,
      },
    },
  }),
)
const sectors: string[] = screened.data.map(({ sector }) => sector)
assert(
  sectors.length > 0 && sectors.every(sector => ['Technology', 'Financial Services'].includes(sector)),
  'sectors',
)
const types: ('call' | 'put')[] = screened.data.map(({ option_type }) => option_type)
assert(
  types.every(type => type === 'call'),
  'types',
)
const volumes: number[] = screened.data.map(({ volume }) => volume)
assert(
  volumes.every(volume => volume >= 1),
  'volumes',
)
const expiries = screened.data.map(({ expiry }) => expiry)
assert(expiries.join() === expiries.toSorted().join(), 'order')

const [busiest] = (
  await dataOf(
    'screener-option-contracts',
    client.GET('/api/screener/option-contracts', { params: { query: { limit: 1 } } }),
  )
).data
assert(busiest !== undefined, 'no contract')

// Path parameters and dates.
const chain = await dataOf(
  'greeks',
  client.GET('/api/stock/{ticker}/greeks', {
    params: { path: { ticker: busiest.ticker_symbol }, query: { expiry: busiest.expiry } },
  }),
)
assert(chain.data.length > 0 && chain.data.every(({ expiry }) => expiry === busiest.expiry), 'expiry')
const delta: string | null | undefined = chain.data[0]?.call_delta
assert(delta === null || typeof delta === 'string', 'delta')
const trades = await dataOf(
  'contract-flow',
  client.GET('/api/option-contract/{id}/flow', {
    params: { path: { id: busiest.option_symbol }, query: { side: 'ASK', min_premium: 0, limit: 7 } },
  }),
)
assert(trades.data.length > 0 && trades.data.length <= 7, 'trades')
await dataOf(
  'oi-per-expiry',
  client.GET('/api/stock/{ticker}/oi-per-expiry', {
    params: { path: { ticker: busiest.ticker_symbol }, query: { date: chain.data[0]?.date ?? '' } },
  }),
)
const alerts = await dataOf(
  'flow-alerts',
  client.GET('/api/option-trades/flow-alerts', {
    params: {
      query: { 'rule_name[]': ['RepeatedHits', 'RepeatedHitsAscendingFill'], min_premium: 0, limit: 10 },
    },
  }),
)
assert(
  alerts.data.every(({ alert_rule }) => alert_rule.startsWith('RepeatedHits')),
  'rules',
)

// A name with blanks in the path, a list of texts, a range of dates.
const largest = await dataOf(
  'institutions',
  client.GET('/api/institutions', { params: { query: { limit: 1 } } }),
)
const holdings = await dataOf(
  'institution-holdings',
  client.GET('/api/institution/{name}/holdings', {
    params: {
      path: { name: largest.data[0]?.name ?? '' },
      query: {
        security_types: ['Share', 'Fund'],
        start_date: '2000-01-01',
        end_date: '2030-12-31',
        limit: 10,
      },
    },
  }),
)
assert(
  holdings.data.length > 0 && holdings.data.every(({ security_type }) => security_type !== 'Option'),
  'types',
)

// Enumerations in the path, and answers that are no lists.
const series = await dataOf(
  'economy',
  client.GET('/api/economy/{indicator}', {
    params: { path: { indicator: 'treasury-yield' }, query: { interval: 'monthly', maturity: '2year' } },
  }),
)
const value: number | null | undefined = series.data.data[0]?.value
assert(series.data.name.length > 0 && value !== undefined, 'series')
const candles = await dataOf(
  'crypto-ohlc',
  client.GET('/api/crypto/{pair}/ohlc/{candle_size}', {
    params: { path: { pair: 'BTC-USD', candle_size: '1w' }, query: { limit: 3 } },
  }),
)
assert(candles.data.length === 3, 'candles')
const rate = await dataOf(
  'forex-rate',
  client.GET('/api/forex/rate', { params: { query: { from: 'EUR', to: 'USD' } } }),
)
assert(rate.data.from === 'EUR' && typeof rate.data.rate === 'number', 'rate')
const fund = await dataOf(
  'etf-info',
  client.GET('/api/etfs/{ticker}/info', { params: { path: { ticker: 'WIDE' } } }),
)
const count: number | null = fund.data.holdings_count
assert(count !== null && count > 0, 'holdings')
const window = await dataOf(
  'analytics-window',
  client.GET('/api/analytics/window', {
    params: { query: { symbols: 'ACME,BRASS', range: '2month', calculations: 'MEAN,CORRELATION' } },
  }),
)
const { CORRELATION: correlation } = window.data.payload?.RETURNS_CALCULATIONS ?? {}
assert(correlation !== undefined && 'index' in correlation, 'correlation')

// Errors have types too.
const refused = await client.GET('/api/stock/{ticker}/greeks', {
  params: { path: { ticker: 'A B' }, query: { expiry: busiest.expiry } },
})
assert(
  refused.error !== undefined && 'msg' in refused.error && refused.error.msg.includes('ticker'),
  'the 422',
)
const missing = await client.GET('/api/predictions/market/{asset_id}/liquidity', {
  params: { path: { asset_id: 'no-such-asset' } },
})
assert(
  missing.error !== undefined && 'code' in missing.error && missing.error.code === 'not_found',
  'the 404',
)
const stranger = createClient<paths>({ baseUrl })
const { error } = await stranger.GET('/api/potus/posts')
assert(error !== undefined && 'reason' in error && error.reason === 'malformed_token', 'the 401')
