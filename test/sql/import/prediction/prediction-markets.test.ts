import { expect, test } from 'vitest'
import { PREDICTION_CATEGORIES } from '../../../../src/market/prediction-tags.ts'
import { importingFormat } from '../formats.ts'

const SAMPLES = 'data/samples/prediction-markets'

/** A market as Gamma tells it, open, with two outcomes of ids ending in 1 and 2. */
const market = (number: number, more: object = {}) => ({
  slug: `market-${number}`,
  conditionId: `0x${number}`,
  question: `Question ${number}?`,
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.5", "0.5"]',
  clobTokenIds: JSON.stringify([`${number}1`, `${number}2`]),
  createdAt: '2024-01-01T08:00:00Z',
  ...more,
})

/** Imports markets, each of these members in one of its own, and answers the columns of its tokens and the notes. */
async function landed(columns: string, each: readonly object[], order = 'asset_id') {
  const markets = importingFormat('prediction-markets')
  const all = each.map((more, place) => market(place + 10, more))
  const report = await markets.import([markets.file('markets.json', JSON.stringify(all))])
  return {
    rows: await markets.rows(`SELECT ${columns} FROM bars ORDER BY ${order}`, 'prediction_markets'),
    notes: report.accounts.flatMap(({ notes }) => notes).map(({ fault, rows }) => `${rows} ${fault}`),
    rejects: markets.rejects(),
  }
}

test('the sample markets are imported token by token', async () => {
  const markets = importingFormat('prediction-markets')
  const report = await markets.import([SAMPLES])
  expect(report.accounts.map(({ records, rows, rejected }) => [records, rows, rejected])).toEqual([
    // Three markets of two outcomes and one of three; three slots of two.
    [4, 9, 0],
    [3, 6, 0],
  ])
  expect(report.notes).toEqual([])
  expect(
    await markets.rows(
      `SELECT asset_id[-2:], slug, outcome_index, outcome, category, resolved, final_price, best_bid, best_ask, last_price
       FROM bars ORDER BY asset_id`,
      'prediction_markets',
    ),
  ).toEqual([
    '10 made-up-1 0 Yes Mentions false - 0.610000 0.630000 0.620000',
    '11 made-up-1 1 No Mentions false - 0.370000 0.390000 0.380000',
    '20 made-up-2 0 Yes Sports true 0.000000 - 0.010000 0.010000',
    '21 made-up-2 1 No Sports true 1.000000 0.990000 - 0.990000',
    '30 made-up-3 0 Yes Weather false - 0.400000 - -',
    '31 made-up-3 1 No Weather false - - 0.600000 -',
    // Of three outcomes only the first has orders in the file.
    '40 made-up-4 0 Ash Politics false - 0.610000 0.630000 0.620000',
    '41 made-up-4 1 Birch Politics false - - - -',
    '42 made-up-4 2 Cedar Politics false - - - -',
    '00 coin-updown-5m-1704240000 0 Up Crypto true 1.000000 0.990000 - 0.990000',
    '01 coin-updown-5m-1704240000 1 Down Crypto true 0.000000 - 0.010000 0.010000',
    '10 coin-updown-5m-1704240300 0 Up Crypto true 0.000000 - 0.010000 0.010000',
    '11 coin-updown-5m-1704240300 1 Down Crypto true 1.000000 0.990000 - 0.990000',
    '20 coin-updown-5m-1704240600 0 Up Crypto true 1.000000 0.990000 - 0.990000',
    '21 coin-updown-5m-1704240600 1 Down Crypto true 0.000000 - 0.010000 0.010000',
  ])
  const times =
    'date, created_at, opens, starts, resolves, closed_at, updated_at, volume, image, condition_id[-3:], question'
  expect(
    await markets.rows(
      `SELECT ${times} FROM bars WHERE asset_id[-2:] IN ('21', '31') AND asset_id[1] = '1'
       UNION ALL SELECT ${times} FROM bars WHERE slug = 'coin-updown-5m-1704240300' AND outcome = 'Up'
       ORDER BY question DESC`,
      'prediction_markets',
    ),
  ).toEqual([
    '2024-01-01 2024-01-01 08:00:00.123456 2024-01-01 09:00:00 2024-01-02 20:00:00 2024-02-01 00:00:00 2024-01-02 22:00:00 2024-01-03 12:00:00 12345.68 https://images.example/markets/2.png 002 Will the Harbour Owls win the cup?',
    '2024-01-01 2024-01-01 08:00:00.123456 2024-01-01 09:00:00 - - - 2024-01-03 12:00:00 - - 003 Will it snow in Mapleton?',
    // 1704240300 seconds are 2024-01-03 00:05 UTC; the slot is five minutes long.
    '2024-01-01 2024-01-01 08:00:00.123456 2024-01-01 09:00:00 2024-01-03 00:05:00 2024-01-03 00:10:00 2024-01-03 00:10:16 2024-01-03 12:00:00 12345.68 https://images.example/markets/101.png 065 Made-up coin up or down, slot 1?',
  ])
})

test('a market with invalid tokens, question or day is rejected once', async () => {
  const { rows, rejects } = await landed('asset_id', [
    {},
    { clobTokenIds: 'two' },
    { clobTokenIds: '[]' },
    { clobTokenIds: null },
    { clobTokenIds: '{"a": 1}' },
    { clobTokenIds: '["1"]' },
    { outcomes: 'Yes' },
    { clobTokenIds: '["a b", "c"]' },
    { clobTokenIds: '["7", "7"]' },
    { clobTokenIds: '["8", null]' },
    { outcomes: '["Yes", " "]' },
    { question: ' ' },
    { createdAt: null },
    { createdAt: 'yesterday' },
    { createdAt: '2202-01-01T00:00:00Z' },
    // Lists may be lists, ids may be any text, and a day the start of trading.
    { clobTokenIds: ['x_-1', '2'], outcomes: ['A', ' B\n'] },
    { createdAt: null, startDate: '2024-01-02T00:00:00Z' },
    ...Array.from({ length: 4 }, () => ({})),
  ])
  expect(rejects).toEqual([
    '2|tokens|not a list of tokens|two',
    '3|tokens|not a list of tokens|[]',
    '4|tokens|not a list of tokens|',
    '5|tokens|not a list of tokens|{"a": 1}',
    '6|outcomes|not one outcome per token|["Yes", "No"]',
    '7|outcomes|not one outcome per token|Yes',
    '8|tokens|not unique token ids|["a b", "c"]',
    '9|tokens|not unique token ids|["7", "7"]',
    '10|tokens|not unique token ids|["8", null]',
    '11|outcomes|outcome without a name|["Yes", " "]',
    '12|question|missing|',
    '13|createdAt|missing|',
    '14|createdAt|not a date|yesterday',
    '15|createdAt|before 1900 or in the future|2202-01-01T00:00:00Z',
  ])
  const named = '101 102 2 261 262 271 272 281 282 291 292 301 302 x_-1'
  expect(rows).toEqual(named.split(' '))
})

test('the category is the first tag that names one, and Other without any', async () => {
  const categories = [
    [{ category: ' Pop-Culture ' }, 'Culture'],
    [{ category: 'Owls', feeType: 'finance_prices' }, 'Finance'],
    [{ category: 'sports', feeType: 'crypto_fees_v2' }, 'Sports'],
    [{ tags: [{ label: 'Owls' }, { label: 'Esports' }, { label: 'Sports' }] }, 'Games'],
    [
      { events: [{ category: 'Weather', tags: [{ label: 'Politics' }] }], tags: [{ label: 'Sports' }] },
      'Weather',
    ],
    [{ events: [{ tags: [{ label: 'Owls' }] }, { tags: [{ label: 'Elections' }] }] }, 'Politics'],
    [{ feeType: 'mentions_fees' }, 'Mentions'],
    [{ feeType: 'general_fees' }, 'Other'],
    [{ tags: [] }, 'Other'],
  ] as const
  const { rows } = await landed(
    'DISTINCT category, slug',
    categories.map(([more]) => more),
    'slug',
  )
  expect(rows.map(row => row.split(' ')[0])).toEqual(categories.map(([, category]) => category))
  expect(PREDICTION_CATEGORIES).toEqual(expect.arrayContaining(categories.map(([, category]) => category)))
})

test('a market is settled if it is closed and marked as settled, and only then its prices are final', async () => {
  const prices = { outcomePrices: '["0.3", "0.7"]' }
  const { rows, notes } = await landed('outcome, resolved, final_price', [
    { ...prices, closed: true, umaResolutionStatus: 'resolved' },
    { ...prices, closed: true, automaticallyResolved: true },
    { ...prices, closed: true, umaResolutionStatus: 'proposed' },
    { ...prices, closed: false, umaResolutionStatus: 'resolved' },
    { outcomePrices: ['1.5', 'x'], closed: true, umaResolutionStatus: 'resolved' },
    { outcomePrices: 'none', closed: true, umaResolutionStatus: 'resolved' },
    { outcomePrices: '{}', closed: true, umaResolutionStatus: 'resolved' },
    { outcomePrices: null, closed: true, umaResolutionStatus: 'resolved' },
    { outcomePrices: '["2", "3"]' },
  ])
  expect(rows).toEqual([
    'Yes true 0.300000',
    'No true 0.700000',
    'Yes true 0.300000',
    'No true 0.700000',
    'Yes false -',
    'No false -',
    'Yes false -',
    'No false -',
    'Yes true -',
    'No true -',
    'Yes true -',
    'No true -',
    'Yes true -',
    'No true -',
    'Yes true -',
    'No true -',
    'Yes false -',
    'No false -',
  ])
  expect(notes).toEqual(['8 outcomePrices: not a price from 0 to 1'])
})

test('the price of the second outcome is one dollar minus that of the first', async () => {
  const { rows, notes } = await landed('best_bid, best_ask, last_price', [
    { bestBid: 0.001, bestAsk: 0.999, lastTradePrice: 1 },
    { bestBid: 0, bestAsk: 1, lastTradePrice: 0 },
    { bestBid: 1, bestAsk: 0 },
    { bestBid: -0.1, bestAsk: 1.1, lastTradePrice: 'x' },
  ])
  expect(rows).toEqual([
    '0.001000 0.999000 1.000000',
    '0.001000 0.999000 0.000000',
    '- - 0.000000',
    '- - 1.000000',
    '- - -',
    '- - -',
    '- - -',
    '- - -',
  ])
  expect(notes).toEqual([
    '1 bestAsk: not a price from 0 to 1',
    '1 bestBid: not a price from 0 to 1',
    '1 lastTradePrice: not a price from 0 to 1',
  ])
})

test('invalid times, volumes and pictures are imported as NULL, and reported once per market', async () => {
  const bad = {
    startDate: 'soon',
    eventStartTime: '-',
    endDate: '2024-13-01T00:00:00Z',
    closedTime: 'x',
    updatedAt: 'y',
  }
  const { rows, notes } = await landed('opens, starts, resolves, closed_at, updated_at, volume, image', [
    { ...bad, volume: 'much', image: 'pic.png' },
    { volume: -1, icon: 'https://images.example/icon.png' },
    { volume: -1, outcomes: '["A", "B", "C"]', clobTokenIds: '["121", "122", "123"]' },
    { image: 'https://images.example/own.png', icon: 'https://images.example/icon.png' },
    { startDate: '', eventStartTime: '', endDate: '', closedTime: '', updatedAt: '', volume: '0', image: '' },
  ])
  const nothing = '- - - - - - -'
  const icon = '- - - - - - https://images.example/icon.png'
  const own = '- - - - - - https://images.example/own.png'
  expect(rows).toEqual([
    nothing,
    nothing,
    icon,
    icon,
    nothing,
    nothing,
    nothing,
    own,
    own,
    '- - - - - 0.00 -',
    '- - - - - 0.00 -',
  ])
  expect(notes).toEqual([
    '3 volume: not an amount',
    '1 closedTime: not a time',
    '1 endDate: not a time',
    '1 eventStartTime: not a time',
    '1 image: not a URL',
    '1 startDate: not a time',
    '1 updatedAt: not a time',
  ])
})

test('tokens and prices of a collector take precedence over those of the market inside its record', async () => {
  const markets = importingFormat('prediction-markets')
  const slot = {
    slug: 'collected',
    condition_id: '0x9',
    token_ids: ['5', '6'],
    start_sec: 1704240000,
    end_sec: 1704240300,
    resolved: false,
    outcome_prices: ['1', '0'],
    raw: market(1, {
      closed: true,
      umaResolutionStatus: 'resolved',
      eventStartTime: '2024-01-03T00:00:01Z',
      endDate: '2024-01-03T00:05:01Z',
    }),
  }
  await markets.import([
    markets.file('1.jsonl', `\ufeff${JSON.stringify(slot)}\n`),
    // The same tokens a day later: the last file wins.
    markets.file('2.jsonl', `${JSON.stringify({ ...slot, token_ids: ['6', '7'], resolved: true })}\n`),
  ])
  expect(
    await markets.rows(
      'SELECT asset_id, condition_id, slug, outcome, resolved, final_price, starts, resolves FROM bars ORDER BY ALL',
      'prediction_markets',
    ),
  ).toEqual([
    '5 0x9 market-1 Yes false - 2024-01-03 00:00:01 2024-01-03 00:05:01',
    '6 0x9 market-1 Yes true 1.000000 2024-01-03 00:00:01 2024-01-03 00:05:01',
    '7 0x9 market-1 No true 0.000000 2024-01-03 00:00:01 2024-01-03 00:05:01',
  ])
})
