import { beforeAll, describe, expect, test } from 'vitest'
import { newYorkInstant } from '../../../../src/market/new-york.ts'
import { isSession } from '../../../../src/market/sessions.ts'
import { amount } from '../../../fixtures/tier.ts'
import { FEW, LAST_SESSION, type Market, sharedMarket } from './market.ts'

const DAY_MS = 86_400_000
const CATEGORIES = 'Crypto Culture Finance Games Mentions Other Politics Sports Weather'.split(' ')
/** The weights that tags_score adds up, as sql/generate/prediction_positions.sql sets them. */
const WEIGHTS: Record<string, number> = {
  contrarian_whales: 2.5,
  momentum: 1,
  closing_soon: 1.5,
  insider_trades: 3,
  smart_money: 2,
}
/** The kinds of notification that the specification lists for operation 3. */
const NOTI_TYPES =
  'stock news earnings dividends splits option_contract price_target analyst_rating option_contract_interval insider_trades trading_state fda economic_release politician_trades market_tide sec_filings flow_alerts chain_oi_change gex'.split(
    ' ',
  )
const CYCLES = [2020, 2022, 2024]

const instantOf = (value: unknown) => Date.parse(`${String(value).replace(' ', 'T')}Z`)
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Whether an instant is between 04:00 and 20:00 New York on a day with a session. */
function isIntraday(ms: number): boolean {
  const day = dayOf(ms - 5 * 3_600_000)
  return isSession(day) && ms >= newYorkInstant(day, 240) && ms < newYorkInstant(day, 1200)
}

/** `npm test` tries the first. */
const MARKETS = [FEW, { seed: 22, tickers: 12, days: 3 }, { seed: 23, tickers: 50, days: 5 }]

describe.each(MARKETS.slice(0, amount({ test: 1, prove: 3, long: 3 })))(
  'in the market of seed $seed',
  shape => {
    let market: Market
    const rows = (sql: string) => market.writer.rows(sql)
    beforeAll(async () => {
      market = await sharedMarket(shape)
    })

    test('lists of positions hold every category and every tag on each of the last three sessions', async () => {
      const lists = await rows(
        `SELECT date::VARCHAR AS date, count(*)::INTEGER AS positions, list(DISTINCT category) AS categories,
         list(DISTINCT question) AS questions, flatten(list(tags)) AS tags FROM prediction_positions GROUP BY ALL ORDER BY ALL`,
      )
      expect(lists.map(({ date }) => date)).toEqual(['2024-12-27', '2024-12-30', LAST_SESSION])
      for (const { positions, categories, tags } of lists) {
        expect(Number(positions)).toBeGreaterThanOrEqual(110)
        expect((categories as string[]).toSorted()).toEqual(CATEGORIES)
        expect([...new Set(tags as string[])].toSorted()).toEqual(Object.keys(WEIGHTS).toSorted())
      }
    })

    test("a position's figures follow from each other", async () => {
      const positions = await rows('SELECT *, date::VARCHAR AS day FROM prediction_positions')
      for (const each of positions) {
        const tags = each.tags as string[]
        expect(Number(each.tags_score)).toBe(tags.reduce((sum, tag) => sum + (WEIGHTS[tag] ?? Number.NaN), 0))
        const [paid, now] = [Number(each.avg_price), Number(each.current_price)]
        expect([paid > 0, paid < 1, now > 0, now < 1]).toEqual([true, true, true, true])
        expect(Math.abs(Number(each.pnl_percent) - (now / paid - 1) * 100)).toBeLessThan(1e-5)
        expect(tags.includes('momentum')).toBe(now >= 1.25 * paid)
        const [listed, first] = [instantOf(each.created_at), instantOf(each.first_trade_at)]
        expect(first).toBeLessThan(listed)
        expect(dayOf(listed)).toBe(each.day)
        expect(each.days_since_first_trade).toBe(
          (Date.parse(String(each.day)) - Date.parse(dayOf(first))) / DAY_MS,
        )
        expect(Number(each.days_since_first_trade_overall)).toBeGreaterThanOrEqual(
          Number(each.days_since_first_trade),
        )
        const resolves = each.resolves === null ? Number.POSITIVE_INFINITY : instantOf(each.resolves)
        expect(resolves).toBeGreaterThan(listed)
        expect(tags.includes('closing_soon')).toBe(resolves < Date.parse(String(each.day)) + 14 * DAY_MS)
        expect(each.asset_id).toMatch(/^1\d{76}$/)
        expect(each.user_address).toMatch(/^0x[0-9a-f]{40}$/)
      }
    })

    test('every position finds a book around its price, best levels first', async () => {
      const books = await rows(
        `SELECT date, asset_id, timestamp::DATE AS day, bid_prices::DOUBLE[] AS bids, ask_prices::DOUBLE[] AS asks,
         bid_sizes::DOUBLE[] AS bid_sizes, ask_sizes::DOUBLE[] AS ask_sizes FROM prediction_books`,
      )
      const found = new Map(books.map(book => [`${book.date} ${book.asset_id}`, book]))
      for (const book of books) {
        const [bids, asks] = [book.bids as number[], book.asks as number[]]
        expect(book.day).toBe(book.date)
        expect(bids).toEqual(bids.toSorted((a, b) => b - a))
        expect(asks).toEqual(asks.toSorted((a, b) => a - b))
        expect([book.bid_sizes, book.ask_sizes].map(each => (each as number[]).length)).toEqual([
          bids.length,
          asks.length,
        ])
        expect([...bids, ...asks].every(price => price > 0 && price < 1)).toBe(true)
        expect(
          [...(book.bid_sizes as number[]), ...(book.ask_sizes as number[])].every(size => size > 0),
        ).toBe(true)
      }
      expect(books.some(({ bids }) => (bids as number[]).length === 0)).toBe(true)
      expect(books.some(({ asks }) => (asks as number[]).length === 0)).toBe(true)
      for (const each of await rows('SELECT date, asset_id, current_price FROM prediction_positions')) {
        const book = found.get(`${each.date} ${each.asset_id}`) as
          | { bids: number[]; asks: number[] }
          | undefined
        expect(book).toBeDefined()
        const [bid = 0, ask = 1] = [book?.bids[0], book?.asks[0]]
        expect(bid < Number(each.current_price) && Number(each.current_price) < ask).toBe(true)
      }
    })

    test('contributions come from confirmed committees and from employees, within their cycle', async () => {
      const committees = await rows('FROM fec_committees')
      expect(new Set(committees.map(({ cycle }) => cycle))).toEqual(new Set(CYCLES))
      expect(committees.some(({ ticker }) => ticker === '')).toBe(true)
      const confirmed = new Map(
        committees.filter(each => each.is_corporate === true).map(each => [each.committee_id, each.ticker]),
      )
      const contributions = await rows('SELECT *, date::VARCHAR AS day FROM fec_contributions')
      for (const each of contributions) {
        if (each.kind === 'employee') expect(each.committee_id).toBeNull()
        else expect(confirmed.get(each.committee_id)).toBe(each.ticker)
        const cycle = Number(each.cycle)
        expect(each.cycle_end).toBe(`${cycle}-12-31`)
        if (each.day !== null) expect([cycle - 1, cycle]).toContain(Number(String(each.day).slice(0, 4)))
        if (each.kind === 'other') expect(each.party).toBeNull()
      }
      for (const kind of ['pac', 'other', 'employee'])
        expect(new Set(contributions.filter(each => each.kind === kind).map(({ cycle }) => cycle))).toEqual(
          new Set(CYCLES),
        )
      expect(contributions.some(({ amount }) => Number(amount) < 0)).toBe(true)
      const parties = new Set(contributions.filter(each => each.kind === 'pac').map(({ party }) => party))
      expect([parties.has('DEM'), parties.has('REP')]).toEqual([true, true])
    })

    test('lobbying is reported by the quarter', async () => {
      const reports = await rows('SELECT *, period_start::VARCHAR AS start FROM lobbying_reports')
      for (const { start, cycle, amount, cycle_end } of reports) {
        expect(start).toMatch(/^\d{4}-(01|04|07|10)-01$/)
        const year = Number(String(start).slice(0, 4))
        expect(cycle).toBe(year + (year % 2))
        expect(cycle_end).toBe(`${cycle}-12-31`)
        expect(Number(amount) % 10_000).toBe(0)
        expect(Number(amount)).toBeGreaterThan(0)
      }
      // 2019 to September 2024: the last quarter is not reported yet.
      expect(new Set(reports.map(({ start }) => start)).size).toBe(5 * 4 + 3)
    })

    test('posts hold whatever a search may trip over, and their numbers rise with time', async () => {
      const posts = await rows(
        'SELECT id, timestamp, date::VARCHAR AS day, post FROM posts ORDER BY timestamp',
      )
      expect(posts).toHaveLength(400)
      for (const special of ['%', '_', '"', "'", '\\', '\n', '🎉'])
        expect(posts.filter(({ post }) => String(post).includes(special)).length).toBeGreaterThan(5)
      expect(posts.map(({ id }) => id)).toEqual(
        posts.map(({ id }) => id).toSorted((a, b) => (BigInt(String(a)) < BigInt(String(b)) ? -1 : 1)),
      )
      for (const { timestamp, day, post } of posts) {
        expect(dayOf(instantOf(timestamp))).toBe(day)
        expect(String(post)).not.toMatch(/\{|\}/)
        expect(instantOf(timestamp)).toBeGreaterThanOrEqual(Date.parse(LAST_SESSION) - 119 * DAY_MS)
      }
    })

    test('alerts are of every kind, by day and by night, for everyone and for owners', async () => {
      const alerts = await rows('SELECT *, date::VARCHAR AS day FROM alerts')
      expect(alerts).toHaveLength(300)
      expect(new Set(alerts.map(({ noti_type }) => noti_type))).toEqual(new Set(NOTI_TYPES))
      const intraday = alerts.filter(({ tape_time }) => isIntraday(instantOf(tape_time))).length
      expect(intraday).toBe(240)
      expect(alerts.some(({ tape_time }) => !isSession(dayOf(instantOf(tape_time) - 5 * 3_600_000)))).toBe(
        true,
      )
      expect(alerts.filter(({ owner }) => owner !== null)).toHaveLength(50)
      const tickers = new Set((await rows('SELECT ticker FROM market_tickers')).map(({ ticker }) => ticker))
      const configurations = new Map<unknown, string>()
      for (const alert of alerts) {
        const created = instantOf(alert.created_at)
        expect(created).toBeGreaterThan(instantOf(alert.tape_time))
        expect(dayOf(created)).toBe(alert.day)
        expect(created).toBeGreaterThanOrEqual(Date.parse(LAST_SESSION) - 13 * DAY_MS)
        const meta = JSON.parse(String(alert.meta))
        expect(Object.keys(meta).length).toBeGreaterThan(1)
        expect(Object.values(meta).every(value => value !== null)).toBe(true)
        const [, root, expiry] = /^([A-Z0-9]{1,6})(\d{6})[CP]\d{8}$/.exec(String(alert.symbol)) ?? []
        expect(alert.symbol_type).toBe(root === undefined ? 'stock' : 'option_chain')
        expect(tickers.has(root ?? String(alert.symbol))).toBe(true)
        // 1 January 2025 is a Wednesday: its third Friday is the 17th.
        if (root !== undefined) expect(expiry).toBe('250117')
        expect(root !== undefined).toBe(
          ['option_contract', 'option_contract_interval', 'flow_alerts', 'chain_oi_change'].includes(
            String(alert.noti_type),
          ),
        )
        const owned = `${alert.noti_type} ${alert.owner}`
        expect(configurations.get(alert.user_noti_config_id) ?? owned).toBe(owned)
        configurations.set(alert.user_noti_config_id, owned)
      }
      const state = alerts.find(({ noti_type }) => noti_type === 'trading_state')
      expect(['trading', 'halted']).toContain(JSON.parse(String(state?.meta)).state)
    })
  },
)
