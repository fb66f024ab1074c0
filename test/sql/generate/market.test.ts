import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionClose } from '../../../src/market/sessions.ts'
import { THREADS } from '../../fixtures/threads.ts'
import { amount } from '../../fixtures/tier.ts'
import { AGREEMENTS } from './agreement-bounds.ts'
import { ALL_SPAN_STEPS, checksums, type MadeMarket, makeMarket, SMALL } from './made-market.ts'
import { BOUNDS } from './market-bounds.ts'

const SEEDS = Array.from({ length: amount({ test: 1, prove: 20, long: 100 }) }, (_, index) => index + 1)
const FLOOR = ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl']
const CROSS = ['slcn', 'slci', 'mlct', 'tlct']

const markets = new Map<number, Promise<MadeMarket>>()
afterAll(async () => {
  for (const made of markets.values()) (await made).writer.close()
})

/** The market of a seed, which the tests share. */
function marketOf(seed: number): Promise<MadeMarket> {
  const made = markets.get(seed) ?? makeMarket({ seed, ...SMALL }, THREADS, ALL_SPAN_STEPS)
  markets.set(seed, made)
  return made
}

describe.each(SEEDS)('the market of seed %i', seed => {
  let made: MadeMarket
  beforeAll(async () => {
    made = await marketOf(seed)
  })

  test('answers exactly the columns of the datasets', () => {
    expect(made.strays).toEqual([])
  })

  test.each([...BOUNDS, ...AGREEMENTS])('%s', async (_, sql, min, max) => {
    const figure = await made.figure(sql)
    expect(figure).toBeGreaterThanOrEqual(min)
    expect(figure).toBeLessThanOrEqual(max)
  })

  test('stores the side that the fill has against the midpoint', async () => {
    const trades = await made.rows('FROM option_trades')
    const wrong = trades.filter(trade => {
      const none =
        trade.nbbo_bid === null ||
        trade.sale_condition !== null ||
        CROSS.includes(String(trade.upstream_condition_detail))
      const twice = Math.round(
        (2 * Number(trade.price) - Number(trade.nbbo_bid) - Number(trade.nbbo_ask)) * 1e4,
      )
      const side = none ? 'no_side' : twice > 0 ? 'ask' : twice < 0 ? 'bid' : 'mid'
      const tags = Array.isArray(trade.tags) ? trade.tags : []
      return (
        !['ask', 'bid', 'mid', 'no_side'].every(
          each => trade[`${each}_vol`] === (each === side ? trade.size : '0'),
        ) || !tags.includes(none ? 'no_side' : `${side}_side`)
      )
    })
    expect(wrong).toEqual([])
    const sides = ['ask_vol', 'bid_vol', 'mid_vol', 'no_side_vol']
    expect(sides.filter(side => trades.filter(trade => trade[side] !== '0').length < 50)).toEqual([])
    const floor = trades.filter(trade => FLOOR.includes(String(trade.upstream_condition_detail)))
    expect(floor.length).toBeGreaterThan(10)
  })
})

describe('a market', () => {
  test('has the same rows whatever the threads, and others of another seed', { tags: 'slow' }, async () => {
    const [one, other] = [await marketOf(1), await marketOf(2)]
    const two = await makeMarket({ seed: 1, ...SMALL }, 3 - THREADS)
    const [a, b, c] = [await checksums(one), await checksums(two), await checksums(other)]
    expect(b).toEqual(a)
    expect(Object.keys(a).filter(name => a[name] === c[name])).toEqual([])
    // Independent walks rise on the same days by chance only.
    const moves =
      'SELECT close > lag(close) OVER (PARTITION BY ticker ORDER BY date) AS up FROM daily_bars ORDER BY ticker, date'
    const [own, others] = [await one.rows(moves), await other.rows(moves)]
    expect(own.filter(({ up }, index) => up === others[index]?.up).length / own.length).toBeLessThan(0.6)
    two.writer.close()
  })

  test('ends an early close at 13:00 New York', { tags: 'slow' }, async () => {
    const made = await makeMarket({ seed: 3, days: 5, tickers: 3, tradesPerDay: 1000 })
    expect(made.market.days[0]).toBe('2024-12-24')
    expect(sessionClose('2024-12-24')).toBe(780)
    const eve = `date = '2024-12-24'`
    expect(await made.rows(`SELECT max(start)::VARCHAR AS last FROM stock_bars WHERE ${eve}`)).toEqual([
      { last: '2024-12-24 17:59:00' },
    ])
    for (const trades of ['option_trades', 'stock_trades'])
      expect(
        await made.figure(
          `SELECT count(*) FROM ${trades} WHERE ${eve} AND executed_at NOT BETWEEN TIMESTAMP '2024-12-24 14:30:00' AND TIMESTAMP '2024-12-24 17:59:59.999999'`,
        ),
      ).toBe(0)
    made.writer.close()
  })

  test('of 30 tickers has every sector, kind and tier of capitalisation', async () => {
    const made = await makeMarket({ seed: 2, days: 1, tickers: 30, tradesPerDay: 400 })
    expect(await made.figure('SELECT count(DISTINCT sector) FROM tickers')).toBe(11)
    expect(
      await made.rows(
        'SELECT issue_type, count(DISTINCT ticker)::INTEGER AS n FROM tickers GROUP BY 1 ORDER BY 1',
      ),
    ).toEqual([
      { issue_type: 'ADR', n: 1 },
      { issue_type: 'Common Stock', n: 25 },
      { issue_type: 'ETF', n: 3 },
      { issue_type: 'Index', n: 1 },
    ])
    expect(
      await made.figure(
        'SELECT count(DISTINCT CASE WHEN marketcap < 10e9 THEN 0 WHEN marketcap < 50e9 THEN 1 WHEN marketcap < 100e9 THEN 2 WHEN marketcap <= 500e9 THEN 3 ELSE 4 END) FROM tickers',
      ),
    ).toBe(5)
    made.writer.close()
  })

  test('refuses options out of bounds', async () => {
    await expect(makeMarket({ seed: 1, days: 0, tickers: 3, tradesPerDay: 1000 })).rejects.toThrow(/days/)
    await expect(makeMarket({ seed: 1.5, days: 1, tickers: 3, tradesPerDay: 1000 })).rejects.toThrow(/seed/)
  })
})
