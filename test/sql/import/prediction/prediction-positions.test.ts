import { expect, test } from 'vitest'
import { resources } from '../../../../src/engine/resources.ts'
import { PREDICTION_CATEGORIES, PREDICTION_TAGS } from '../../../../src/market/prediction-tags.ts'
import { importingFormat } from '../formats.ts'

const SAMPLES = 'data/samples/prediction-positions'
const WALLET = `0x${'a'.repeat(40)}`
const GOOD = {
  asset_id: '1',
  user_address: WALLET,
  avg_price: '0.4',
  current_price: '0.5',
  total_invested_usd: '100',
  invested_zscore: '1.5',
  n_positions: '3',
  days_since_first_trade_overall: '9',
  first_trade_at: '2024-01-01T10:00:00Z',
  created_at: '2024-01-03T21:00:00Z',
  tags: 'momentum',
  question: 'Will it?',
  outcome: 'Yes',
}
type Position = Readonly<Record<string, unknown>>

/** Imports positions, each a good one of a token of its own but for these members; answers columns, notes, rejects. */
async function landed(columns: string, each: readonly Position[], options: Record<string, string> = {}) {
  const positions = importingFormat('prediction-positions')
  const lines = each.map((more, place) => JSON.stringify({ ...GOOD, asset_id: `${place + 10}`, ...more }))
  const report = await positions.import([positions.file('positions.jsonl', lines)], { options })
  return {
    rows: await positions.rows(`SELECT ${columns} FROM bars ORDER BY asset_id`, 'prediction_positions'),
    notes: report.accounts.flatMap(({ notes }) => notes).map(({ fault, rows }) => `${rows} ${fault}`),
    rejects: positions.rejects(),
  }
}

test('the sample positions are imported one by one', async () => {
  const positions = importingFormat('prediction-positions')
  const report = await positions.import([SAMPLES])
  expect([report.rows, report.rejected, report.notes]).toEqual([4, 0, []])
  const wallet = (letter: string) => `0x${letter.repeat(40)}`
  expect(await positions.rows('FROM bars ORDER BY asset_id, user_address', 'prediction_positions')).toEqual([
    `2024-01-03 100000000000000000010 ${wallet('a')} Will the Owls win? Yes Sports 0.250000 0.500000 100.000000 60000.00 3.200000 4 2 2 2024-01-01 10:00:00 2024-01-03 21:00:00.5 2024-01-10 00:00:00 https://images.example/1.png [contrarian_whales, momentum, closing_soon, insider_trades] 8.000000`,
    `2024-01-03 100000000000000000010 ${wallet('b')} Will the Owls win? Yes Sports 0.400000 0.500000 25.000000 1500.50 -0.500000 30 1 400 2024-01-02 10:00:00 2024-01-03 21:00:00.5 - - [smart_money] 2.000000`,
    // 38 cents for 30 are 26.67 %; the first trade is two days before; the weights of the tags are 1 and 2.
    `2024-01-03 100000000000000000011 ${wallet('c')} Will ACME say "tramway" on its next call? No Other 0.300000 0.380000 26.666667 2500.00 1.250000 12 2 90 2024-01-01 12:30:00 2024-01-03 21:00:00.5 2024-02-01 00:00:00 https://images.example/markets/1.png [momentum, smart_money] 3.000000`,
    `2024-01-03 100000000000000000030 ${wallet('d')} Will it snow in Mapleton? Yes Other 0.500000 0.500000 0.000000 30000.00 2.000000 1 0 0 2024-01-03 08:00:00 2024-01-03 21:00:00.5 - - [insider_trades] 3.000000`,
  ])
})

test('facts of markets that the file lacks are read from the lake', async () => {
  const positions = importingFormat('prediction-positions')
  await positions.import(['data/samples/prediction-markets'], { format: 'prediction-markets' })
  const [owl, snow] = ['100000000000000000021', '100000000000000000031']
  const bare = { ...GOOD, question: undefined, outcome: null, category: '' }
  const own = { question: 'Mine?', outcome: 'Maybe', category: 'Games', resolves: '2024-05-01T00:00:00Z' }
  const lines = [
    { ...bare, asset_id: owl },
    { ...bare, asset_id: snow, category: 'Owls' },
    {
      ...bare,
      ...own,
      asset_id: owl,
      user_address: `0x${'b'.repeat(40)}`,
      image: 'https://images.example/mine.png',
    },
    { ...bare, asset_id: '9' },
    { ...bare, asset_id: '9', question: 'Will it?' },
    { ...bare, asset_id: '9', question: 'Will it?', outcome: 'Yes' },
  ]
  const { notes } = await positions.import([
    positions.file(
      'p.jsonl',
      lines.map(each => JSON.stringify(each)),
    ),
  ])
  expect(positions.rejects()).toEqual([
    '4|question|neither in the file nor in prediction_markets|',
    '5|outcome|neither in the file nor in prediction_markets|',
  ])
  expect(
    await positions.rows(
      'SELECT question, outcome, category, resolves, image FROM bars ORDER BY asset_id, user_address',
      'prediction_positions',
    ),
  ).toEqual([
    'Will the Harbour Owls win the cup? No Sports 2024-02-01 00:00:00 https://images.example/markets/2.png',
    'Mine? Maybe Games 2024-05-01 00:00:00 https://images.example/mine.png',
    'Will it snow in Mapleton? No Weather - -',
    'Will it? Yes Other - -',
  ])
  expect(notes).toEqual([{ fault: 'category: unknown category', rows: 1 }])
})

test('a position with an invalid value is rejected with that reason', async () => {
  const bad = [
    ['asset_id', '', 'asset_id|missing|'],
    ['asset_id', '<1>', 'asset_id|not a token id|<1>'],
    ['user_address', null, 'user_address|missing|'],
    ['user_address', '0xabc', 'user_address|not a wallet address|0xabc'],
    ['avg_price', '', 'avg_price|missing|'],
    ['avg_price', '0', 'avg_price|not above zero|0'],
    ['avg_price', '1.01', 'avg_price|above one dollar|1.01'],
    ['avg_price', 'x', 'avg_price|not a plain decimal number|x'],
    ['current_price', '', 'current_price|missing|'],
    ['current_price', '-0.1', 'current_price|not a price from 0 to 1|-0.1'],
    ['current_price', '1.1', 'current_price|not a price from 0 to 1|1.1'],
    ['current_price', '1e0x', 'current_price|not a plain decimal number|1e0x'],
    ['pnl_percent', 'up', 'pnl_percent|not a plain decimal number|up'],
    ['total_invested_usd', '', 'total_invested_usd|missing|'],
    ['total_invested_usd', '-1', 'total_invested_usd|below zero|-1'],
    ['total_invested_usd', '99999999999999999', 'total_invested_usd|too large|99999999999999999'],
    ['invested_zscore', '', 'invested_zscore|missing|'],
    ['invested_zscore', 'high', 'invested_zscore|not a plain decimal number|high'],
    ['n_positions', '', 'n_positions|missing|'],
    ['n_positions', '1.5', 'n_positions|not a whole number|1.5'],
    ['first_trade_at', '', 'first_trade_at|missing|'],
    ['first_trade_at', 'long ago', 'first_trade_at|not a time|long ago'],
    [
      'first_trade_at',
      '2024-01-03T21:00:00.001Z',
      'first_trade_at|after the position was listed|2024-01-03T21:00:00.001Z',
    ],
    ['created_at', '', 'created_at|missing|'],
    ['created_at', 'now', 'created_at|not a time|now'],
    ['created_at', '2202-01-01T00:00:00Z', 'created_at|before 1900 or in the future|2202-01-01T00:00:00Z'],
    ['date', '2024-02-30', 'date|not a date|2024-02-30'],
    ['days_since_first_trade', '-1', 'days_since_first_trade|below zero|-1'],
    ['days_since_first_trade_overall', '', 'days_since_first_trade_overall|missing|'],
    ['days_since_first_trade_overall', 'x', 'days_since_first_trade_overall|not a plain decimal number|x'],
    ['tags_score', 'best', 'tags_score|not a plain decimal number|best'],
  ] as const
  const { rows, rejects } = await landed('asset_id', [
    ...bad.map(([member, value]) => ({ [member]: value })),
    ...bad.map((_, place) => ({ asset_id: `good-${place}` })),
  ])
  expect(rejects).toEqual(bad.map(([, , reject], place) => `${place + 1}|${reject}`))
  expect(rows).toHaveLength(bad.length)
})

test('prices at their bounds, times in every notation and a date column are imported', async () => {
  const { rows, rejects } = await landed(
    'date, avg_price, current_price, first_trade_at, created_at, resolves',
    [
      { avg_price: '1', current_price: '0', date: '2024-01-02', total_invested_usd: '0' },
      { avg_price: '$0.000001', current_price: 1, created_at: 1704315600500, first_trade_at: '1704315600' },
      { first_trade_at: '2024-01-03 21:00:00', resolves: '2024-02-01' },
      { first_trade_at: '2024-01-01T12:00:00+02:00', resolves: '2024-02-01 10:00:00.123456' },
    ],
  )
  expect(rejects).toEqual([])
  expect(rows).toEqual([
    '2024-01-02 1.000000 0.000000 2024-01-01 10:00:00 2024-01-03 21:00:00 -',
    '2024-01-03 0.000001 1.000000 2024-01-03 21:00:00 2024-01-03 21:00:00.5 -',
    '2024-01-03 0.400000 0.500000 2024-01-03 21:00:00 2024-01-03 21:00:00 2024-02-01 00:00:00',
    '2024-01-03 0.400000 0.500000 2024-01-01 10:00:00 2024-01-03 21:00:00 2024-02-01 10:00:00.123',
  ])
  expect((await landed('date', [{}, { date: '2024-01-02' }], { date: '2024-01-05' })).rows).toEqual([
    '2024-01-05',
    '2024-01-02',
  ])
})

test('missing figures are computed from the others, and existing ones stay', async () => {
  const columns = 'pnl_percent, days_since_first_trade, tags_score'
  const { rows, notes } = await landed(columns, [
    {},
    { pnl_percent: '-3.5', days_since_first_trade: 7, tags_score: '1' },
    { tags_score: '9.5' },
    { avg_price: 0.3, current_price: 0.1, date: '2024-01-04' },
  ])
  expect(rows).toEqual([
    '25.000000 2 1.000000',
    '-3.500000 7 1.000000',
    '25.000000 2 9.500000',
    '-66.666667 3 1.000000',
  ])
  expect(notes).toEqual(["1 tags_score: not the sum of the tags' weights"])
})

test('tags are imported once each in their order, without invalid ones', async () => {
  const { rows, notes } = await landed('tags, tags_score', [
    { tags: ['smart_money', 'momentum', 'smart_money'] },
    { tags: 'Closing Soon; insider-trades' },
    { tags: '[contrarian_whales, momentum]' },
    { tags: 'momentum|whales,closing_soon' },
    { tags: '' },
  ])
  expect(rows).toEqual([
    '[smart_money, momentum] 3.000000',
    '[closing_soon, insider_trades] 4.500000',
    '[contrarian_whales, momentum] 3.500000',
    '[momentum, closing_soon] 2.500000',
    '[] 0.000000',
  ])
  expect(notes).toEqual(['1 tags: unknown tag'])
})

test('an invalid picture or end is imported as NULL, and reported', async () => {
  const { rows, notes } = await landed('resolves, image', [{ resolves: 'never', image: 'pic.png' }])
  expect(rows).toEqual(['- -'])
  expect(notes).toEqual(['1 image: not a URL', '1 resolves: not a time'])
})

test('weights and categories are those that answers show', () => {
  const sql = resources.read('sql/import/prediction-positions.sql')
  const weights = [...sql.matchAll(/^ {4}\('(\w+)', ([\d.]+)\)/gm)].map(([, tag, score]) => ({ tag, score }))
  expect(weights).toEqual(PREDICTION_TAGS)
  const categories = [...sql.matchAll(/^ {4}\('(\w+)'\)/gm)].map(([, name]) => name)
  expect(categories).toEqual(PREDICTION_CATEGORIES)
})
