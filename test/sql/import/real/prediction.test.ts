import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const MARKETS = '../shared/realdata/prediction/BTC-5m-markets-2026-07-24.jsonl.gz'

/** What Python reads: markets, tokens, which of them paid, and the first outcome's orders, exactly. */
const PYTHON = `
import gzip, json, sys
from collections import Counter
from decimal import Decimal
markets = [json.loads(line, parse_float=Decimal) for line in gzip.open(sys.argv[1])]
price = lambda value: value if value is not None and 0 < value < 1 else None
tokens, days = [], Counter()
for market in markets:
    raw = market['raw']
    days[raw['createdAt'][:10]] += 2
    bid, ask, last = price(raw.get('bestBid')), price(raw.get('bestAsk')), raw.get('lastTradePrice')
    rest = lambda value: None if value is None else 1 - value
    quotes = [(bid, ask, last), (rest(ask), rest(bid), rest(last))]
    for token, outcome, paid, quote in zip(market['token_ids'], json.loads(raw['outcomes']), market['outcome_prices'], quotes):
        shown = ['-' if value is None else f'{value:.6f}' for value in quote]
        tokens.append([token, market['slug'], outcome, f'{Decimal(paid):.6f}', *shown, market['start_sec'], market['end_sec']])
json.dump({'markets': len(markets), 'days': sorted(days.items()), 'tokens': sorted(tokens)}, sys.stdout)
`

interface Counted {
  readonly markets: number
  readonly days: readonly (readonly [string, number])[]
  readonly tokens: readonly (readonly (string | number)[])[]
}

test.skipIf(!existsSync(MARKETS))(
  'the markets of ../shared/realdata are in the lake, token by token, as python3 reads them',
  { tags: 'slow' },
  async () => {
    const counted: Counted = JSON.parse(
      execFileSync('python3', ['-c', PYTHON, MARKETS], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
    )
    const at = importingFormat('prediction-markets')
    const report = await at.import([MARKETS])
    expect(report.accounts).toMatchObject([
      { records: counted.markets, rows: counted.tokens.length, rejected: 0, notes: [] },
    ])
    expect(counted.tokens).toHaveLength(2 * counted.markets)
    expect(
      await at.rows('SELECT date, count(*) FROM bars GROUP BY date ORDER BY date', 'prediction_markets'),
    ).toEqual(counted.days.map(each => each.join(' ')))
    expect(
      await at.rows(
        `SELECT asset_id, slug, outcome, final_price, best_bid, best_ask, last_price, epoch(starts)::BIGINT, epoch(resolves)::BIGINT
         FROM bars ORDER BY asset_id`,
        'prediction_markets',
      ),
    ).toEqual(counted.tokens.map(each => each.join(' ')))
    expect(await at.rows('SELECT DISTINCT category, resolved FROM bars', 'prediction_markets')).toEqual([
      'Crypto true',
    ])
    // A settled market paid a dollar for one of its two outcomes.
    expect(
      await at.rows(
        `SELECT count(*) FROM (
           SELECT condition_id FROM bars GROUP BY condition_id
           HAVING count(*) = 2 AND sum(final_price) = 1 AND min(question) = max(question)
         )`,
        'prediction_markets',
      ),
    ).toEqual([`${counted.markets}`])

    // An invented book and position of one of the tokens, which are answered with the facts of its market.
    const [asset = '', slug = '', outcome = ''] = counted.tokens[0] ?? []
    const levels = { bids: [{ price: '0.4', size: '10' }], asks: [{ price: '0.5', size: '20' }] }
    const book = { slug, asset_id: asset, event_ts_ms: 1784850900123, payload: levels }
    const position = {
      asset,
      proxyWallet: `0x${'a'.repeat(40)}`,
      avgPrice: 0.4,
      curPrice: 0.5,
      initialValue: 100,
      invested_zscore: 1,
      n_positions: 1,
      days_since_first_trade_overall: 0,
      first_trade_at: '2026-07-23T10:00:00Z',
      created_at: '2026-07-23T12:00:00Z',
      tags: ['momentum'],
    }
    const write = (name: string, record: object) => at.file(name, `${JSON.stringify(record)}\n`)
    await at.import([write('books.jsonl', book)], { format: 'prediction-books' })
    await at.import([write('positions.jsonl', position)], { format: 'prediction-positions' })
    const other = counted.tokens[1]?.[0]
    const service = await serveForTest(at.folder, at.lake)
    try {
      const ask = async (url: string) => {
        const headers = { authorization: `Bearer ${service.token}` }
        const { statusCode, body } = await service.server.inject({ url, headers })
        return { statusCode, data: JSON.parse(body).data }
      }
      const { data: insiders } = await ask('/api/predictions/insiders')
      expect(insiders.data).toMatchObject([
        { asset_id: asset, outcome, category: 'Crypto', tags_score: '1.000000' },
      ])
      expect(insiders.data[0].question).toMatch(/^Bitcoin Up or Down - July 2[34], /)
      const { data: liquidity } = await ask(`/api/predictions/market/${asset}/liquidity`)
      expect(liquidity).toMatchObject({ best_bid: '0.400000', bid_liquidity: '4.0000000000' })
      // The lake has the token's market, but no book of it.
      expect((await ask(`/api/predictions/market/${other}/liquidity`)).statusCode).toBe(404)
    } finally {
      await service.close()
    }
  },
)
