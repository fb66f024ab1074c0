import { beforeAll, describe, expect, test } from 'vitest'
import { amount, sampleOf } from '../../../fixtures/tier.ts'
import { LAST_SESSION, MANY, type Market, sharedMarket } from './market.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const MATURITIES = ['10year', '2year', '30year', '3month', '5year', '7year']
const PAIRS = ['AUD/USD', 'EUR/USD', 'GBP/USD', 'USD/CAD', 'USD/CHF', 'USD/JPY']

/** Weekdays from 2000-01-01 to 2024-12-31. */
function weekdays(): string[] {
  const found: string[] = []
  for (let ms = Date.UTC(2000, 0, 1); ms <= Date.parse(LAST_SESSION); ms += DAY_MS)
    if (![0, 6].includes(new Date(ms).getUTCDay())) found.push(new Date(ms).toISOString().slice(0, 10))
  return found
}

function meanAndDeviation(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.sqrt(variance) }
}

const logReturns = (prices: readonly number[]) =>
  prices.slice(1).map((price, place) => Math.log(price / (prices[place] ?? Number.NaN)))

/** The time of a TIMESTAMP without zone, which is UTC. */
const instantOf = (value: unknown) => Date.parse(`${String(value).replace(' ', 'T')}Z`)

/** `npm test` tries the first. */
const MARKETS = sampleOf(
  [{ ...MANY, seed: 12 }, { ...MANY, seed: 13 }, MANY],
  amount({ test: 1, prove: 3, long: 3 }),
)

describe.each(MARKETS.slice(0, amount({ test: 1, prove: 3, long: 3 })))(
  'in the market of seed $seed',
  shape => {
    let market: Market
    const rows = (sql: string) => market.writer.rows(sql)
    beforeAll(async () => {
      market = await sharedMarket(shape)
    })

    test('the economic series have a point for every period that is published', async () => {
      const series = await rows(
        `SELECT concat_ws(' ', indicator, nullif(maturity, ''), interval) AS series, count(*)::INTEGER AS points,
         min(date)::VARCHAR AS first, max(date)::VARCHAR AS last FROM economic_points GROUP BY ALL ORDER BY ALL`,
      )
      // 25 years: 300 months of which December is not out yet, 100 quarters without the last, 9132 days, years to 2023.
      const monthly = { points: 299, first: '2000-01-01', last: '2024-11-01' }
      const quarterly = { points: 99, first: '2000-01-01', last: '2024-07-01' }
      expect(series).toEqual([
        { series: 'cpi monthly', ...monthly },
        { series: 'durables monthly', ...monthly },
        { series: 'fed-funds daily', points: 9132, first: '2000-01-01', last: LAST_SESSION },
        { series: 'gdp quarterly', ...quarterly },
        { series: 'gdp-per-capita quarterly', ...quarterly },
        { series: 'inflation annual', points: 24, first: '2000-01-01', last: '2023-01-01' },
        { series: 'payrolls monthly', ...monthly },
        { series: 'retail-sales monthly', ...monthly },
        ...MATURITIES.map(maturity => ({
          series: `treasury-yield ${maturity} daily`,
          points: weekdays().length,
          first: '2000-01-03',
          last: LAST_SESSION,
        })),
        { series: 'unemployment monthly', ...monthly },
      ])
    })

    test('yields are blank on holidays only', async () => {
      const blank = await rows(
        `SELECT DISTINCT indicator, date::VARCHAR AS date FROM economic_points WHERE value IS NULL ORDER BY date`,
      )
      const thanksgiving = (date: string) =>
        date.slice(5, 7) === '11' &&
        new Date(date).getUTCDay() === 4 &&
        Math.ceil(Number(date.slice(8)) / 7) === 4
      const holidays = weekdays().filter(
        date => ['01-01', '07-04', '12-25'].includes(date.slice(5)) || thanksgiving(date),
      )
      expect(blank).toEqual(holidays.map(date => ({ indicator: 'treasury-yield', date })))
    })

    test('levels are plausible: rates within 0 and 7, joblessness within 3 and 11, GDP per head 45,000 to 75,000', async () => {
      const [range = {}] = await rows(
        `SELECT min(value) FILTER (indicator IN ('treasury-yield', 'fed-funds')) AS lowest,
         max(value) FILTER (indicator IN ('treasury-yield', 'fed-funds')) AS highest,
         min(value) FILTER (indicator = 'unemployment') AS fewest, max(value) FILTER (indicator = 'unemployment') AS most,
         min(value) FILTER (indicator = 'gdp-per-capita') AS poorest, max(value) FILTER (indicator = 'gdp-per-capita') AS richest
       FROM economic_points`,
      )
      const { lowest, highest, fewest, most, poorest, richest } = range
      expect([Number(lowest) > 0, Number(highest) < 7]).toEqual([true, true])
      expect([Number(fewest) > 3, Number(most) < 11]).toEqual([true, true])
      expect([Number(poorest) > 45_000, Number(richest) < 75_000]).toEqual([true, true])
    })

    test('inflation is the change of the mean price index of the year', async () => {
      const index = await rows(
        `SELECT year(date)::INTEGER AS year, value FROM economic_points WHERE indicator = 'cpi'`,
      )
      const mean = (year: number) =>
        meanAndDeviation(index.filter(each => each.year === year).map(each => Number(each.value))).mean
      const inflation = await rows(
        `SELECT year(date)::INTEGER AS year, value FROM economic_points WHERE indicator = 'inflation' AND date >= '2001-01-01'`,
      )
      expect(inflation).toHaveLength(23)
      for (const { year, value } of inflation) {
        const change = (mean(Number(year)) / mean(Number(year) - 1) - 1) * 100
        expect(Math.abs(Number(value) - change)).toBeLessThan(0.0001)
      }
    })

    test('every quoted pair agrees with its cross through the euro within 0.1 %', async () => {
      const quotes = await rows(
        'SELECT base, quote, date::VARCHAR AS date, rate, bid, ask FROM fx_quotes ORDER BY time',
      )
      const references = new Map<string, number>()
      for (const { base, quote, date, rate, bid } of quotes)
        if (base === 'EUR' && bid === null) references.set(`${quote} ${date}`, Number(rate))
      expect(references.size / new Set([...references.keys()].map(key => key.slice(4))).size).toBe(13)
      const pairs = new Set<string>()
      for (const { base, quote, date, rate, bid, ask } of quotes) {
        expect([0, 6]).not.toContain(new Date(String(date)).getUTCDay())
        if (bid === null) {
          expect([base, ask]).toEqual(['EUR', null])
          continue
        }
        pairs.add(`${base}/${quote}`)
        const perEuro = (currency: unknown) =>
          currency === 'EUR' ? 1 : (references.get(`${currency} ${date}`) ?? Number.NaN)
        expect(Math.abs(Number(rate) / (perEuro(quote) / perEuro(base)) - 1)).toBeLessThan(0.001)
        expect(Number(bid)).toBeLessThan(Number(ask))
        expect(Math.abs(Number(rate) - (Number(bid) + Number(ask)) / 2)).toBeLessThan(1e-9)
      }
      expect([...pairs].toSorted()).toEqual(PAIRS)
      expect(quotes[0]?.date).toBe('2023-01-02')
      expect(quotes.at(-1)?.date).toBe(LAST_SESSION)
    })

    test('exchange rates wander as widely as they should, and apart from each other', async () => {
      const rates = await rows(
        `SELECT quote, list(rate::DOUBLE ORDER BY date) AS rates FROM fx_quotes WHERE bid IS NULL GROUP BY quote`,
      )
      const returns = new Map(rates.map(({ quote, rates }) => [quote, logReturns(rates as number[])]))
      const [dollar = [], yen = []] = [returns.get('USD'), returns.get('JPY')]
      // 0.42 % a day; of about 500 days the deviation is known to 3 %, the mean to 0.019 %: four times that.
      const { mean, deviation } = meanAndDeviation(dollar)
      expect(Math.abs(deviation / 0.0042 - 1)).toBeLessThan(0.13)
      expect(Math.abs(mean)).toBeLessThan(0.00076)
      // Four times 1 / √500.
      const together = meanAndDeviation(dollar.map((each, day) => each * (yen[day] ?? Number.NaN))).mean
      expect(Math.abs(together / (deviation * meanAndDeviation(yen).deviation))).toBeLessThan(0.18)
    })

    test('candles are minutes whose prices hang together, for fourteen days, a few missing', async () => {
      const candles = await rows(
        `SELECT pair, start, date::VARCHAR AS date, seconds, volume,
         [open::DOUBLE, high::DOUBLE, low::DOUBLE, close::DOUBLE] AS prices FROM crypto_candles ORDER BY pair, start`,
      )
      let former: { pair: unknown; at: number; close: number } | undefined
      const counts = new Map<unknown, number>()
      const wrong: unknown[] = []
      for (const candle of candles) {
        const [open = 0, high = 0, low = 0, close = 0] = candle.prices as number[]
        const at = instantOf(candle.start)
        const follows = former?.pair === candle.pair && former?.at === at - MINUTE_MS
        const holds =
          candle.seconds === 60 &&
          at % MINUTE_MS === 0 &&
          String(candle.start).startsWith(String(candle.date)) &&
          low > 0 &&
          low <= Math.min(open, close) &&
          high >= Math.max(open, close) &&
          Number(candle.volume) > 0 &&
          (!follows || former?.close === open)
        if (!holds) wrong.push(candle)
        former = { pair: candle.pair, at, close }
        counts.set(candle.pair, (counts.get(candle.pair) ?? 0) + 1)
      }
      expect(wrong).toEqual([])
      expect([...counts.keys()]).toEqual(['BTC-USD', 'DOGE-USD', 'ETH-USD', 'SOL-USD'])
      for (const count of counts.values()) {
        expect(count).toBeLessThan(14 * 1440)
        expect(count).toBeGreaterThan(0.98 * 14 * 1440)
      }
      expect(candles[0]?.start).toBe('2024-12-18 00:00:00')
    })

    test('coins wander by chance alone: no pair drifts beyond four deviations in fourteen days', async () => {
      // A minute of bitcoin deviates by 0.06 %, one of dogecoin by 0.1 %: √20160 = 142 times that in all.
      const minutely = { 'BTC-USD': 0.0006, 'ETH-USD': 0.0007, 'SOL-USD': 0.0009, 'DOGE-USD': 0.001 }
      const moved = await rows(
        `SELECT pair, ln(arg_max(close, start) / arg_min(open, start)) AS drift FROM crypto_candles GROUP BY pair`,
      )
      for (const { pair, drift } of moved)
        expect(Math.abs(Number(drift))).toBeLessThan(
          4 * 142 * minutely[String(pair) as keyof typeof minutely],
        )
    })

    test('cash-flow statements add up, and a year is the sum of its quarters', async () => {
      const statements = await rows(
        `SELECT *, fiscal_date_ending::VARCHAR AS ending FROM cash_flow_statements ORDER BY ticker, fiscal_date_ending`,
      )
      const number = (value: unknown) => Number(value ?? 0)
      for (const each of statements) {
        expect(number(each.change_in_cash_and_cash_equivalents)).toBe(
          number(each.operating_cashflow) +
            number(each.cashflow_from_investment) +
            number(each.cashflow_from_financing) +
            number(each.change_in_exchange_rate),
        )
        expect(number(each.operating_cashflow)).toBe(
          number(each.profit_loss) +
            number(each.depreciation_depletion_and_amortization) +
            number(each.stock_based_compensation) -
            number(each.change_in_operating_assets) +
            number(each.change_in_operating_liabilities),
        )
        expect(number(each.dividend_payout)).toBe(
          number(each.dividend_payout_common_stock) + number(each.dividend_payout_preferred_stock),
        )
        expect(number(each.proceeds_from_repurchase_of_equity)).toBe(
          -number(each.payments_for_repurchase_of_equity),
        )
        const days = (instantOf(each.inserted_at) - Date.parse(String(each.ending))) / DAY_MS
        expect(days > 19 && days < 46).toBe(true)
      }
      const companies = await rows(`FROM market_tickers WHERE issue_type IN ('Common Stock', 'ADR')`)
      const of = (ticker: unknown, type: string) =>
        statements.filter(each => each.ticker === ticker && each.report_type === type)
      for (const { ticker, shares_outstanding, first_price } of companies) {
        const [quarters, years] = [of(ticker, 'quarterly'), of(ticker, 'annual')]
        expect([quarters.length, years.length]).toEqual([12, 5])
        for (const year of years.slice(-2)) {
          const last = quarters.findIndex(({ ending }) => ending === year.ending)
          const four = quarters.slice(last - 3, last + 1)
          expect(four).toHaveLength(4)
          for (const item of [
            'net_income',
            'operating_cashflow',
            'capital_expenditures',
            'change_in_inventory',
          ])
            expect(number(year[item])).toBe(four.reduce((sum, each) => sum + number(each[item]), 0))
        }
        // Four hundredths of its worth are a quarter's sales, of which it earns 2 to 24 %; sales grow and vary by a fifth.
        const perDollar = { USD: 1, EUR: 0.93, GBP: 0.79, JPY: 146 }[String(quarters[0]?.reported_currency)]
        const worth = Number(shares_outstanding) * Number(first_price) * (perDollar ?? Number.NaN)
        const earned = number(quarters.at(-1)?.net_income) / worth
        expect(earned > 0.0005 && earned < 0.014, `${ticker} ${earned}`).toBe(true)
      }
    })
  },
)
