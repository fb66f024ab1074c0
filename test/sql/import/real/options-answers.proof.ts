import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const OPTIONS = '../shared/realdata/options'
const STOCKS = '../shared/realdata/stocks_intraday/lean_equity_minute_trade.csv.gz'

type Answer = Readonly<Record<string, string | number | boolean | null>>

describe.skipIf(!existsSync(OPTIONS) || !existsSync(STOCKS))(`The real files in ${OPTIONS}`, () => {
  test('produce a lake whose answers are what zcat, grep and awk read in them', async () => {
    const at = importingFormat('option-bars')
    await at.import([STOCKS], { format: 'minute-bars' })
    await at.import([join(OPTIONS, 'lean_option_daily_openinterest.csv.gz')], {
      format: 'option-open-interest',
    })
    await at.import([join(OPTIONS, 'cboe_delayed_2023-09-14')], { format: 'option-chain' })
    await at.import([
      join(OPTIONS, 'lean_option_minute_trade.csv.gz'),
      join(OPTIONS, 'lean_option_minute_quote.csv.gz'),
    ])
    const service = await serveForTest(at.folder, at.lake)
    const ask = async (url: string): Promise<readonly Answer[]> => {
      const headers = { authorization: `Bearer ${service.token}` }
      const { statusCode, payload } = await service.server.inject({ url: `/api${url}`, headers })
      expect(statusCode).toBe(200)
      return JSON.parse(payload).data
    }

    try {
      // 12 bars of 98 contracts at 12 prices, the last one at 12:56 in New York at 12.50, which the quotes of that minute
      // leave at 12.20 to 12.50; open interest 889.
      const trades = await ask('/option-contract/GOOG160115C00750000/flow?date=2015-12-24')
      expect(trades.length).toBe(12)
      expect(trades[0]).toMatchObject({
        executed_at: '2015-12-24T17:56:00.000000Z',
        price: '12.5000',
        size: 1,
        premium: '1250.0000',
        volume: 98,
        open_interest: 889,
        nbbo_bid: '12.2000',
        nbbo_ask: '12.5000',
        ask_vol: 1,
        tags: ['ask_side', 'bullish'],
      })
      const stock = trades.map(({ underlying_price }) => Number(underlying_price))
      expect(stock.filter(price => price < 740 || price > 760)).toEqual([])
      const levels = await ask('/option-contract/GOOG160115C00750000/volume-profile?date=2015-12-24')
      expect(levels.map(({ transactions }) => transactions)).toEqual(Array.from({ length: 12 }, () => 1))
      expect(levels.reduce((sum, { volume }) => sum + Number(volume), 0)).toBe(98)

      // Open interest of the day by expiry and right; volume of the day by expiry.
      const interest = await ask('/stock/AAPL/oi-per-expiry?date=2014-06-06')
      expect(interest.length).toBe(13)
      expect(interest.find(({ expiry }) => expiry === '2015-01-17')).toEqual({
        date: '2014-06-06',
        expiry: '2015-01-17',
        call_oi: 395_330,
        put_oi: 277_586,
      })
      const volumes = await ask('/stock/AAPL/option/volume-oi-expiry?date=2014-06-06')
      expect(volumes.find(({ expires }) => expires === '2014-06-06')).toEqual({
        expires: '2014-06-06',
        oi: 267_806,
        volume: 200_794,
      })

      // 194 lines have the expiry; the deltas are those of the line.
      const strikes = await ask('/stock/SPY/greeks?date=2023-09-14&expiry=2023-09-29')
      expect(strikes.length).toBe(194)
      const money = strikes.find(({ strike }) => strike === '450.000')
      expect([Number(money?.call_delta), Number(money?.put_delta)]).toEqual([0.5131, -0.5034])
      expect(Number(money?.call_theta)).toBeLessThan(0)

      // No other contract of the day traded as much; 385 bars.
      const [first] = await ask('/screener/option-contracts?date=2014-06-06&limit=1')
      expect(first).toMatchObject({
        option_symbol: 'AAPL140606C00650000',
        volume: 33_805,
        trades: 385,
        open_interest: 13_241,
        close: '0.0100',
      })
    } finally {
      await service.close()
    }
  }, 300_000)
})
