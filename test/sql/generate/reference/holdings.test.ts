import { beforeAll, describe, expect, test } from 'vitest'
import { isSession } from '../../../../src/market/sessions.ts'
import { amount, sampleOf } from '../../../fixtures/tier.ts'
import { LAST_SESSION, MANY, type Market, type MarketShape, sharedMarket } from './market.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DAY_MS = 86_400_000
/** Quarter ends whose 45 days have passed by 2024-12-31, the last nine. */
const REPORT_DATES = [
  '2022-09-30',
  '2022-12-31',
  '2023-03-31',
  '2023-06-30',
  '2023-09-30',
  '2023-12-31',
  '2024-03-31',
  '2024-06-30',
  '2024-09-30',
]
const TAGS =
  'advisor value_investor brokerage hedge_fund private_fund biotech activist top_fund tiger_club esg credit 13d_activist energy small_cap event real_estate technology public_companies known'

/** The check digit of the first eight characters of a CUSIP (ANSI X9.6): modulus 10, double-add-double. */
function checkDigit(body: string): number {
  let sum = 0
  for (const [place, character] of [...body].entries()) {
    const value = ALPHABET.indexOf(character) * (place % 2 === 0 ? 1 : 2)
    sum += Math.floor(value / 10) + (value % 10)
  }
  return (10 - (sum % 10)) % 10
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const daysBetween = (from: unknown, to: unknown) =>
  (Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS
/** A decimal of six places as a whole number of millionths. */
const millionths = (value: unknown) => BigInt(String(value).replace('.', ''))

/** Tickers 7, 8 and 9 are funds, and above 30 those of the form 12 n + 7: 31 and 43. */
const fundsOf = ({ tickers }: MarketShape) => 3 + [31, 43].filter(number => number < tickers).length

/** `npm test` tries the first. */
const MARKETS = sampleOf([{ seed: 5, tickers: 50, days: 5 }, MANY], amount({ test: 1, prove: 2, long: 2 }))

describe.each(MARKETS.slice(0, amount({ test: 1, prove: 2, long: 2 })))(
  'in the market of seed $seed',
  shape => {
    let market: Market
    let closes: Map<string, string>
    const rows = (sql: string) => market.writer.rows(sql)
    beforeAll(async () => {
      market = await sharedMarket(shape)
      const days = await rows(
        'SELECT ticker, date::VARCHAR AS date, close::VARCHAR AS close FROM market_days',
      )
      closes = new Map(days.map(({ ticker, date, close }) => [`${ticker} ${date}`, String(close)]))
    })

    /** The close of a ticker on a day or the last session before it; undefined before the market starts. */
    function closeAsOf(ticker: unknown, date: unknown): string | undefined {
      for (let ms = Date.parse(String(date)); dayOf(ms) >= market.first; ms -= DAY_MS) {
        const close = closes.get(`${ticker} ${dayOf(ms)}`)
        if (close !== undefined) return close
      }
      return undefined
    }

    test('institutions bear every tag and report every quarter under the name that they are known by', async () => {
      const tags = await rows('SELECT DISTINCT unnest(tags) AS tag FROM institutions')
      expect(tags.map(({ tag }) => tag).toSorted()).toEqual(TAGS.split(' ').toSorted())
      expect(
        await rows(
          `SELECT cik, institution_name FROM institution_holdings EXCEPT SELECT cik, name FROM institutions`,
        ),
      ).toEqual([])
      const reports = await rows(
        `SELECT report_date, count(DISTINCT cik) AS institutions FROM institution_holdings GROUP BY ALL ORDER BY ALL`,
      )
      expect(reports).toEqual(REPORT_DATES.map(report_date => ({ report_date, institutions: '40' })))
    })

    test('a report is filed on one weekday within 45 days, and about every third one once more, up to 9 weeks later', async () => {
      const filings = await rows(
        `SELECT report_date, filing_date, filing_kind, filing_date = min(filing_date) OVER (PARTITION BY cik, report_date) AS is_first
         FROM (SELECT DISTINCT cik, report_date, filing_date, filing_kind FROM institution_holdings)`,
      )
      const [first, second] = [true, false].map(is => filings.filter(({ is_first }) => is_first === is))
      expect(first).toHaveLength(40 * REPORT_DATES.length)
      for (const { report_date, filing_date, filing_kind } of first ?? []) {
        expect(filing_kind).toBe('report')
        expect(daysBetween(report_date, filing_date)).toBeGreaterThan(20)
        expect(daysBetween(report_date, filing_date)).toBeLessThanOrEqual(45)
      }
      for (const kind of ['report', 'addition'])
        expect(second?.filter(({ filing_kind }) => filing_kind === kind).length).toBeGreaterThan(20)
      // Each with a probability of a third: four standard deviations above it.
      expect(second?.length).toBeLessThan(156)
      for (const { report_date, filing_date } of second ?? []) {
        expect(daysBetween(report_date, filing_date)).toBeGreaterThan(43)
        expect(daysBetween(report_date, filing_date)).toBeLessThanOrEqual(45 + 63)
        expect(String(filing_date) <= '2024-12-31').toBe(true)
      }
      for (const { filing_date } of filings)
        expect([0, 6]).not.toContain(new Date(String(filing_date)).getUTCDay())
    })

    test('the check digit of every CUSIP is right', async () => {
      // Published CUSIPs: Apple 037833100, Cisco 17275R102, Oracle 68389X105.
      expect(['03783310', '17275R10', '68389X10'].map(checkDigit)).toEqual([0, 2, 5])
      const cusips = await rows('SELECT DISTINCT cusip, title_of_class FROM institution_holdings')
      for (const { cusip } of cusips) {
        expect(cusip).toMatch(/^[0-9A-HJ-NP-Z]{3}99[A-HJ-NP-Z][0-9A-Z]{2}[0-9]$/)
        expect(Number(String(cusip)[8]), String(cusip)).toBe(checkDigit(String(cusip).slice(0, 8)))
      }
      expect(cusips.length).toBe(new Set(cusips.map(({ cusip }) => cusip)).size)
    })

    test('shares, funds and options are worth units × close of the report date', async () => {
      const held = await rows(
        `SELECT ticker, report_date, units, value FROM institution_holdings
       WHERE security_type IN ('Share', 'Fund', 'Option') AND ticker <> cusip`,
      )
      let compared = 0
      for (const { ticker, report_date, units, value } of held) {
        const close = closeAsOf(ticker, report_date)
        expect(Number(value)).toBeGreaterThan(0)
        if (close === undefined) continue
        compared += 1
        // Millionths to cents, half up.
        const cents = (BigInt(String(units)) * millionths(close) + 5000n) / 10_000n
        expect(String(value).replace('.', '')).toBe(String(cents))
      }
      expect(compared).toBeGreaterThan(100)
      expect(compared).toBeLessThan(held.length)
    })

    test('positions are of every kind, and within what is outstanding', async () => {
      const kinds = await rows(
        'SELECT DISTINCT security_type, put_call FROM institution_holdings ORDER BY ALL',
      )
      expect(kinds.map(kind => `${kind.security_type} ${kind.put_call}`.trim())).toEqual(
        'Debt,Fund,Option call,Option put,Preferred,Share,Warrant'.split(','),
      )
      expect(
        await rows(
          `SELECT report_date, ticker, sum(units) AS units FROM institution_holdings JOIN market_tickers USING (ticker)
         WHERE security_type = 'Share' GROUP BY ALL HAVING sum(units) > any_value(shares_outstanding)`,
        ),
      ).toEqual([])
    })

    test('positions in shares and options have the split of their ticker', async () => {
      const [split] = await rows('SELECT ticker, date, units FROM market_splits')
      expect(split).toMatchObject({ ticker: 'DELTA', units: 2 })
      const held = await rows(
        `SELECT security_type, report_date, units FROM institution_holdings WHERE ticker = 'DELTA'`,
      )
      const units = (type: string, isAfter: boolean) =>
        held
          .filter(
            each =>
              each.security_type === type && String(each.report_date) >= String(split?.date) === isAfter,
          )
          .map(each => Number(each.units))
      const multiples = (all: readonly number[], of: number) => all.filter(each => each % of === 0).length
      const [before, after] = [units('Share', false), units('Share', true)]
      // Every position after the split is one before it, times 2; of those before it about half are even.
      expect(multiples(after, 2)).toBe(after.length)
      expect(multiples(before, 2)).toBeLessThan(0.75 * before.length)
      const options = units('Option', true)
      expect(multiples(options, 200)).toBe(options.length)
      // Changes of a report are at most 12 %; the mean of the later ones is near twice that of the earlier ones.
      const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length
      expect(mean(after) / mean(before)).toBeGreaterThan(1.5)
      expect(mean(after) / mean(before)).toBeLessThan(3)
    })

    test('positions are added to, cut, closed, and bought again', async () => {
      const held = await rows(
        'SELECT cik || cusip || security_type || put_call AS position, report_date, units FROM institution_holdings',
      )
      const histories = new Map<unknown, (number | undefined)[]>()
      for (const { position, report_date, units } of held) {
        const history = histories.get(position) ?? REPORT_DATES.map(() => undefined)
        history[REPORT_DATES.indexOf(String(report_date))] = Number(units)
        histories.set(position, history)
      }
      const count = (fits: (history: readonly (number | undefined)[]) => boolean) =>
        [...histories.values()].filter(fits).length
      const changes = (compare: (before: number, after: number) => boolean) =>
        count(history =>
          history.some((units, report) => {
            const before = history[report - 1]
            return units !== undefined && before !== undefined && compare(before, units)
          }),
        )
      const gap = (history: readonly (number | undefined)[]) =>
        history.map(units => (units === undefined ? '-' : 'x')).join('')
      expect(changes((before, after) => after > before)).toBeGreaterThan(20)
      expect(changes((before, after) => after < before)).toBeGreaterThan(20)
      expect(changes((before, after) => after === before)).toBeGreaterThan(20)
      expect(count(history => /^x+-+$/.test(gap(history)))).toBeGreaterThan(5)
      expect(count(history => /^-+x+$/.test(gap(history)))).toBeGreaterThan(5)
      expect(count(history => /^x+-+x+$/.test(gap(history)))).toBeGreaterThan(5)
    })

    test("a fund's weights follow the worth of its stocks and add up to 99.5 with bills and cash", async () => {
      const lists = await rows(
        `SELECT date, etf, list(ticker ORDER BY ticker, name) AS tickers, list(weight ORDER BY ticker, name) AS weights,
         list(shares ORDER BY ticker, name) AS shares FROM etf_holdings GROUP BY ALL`,
      )
      // Five sessions.
      expect(lists).toHaveLength(5 * fundsOf(shape))
      expect(lists.every(({ date }) => isSession(String(date)))).toBe(true)
      for (const list of lists) {
        const [tickers, weights, shares] = [list.tickers, list.weights, list.shares].map(
          each => each as string[],
        )
        const worth = (tickers ?? []).map((ticker, place) =>
          ticker === '' ? 0 : Number(closes.get(`${ticker} ${list.date}`)) * Number(shares?.[place]),
        )
        const total = worth.reduce((sum, each) => sum + each)
        let sum = 0
        for (const [place, weight] of (weights ?? []).entries()) {
          sum += Number(weight)
          if (tickers?.[place] === '') continue
          expect(Math.abs(Number(weight) - (98 * (worth[place] ?? 0)) / total)).toBeLessThan(2e-6)
        }
        expect(sum).toBeLessThanOrEqual(99.5 + 1e-9)
        expect(sum).toBeGreaterThan(99.499)
        expect((weights ?? []).filter((_, place) => tickers?.[place] === '')).toEqual([
          '1.000000',
          '0.500000',
        ])
      }
    })

    test('a fund is described at its start and from then on, with as many holdings as its list has', async () => {
      const funds = await rows(
        `SELECT ticker, list(date ORDER BY date)::VARCHAR[] AS dates, list(DISTINCT holdings_count) AS counts,
         (SELECT count(*)::INTEGER FROM etf_holdings WHERE etf = etfs.ticker AND date = DATE '${LAST_SESSION}') AS held
       FROM etfs GROUP BY ticker`,
      )
      expect(funds).toHaveLength(fundsOf(shape))
      for (const { dates, counts, held } of funds) {
        // A row a month and one for each of the five lists at least.
        expect((dates as string[]).length).toBeGreaterThan(17)
        expect((dates as string[])[0]).toBe(market.first)
        expect(counts).toEqual([held])
      }
      const fees = await rows(
        'SELECT ticker, list(DISTINCT expense_ratio ORDER BY expense_ratio)::DOUBLE[] AS fees FROM etfs GROUP BY ticker',
      )
      for (const each of fees) {
        const [reduced = 0, former = 0] = each.fees as number[]
        expect([each.fees, former - reduced]).toEqual([expect.any(Array), expect.closeTo(0.01, 9)])
      }
    })

    test('a fund is worth its shares at their price, and holds stocks for 98 % of that', async () => {
      const assets = await rows(
        `SELECT etfs.ticker, etfs.date::VARCHAR AS date, aum, marketcap, shares_outstanding FROM etfs
       LEFT JOIN market_profiles AS profiles ON profiles.ticker = etfs.ticker AND profiles.date = etfs.date`,
      )
      for (const { ticker, date, aum, marketcap, shares_outstanding } of assets) {
        expect(marketcap).toBe(aum)
        const worth = Number(shares_outstanding) * Number(closeAsOf(ticker, date))
        expect(Math.abs(Number(aum) / worth - 1)).toBeLessThan(1e-9)
      }
      const held = await rows(
        `SELECT etf, date::VARCHAR AS date, type, list(ticker) AS tickers, list(shares) AS shares FROM etf_holdings GROUP BY ALL`,
      )
      // Five sessions, three types.
      expect(held).toHaveLength(15 * fundsOf(shape))
      const parts: Readonly<Record<string, number>> = { stock: 0.98, bond: 0.01, cash: 0.005 }
      for (const { etf, date, type, tickers, shares } of held) {
        const { aum } = assets.find(each => each.ticker === etf && each.date === date) ?? {}
        const worth = (tickers as string[]).map(
          (ticker, place) =>
            Number((shares as string[])[place]) * (ticker === '' ? 1 : Number(closeAsOf(ticker, date))),
        )
        const part = worth.reduce((sum, each) => sum + each) / Number(aum)
        // Whole shares: half a share of each stock is lost or gained.
        expect(Math.abs(part / (parts[String(type)] ?? 0) - 1)).toBeLessThan(1e-5)
      }
    })
  },
)
