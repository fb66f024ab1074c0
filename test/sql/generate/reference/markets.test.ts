import { beforeAll, describe, expect, test } from 'vitest'
import { amount } from '../../../fixtures/tier.ts'
import { FEW, LAST_SESSION, type Market, sharedMarket } from './market.ts'

/** `npm test` tries the first. */
const MARKETS = [FEW, { seed: 32, tickers: 12, days: 4 }]

describe.each(MARKETS.slice(0, amount({ test: 1, prove: 2, long: 2 })))(
  'the prediction markets of seed $seed',
  shape => {
    let market: Market
    const rows = (sql: string) => market.writer.rows(sql)
    beforeAll(async () => {
      market = await sharedMarket(shape)
    })

    test('are those of every position, in the same words', async () => {
      const alike = ['question', 'outcome', 'category', 'resolves', 'image']
        .map(column => `position.${column} IS NOT DISTINCT FROM market.${column}`)
        .join(' AND ')
      const strays = await rows(
        `SELECT position.asset_id FROM prediction_positions AS position
       LEFT JOIN prediction_markets AS market ON market.asset_id = position.asset_id AND ${alike}
       WHERE market.asset_id IS NULL OR market.created_at >= position.first_trade_at OR market.resolved`,
      )
      expect(strays).toEqual([])
    })

    test('have the best prices of their last book', async () => {
      const books = await rows(
        `SELECT asset_id FROM prediction_books AS book JOIN prediction_markets AS market USING (asset_id)
       WHERE book.date = DATE '${LAST_SESSION}' AND NOT resolved
         AND bid_prices[1] IS NOT DISTINCT FROM best_bid AND ask_prices[1] IS NOT DISTINCT FROM best_ask
         AND coalesce(best_bid < last_price, true) AND coalesce(last_price < best_ask, true)`,
      )
      // 45 open markets of two outcomes each; four more are settled and have no book.
      expect(books).toHaveLength(90)
      expect(await rows('SELECT count(*)::INTEGER AS count FROM prediction_markets')).toEqual([{ count: 98 }])
    })

    test('have two outcomes each, whose prices add up to a dollar', async () => {
      const pairs = await rows(
        `SELECT slug, list(outcome ORDER BY outcome_index) AS outcomes, sum(last_price)::DOUBLE AS total,
         sum(final_price)::DOUBLE AS paid, bool_or(resolved) AS resolved
       FROM prediction_markets GROUP BY slug, condition_id, question, category, created_at ORDER BY slug`,
      )
      expect(pairs).toHaveLength(49)
      for (const { outcomes, total, paid, resolved } of pairs)
        expect([outcomes, total, paid]).toEqual([['Yes', 'No'], 1, resolved === true ? 1 : null])
      expect(pairs.filter(({ resolved }) => resolved === true)).toHaveLength(4)
    })

    test('know nothing of what comes after the last session', async () => {
      const late = await rows(
        `SELECT asset_id FROM prediction_markets
       WHERE greatest(created_at, opens, updated_at, coalesce(closed_at, created_at)) >= DATE '${LAST_SESSION}' + 1
         OR date <> created_at::DATE OR opens <= created_at OR updated_at <= opens OR closed_at <= resolves
         OR starts >= resolves`,
      )
      expect(late).toEqual([])
    })
  },
)
