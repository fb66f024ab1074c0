import { beforeAll, describe, expect, test } from 'vitest'
import { isSession } from '../../../../src/market/sessions.ts'
import { amount } from '../../../fixtures/tier.ts'
import { FEW, LAST_SESSION, type Market, sharedMarket } from './market.ts'

const DAY_MS = 86_400_000
const AMOUNTS = /^\$[\d,]+ - \$[\d,]+$/

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const daysBetween = (from: unknown, to: unknown) =>
  (Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS

/** Sessions after `from` up to `to`. */
function sessionsBetween(from: unknown, to: unknown): number {
  let sessions = 0
  for (let ms = Date.parse(String(from)) + DAY_MS; ms <= Date.parse(String(to)); ms += DAY_MS)
    if (isSession(dayOf(ms))) sessions += 1
  return sessions
}

/** `npm test` tries the first. */
const MARKETS = [FEW, { seed: 7, tickers: 50, days: 5 }]

describe.each(MARKETS.slice(0, amount({ test: 1, prove: 2, long: 2 })))(
  'in the market of seed $seed',
  shape => {
    let market: Market
    const rows = (sql: string) => market.writer.rows(sql)
    beforeAll(async () => {
      market = await sharedMarket(shape)
    })

    test('every company has three to seven insiders, people and funds', async () => {
      const companies = await rows(
        `SELECT ticker, count(cik) AS insiders FROM market_tickers LEFT JOIN insiders USING (ticker)
       WHERE issue_type IN ('Common Stock', 'ADR') GROUP BY ALL`,
      )
      for (const { insiders } of companies) {
        expect(Number(insiders)).toBeGreaterThanOrEqual(3)
        expect(Number(insiders)).toBeLessThanOrEqual(7)
      }
      const insiders = await rows('SELECT cik, id, name, display_name, name_slug, is_person FROM insiders')
      expect(new Set(insiders.map(({ is_person }) => is_person))).toEqual(new Set([true, false]))
      for (const { name, display_name, name_slug, is_person } of insiders) {
        expect(name).toBe(String(name).toUpperCase())
        // "Ada T. Lovelace-Orr" → "ada-t-lovelace-orr"
        expect(name_slug).toBe(String(display_name).toLowerCase().replaceAll('.', '').replaceAll(' ', '-'))
        if (is_person) {
          const [first = '', initial = '', last = ''] = String(display_name).split(' ')
          expect(name).toBe(`${last} ${first} ${initial.replace('.', '')}`.toUpperCase())
        }
      }
      // One number for one insider, however many companies.
      expect(new Set(insiders.map(({ cik, id, name }) => `${cik} ${id} ${name}`)).size).toBe(
        new Set(insiders.map(({ cik }) => cik)).size,
      )
    })

    test('insiders report what they traded within two sessions, over the last 400 days', async () => {
      expect(
        await rows('SELECT ticker, cik FROM insider_trades EXCEPT SELECT ticker, cik FROM insiders'),
      ).toEqual([])
      const trades = await rows(
        'SELECT DISTINCT transaction_date, filing_date, accession_number FROM insider_trades',
      )
      for (const { transaction_date, filing_date, accession_number } of trades) {
        expect(isSession(String(transaction_date))).toBe(true)
        expect([1, 2]).toContain(sessionsBetween(transaction_date, filing_date))
        expect(daysBetween(transaction_date, LAST_SESSION)).toBeLessThan(400)
        expect(accession_number).toMatch(/^\d{10}-\d{2}-\d{6}$/)
        expect(String(accession_number).slice(11, 13)).toBe(String(filing_date).slice(2, 4))
      }
      const codes = await rows(
        `SELECT ticker, bool_or(transaction_code = 'P') AS bought, bool_or(transaction_code = 'S') AS sold
       FROM insider_trades GROUP BY ticker`,
      )
      expect(codes.every(({ bought, sold }) => bought === true && sold === true)).toBe(true)
      expect(codes.map(({ ticker }) => ticker)).toHaveLength(
        (await rows(`FROM market_tickers WHERE issue_type IN ('Common Stock', 'ADR')`)).length,
      )
    })

    test('what an insider owns follows from each transaction', async () => {
      const trades = await rows(
        `SELECT insider_trades.*, low, high,
           CASE WHEN insider_trades.ticker = 'DELTA' AND transaction_date < (SELECT date FROM market_splits) THEN 2 ELSE 1 END AS units
         FROM insider_trades
       JOIN market_days ON market_days.ticker = insider_trades.ticker AND date = transaction_date
       ORDER BY insider_trades.ticker, cik, transaction_date, right(accession_number, 6), sequence`,
      )
      const acquired: Record<string, boolean> = { P: true, A: true, M: true, S: false, F: false, G: false }
      let compared = 0
      for (const [place, trade] of trades.entries()) {
        const { shares, shares_after, is_acquired, transaction_code, price } = trade
        expect(is_acquired).toBe(acquired[String(transaction_code)])
        expect(Number(shares)).toBeGreaterThan(0)
        expect(Number(shares_after)).toBeGreaterThanOrEqual(0)
        if (transaction_code === 'A' || transaction_code === 'G') expect(price).toBeNull()
        else if (transaction_code !== 'M')
          expect(
            Number(price) >= Number(trade.low) && Number(price) <= Number(trade.high),
            `${price} on a day from ${trade.low} to ${trade.high}`,
          ).toBe(true)
        const former = trades[place - 1]
        if (former === undefined || former.ticker !== trade.ticker || former.cik !== trade.cik) continue
        compared += 1
        expect(Number(shares_after)).toBe(
          // Two shares of DELTA for one: what is held doubles.
          (Number(former.shares_after) * Number(former.units)) / Number(trade.units) +
            (is_acquired ? 1 : -1) * Number(shares),
        )
      }
      expect(compared).toBeGreaterThan(20)
    })

    test('members of Congress report in time, late, and by a slip before they traded', async () => {
      const trades = await rows('FROM congress_trades')
      const lags = trades.map(trade => daysBetween(trade.transaction_date, trade.filed_at_date))
      expect(lags.filter(lag => lag > 45).length).toBeGreaterThan(20)
      expect(lags.filter(lag => lag >= 0 && lag <= 45).length).toBeGreaterThan(200)
      expect([1, 2]).toContain(lags.filter(lag => lag < 0).length)
      for (const { transaction_date, filed_at_date, amounts, member_type, asset_description } of trades) {
        expect(amounts).toMatch(AMOUNTS)
        expect(['house', 'senate']).toContain(member_type)
        expect(daysBetween(transaction_date, LAST_SESSION)).toBeLessThan(735)
        expect(String(filed_at_date) <= LAST_SESSION).toBe(true)
        expect(asset_description).not.toBe('')
      }
      const politicians = await rows(
        `SELECT politician_id, count(DISTINCT name) AS names, count(DISTINCT is_active) AS states,
         max(transaction_date) AS latest, bool_and(is_active) AS active FROM congress_trades GROUP BY ALL`,
      )
      expect(politicians).toHaveLength(30)
      for (const { names, states, active, latest } of politicians) {
        expect([names, states]).toEqual(['1', '1'])
        if (active === false) expect(daysBetween(latest, LAST_SESSION)).toBeGreaterThanOrEqual(400)
      }
      expect(politicians.filter(({ active }) => active === false)).toHaveLength(3)
      expect(
        await rows(
          'SELECT ticker FROM congress_trades WHERE ticker IS NOT NULL EXCEPT SELECT ticker FROM market_tickers',
        ),
      ).toEqual([])
      expect(trades.some(({ ticker }) => ticker === null)).toBe(true)
      expect(new Set(trades.map(({ txn_type }) => txn_type))).toEqual(
        new Set(['Buy', 'Sell', 'Sell (partial)', 'Exchange']),
      )
    })
  },
)
