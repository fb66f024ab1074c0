import { beforeAll, describe, expect, test } from 'vitest'
import { REFERENCE_STEPS } from '../../../../src/lake/generate/reference.ts'
import { dataset } from '../../../../src/lake/store/datasets.ts'
import { THREADS } from '../../../fixtures/threads.ts'
import { amount } from '../../../fixtures/tier.ts'
import { FEW, MANY, type Market, makeMarket, sharedMarket } from './market.ts'

const NAMES = REFERENCE_STEPS.map(step => step.dataset)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Rows and the sum of their hashes, which does not depend on their order. */
async function checksums(market: Market): Promise<Record<string, unknown>> {
  const sums: Record<string, unknown> = {}
  for (const name of NAMES) {
    const [sum] = await market.writer.rows(
      `SELECT count(*) AS rows, sum(hash(each::VARCHAR))::VARCHAR AS sum FROM ${name} AS each`,
    )
    sums[name] = sum
  }
  return sums
}

/** `npm test` tries the first. */
const MARKETS = [FEW, { seed: 2, tickers: 12, days: 3 }, { seed: 3, tickers: 50, days: 5 }]

describe.each(MARKETS.slice(0, amount({ test: 1, prove: 3, long: 3 })))(
  'the synthetic market of seed $seed, $tickers tickers and $days days',
  shape => {
    let market: Market
    beforeAll(async () => {
      market = await sharedMarket(shape)
    })

    test.each(NAMES)('has rows of %s as its schema wants them', async name => {
      const { columns, key } = dataset(name)
      const made = await market.writer.rows(`DESCRIBE ${name}`)
      expect(made.map(row => `${row.column_name} ${row.column_type}`)).toEqual(
        columns.map(column => `${column.name} ${column.type}`),
      )
      const filled = columns.map(column => `count(${column.name}) AS ${column.name}`)
      const [counts = {}] = await market.writer.rows(
        `SELECT ${filled.join(', ')}, count(*) AS all FROM ${name}`,
      )
      expect(Number(counts.all)).toBeGreaterThan(0)
      for (const column of columns) {
        if (column.nullable) expect(Number(counts[column.name]), column.name).toBeGreaterThan(0)
        else expect(counts[column.name], column.name).toBe(counts.all)
      }
      expect(
        await market.writer.rows(`SELECT ${key.join(', ')} FROM ${name} GROUP BY ALL HAVING count(*) > 1`),
      ).toEqual([])
    })

    test('bears UUIDs of version 5 wherever an id is a UUID', async () => {
      const ids = await market.writer.rows(
        `SELECT id FROM congress_trades UNION ALL SELECT politician_id FROM congress_trades
       UNION ALL SELECT id FROM alerts UNION ALL SELECT user_noti_config_id FROM alerts
       UNION ALL SELECT id FROM lobbying_reports`,
      )
      expect(ids.filter(({ id }) => !UUID.test(String(id)))).toEqual([])
    })

    test('knows nothing of what comes after its last session', async () => {
      const latest = await market.writer.rows(
        `SELECT max(day)::VARCHAR AS day FROM (
         SELECT max(filing_date) AS day FROM institution_holdings UNION ALL SELECT max(filed_at_date) FROM congress_trades
         UNION ALL SELECT max(filing_date) FROM insider_trades UNION ALL SELECT max(updated_at) FROM cash_flow_statements
         UNION ALL SELECT max(date) FROM economic_points UNION ALL SELECT max(time) FROM fx_quotes
         UNION ALL SELECT max(start) FROM crypto_candles UNION ALL SELECT max(created_at) FROM prediction_positions
         UNION ALL SELECT max(timestamp) FROM prediction_books UNION ALL SELECT max(date) FROM fec_contributions
         UNION ALL SELECT max(timestamp) FROM posts UNION ALL SELECT max(created_at) FROM alerts)`,
      )
      expect(latest).toEqual([{ day: '2024-12-31 23:59:00' }])
    })
  },
)

test('the same seed generates the same rows with one thread and with two, another seed generates other rows', {
  tags: 'slow',
}, async () => {
  const again = await makeMarket({ ...MANY, threads: 3 - THREADS })
  const one = await checksums(await sharedMarket(MANY))
  const two = await checksums(again)
  again.close()
  const other = await checksums(await sharedMarket({ ...MANY, seed: 12 }))
  expect(two).toEqual(one)
  expect(NAMES.filter(name => JSON.stringify(other[name]) === JSON.stringify(one[name]))).toEqual([])
})
