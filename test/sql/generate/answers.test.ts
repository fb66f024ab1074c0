import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '../../../src/engine/bind.ts'
import { openWriter, type Writer } from '../../../src/engine/writer.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { datasets } from '../../../src/lake/store/datasets.ts'
import { loadSnapshot, type Snapshot } from '../../../src/lake/store/snapshot.ts'
import { operations } from '../../../src/operations/index.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { alertsOf, type Market } from '../derive/flow_alerts/flow-rules.ts'
import { fill } from '../derive/flow_alerts/flow-trades.ts'

/** A whole lake as `generate` makes it, with what derives from it. */
let lake: string
let writer: Writer
let snapshot: Snapshot

beforeAll(async () => {
  lake = await sharedMarket('whole')
  writer = await openWriter({ directories: [lake], threads: 2 })
  snapshot = await loadSnapshot(lake)
}, 300_000)
afterAll(() => writer.close())

/** Generated bars have adjusted closes, which contain their dividends. */
const NOT_GENERATED = ['stock_dividends']

/** Columns that hold no value in any row of a generated lake, and why. */
const EMPTY_ON_PURPOSE: Readonly<Record<string, string>> = Object.fromEntries([
  ...['adjustment', 'dividend_ratio', 'suspected_split'].map(column => [
    `price_adjustments.${column}`,
    'generated bars have adjusted closes, and all splits are in the lake',
  ]),
  ...[
    'price',
    'rate',
    'forward',
    'implied_volatility',
    'delta',
    'gamma',
    'theta',
    'vega',
    'rho',
    'charm',
    'vanna',
  ].map(column => [`option_greek_days.${column}`, 'generated chains have greeks of their own']),
])

/** Columns without a value in any row. */
async function emptyColumns(name: string): Promise<string[]> {
  const columns = datasets().get(name)?.columns ?? []
  const [row = {}] = await writer.rows(
    `SELECT ${columns.map(each => `count("${each.name}") AS "${each.name}"`).join(', ')}
     FROM read_parquet($paths, hive_partitioning = false)`,
    { paths: files(snapshot.files(name).map(({ path }) => path)) },
  )
  return columns.flatMap(each => (row[each.name] === '0' ? [`${name}.${each.name}`] : []))
}

test('a generated lake holds every dataset, whole and fresh', { tags: 'slow' }, async () => {
  const { datasets: held, problems, stale } = await verify(writer, lake, () => {})
  expect({ problems, stale }).toEqual({ problems: [], stale: new Map() })
  const missing = [...datasets().keys()].filter(name => !held.some(({ dataset }) => dataset === name))
  expect(missing).toEqual(NOT_GENERATED)
})

test('no column is empty throughout without a reason', async () => {
  const empty: string[] = []
  for (const name of [...datasets().keys()].filter(each => !NOT_GENERATED.includes(each)))
    empty.push(...(await emptyColumns(name)))
  expect(empty.toSorted()).toEqual(Object.keys(EMPTY_ON_PURPOSE).toSorted())
})

describe('each operation has something to answer on its last day:', () => {
  test.each(operations.map(({ id, fields }) => [id, fields.dating] as const))('%s', async (_, dating) => {
    for (const name of dating) {
      const last = snapshot.lastDate(name)
      expect(last, name).not.toBeNull()
      expect(snapshot.files(name, { from: last ?? '', to: last ?? '' }).length, name).toBeGreaterThan(0)
    }
  })
})

const pathsOf = (name: string) => files(snapshot.files(name).map(({ path }) => path))
const parquet = (name: string) => `read_parquet($${name}, hive_partitioning = false)`

/** The inputs of the flow rules on a day, as the rules in plain loops take them; ids are places on the tape. */
async function tapeOf(day: string): Promise<{ market: Market; ids: Map<number, string> }> {
  const trades = await writer.rows(
    `SELECT row_number() OVER (ORDER BY executed_at, id)::INTEGER AS place, id::VARCHAR AS id, underlying_symbol,
       option_chain_id, option_type, expiry::VARCHAR AS expiry, strike::DOUBLE AS strike, price::DOUBLE AS price,
       size::DOUBLE AS size, premium::DOUBLE AS premium, underlying_price::DOUBLE AS underlying, canceled,
       epoch_us(executed_at - TIMESTAMP '${day} 15:00:00')::DOUBLE AS at, multi_vol > 0 AS multi,
       upstream_condition_detail AS detail
     FROM ${parquet('option_trades')} WHERE date = DATE '${day}'`,
    { option_trades: pathsOf('option_trades') },
  )
  const averages = await writer.rows(
    `SELECT option_symbol, contract_30_d_avg_volume::DOUBLE AS average
     FROM ${parquet('contract_days')} WHERE date = DATE '${day}'`,
    { contract_days: pathsOf('contract_days') },
  )
  const known = await writer.rows(
    `SELECT ticker, date::VARCHAR AS date, marketcap::DOUBLE AS marketcap, next_earnings_date::VARCHAR AS earnings
     FROM ${parquet('tickers')}`,
    { tickers: pathsOf('tickers') },
  )
  return {
    ids: new Map(trades.map(row => [Number(row.place), String(row.id)])),
    market: {
      fills: trades.map(row =>
        fill({
          id: Number(row.place),
          date: day,
          at: Number(row.at),
          ticker: String(row.underlying_symbol),
          contract: String(row.option_chain_id),
          type: row.option_type === 'call' ? 'call' : 'put',
          expiry: String(row.expiry),
          strike: Number(row.strike),
          price: Number(row.price),
          size: Number(row.size),
          premium: Number(row.premium),
          underlying: Number(row.underlying),
          canceled: row.canceled === true,
          multi: row.multi === true,
          detail: row.detail === null ? null : String(row.detail),
        }),
      ),
      averages: new Map(
        averages.map(row => [String(row.option_symbol), row.average === null ? null : Number(row.average)]),
      ),
      known: known.map(row => ({
        ticker: String(row.ticker),
        date: String(row.date),
        marketcap: row.marketcap === null ? null : Number(row.marketcap),
        earnings: row.earnings === null ? null : String(row.earnings),
      })),
    },
  }
}

test('every alert is what its rule, run again over the trades, finds, and none is missing', async () => {
  const days = [...new Set(snapshot.files('flow_alerts').map(({ dates: [day] }) => day))]
  expect(days.length).toBe(3)
  for (const day of days) {
    const { market, ids } = await tapeOf(day)
    const found = alertsOf(market, day).map(
      ({ rule, fills }) => `${rule} ${fills[0]?.contract} ${fills.map(({ id }) => ids.get(id)).join()}`,
    )
    const stored = await writer.rows(
      `SELECT concat_ws(' ', alert_rule, option_chain, array_to_string(trade_ids::VARCHAR[], ',')) AS alert
       FROM ${parquet('flow_alerts')} WHERE date = DATE '${day}'`,
      { flow_alerts: pathsOf('flow_alerts') },
    )
    expect(stored.map(row => String(row.alert)).toSorted(), day).toEqual(found.toSorted())
    expect(found.length, day).toBeGreaterThan(10)
  }
})
