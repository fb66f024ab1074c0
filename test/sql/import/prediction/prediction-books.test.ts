import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const SAMPLES = 'data/samples/prediction-books'
const TIME = 1704283200123

/** A collector's line. */
const book = (assetId: unknown, bids: unknown, asks: unknown, more: object = {}) =>
  JSON.stringify({ asset_id: assetId, event_ts_ms: TIME, payload: { bids, asks }, ...more })
const level = (price: unknown, size: unknown) => ({ price, size })

test('the sample books are imported with their best levels first', async () => {
  const books = importingFormat('prediction-books')
  const report = await books.import([SAMPLES])
  expect(report.accounts.map(({ records, rows, rejected }) => [records, rows, rejected])).toEqual([
    [3, 3, 0],
    [1, 1, 0],
  ])
  expect(await books.rows('FROM bars ORDER BY asset_id', 'prediction_books')).toEqual([
    '2024-01-03 100000000000000000010 2024-01-03 12:00:00.123 [0.610000, 0.600000, 0.590000] [40.000000, 100.000000, 250.500000] [0.630000, 0.660000] [80.000000, 90.000000]',
    '2024-01-03 100000000000000000011 2024-01-03 12:00:00.123 [0.370000, 0.340000] [80.000000, 90.000000] [0.390000, 0.400000, 0.410000] [40.000000, 100.000000, 250.500000]',
    '2024-01-03 100000000000000000020 2024-01-03 12:00:05 [] [] [0.010000] [5000.000000]',
    '2024-01-03 100000000000000000030 2024-01-03 12:00:10.456 [0.400000, 0.380000] [1000.000000, 12.345678] [] []',
  ])
  expect(report.notes).toEqual([])
})

test('a book with anything unreadable is rejected with the reason', async () => {
  const books = importingFormat('prediction-books')
  const good = [level('0.4', '10')]
  const lines = [
    `\ufeff${book('1', good, [])}`,
    book('', good, []),
    book('a b', good, []),
    book('4', good, [], { event_ts_ms: null }),
    book('5', good, [], { event_ts_ms: 'noon' }),
    book('6', good, [], { event_ts_ms: 7321017600000 }),
    book('7', { a: 1 }, []),
    book('8', [], undefined),
    book('9', good, [], { payload: 'none' }),
    book('10', [level('1.01', '1')], []),
    book('11', [], [level('-0.01', '1')]),
    book('12', [level('0.5', '-1')], []),
    book('13', [level('x', '1')], []),
    book('14', [], [level('0.5', null)]),
    book('15', [], ['0.5']),
    '{"asset_id": "16", "event_ts',
    '',
    // None of them is amiss.
    ...['18', '19', '20', '21', '22', '23', '24', '25', '26', '27', '28', '29', '30', '31'].map(id =>
      book(id, good, []),
    ),
    book('32', [level(0, 1), level(1, '1000.5')], []),
    book('33', [], [], { event_ts_ms: null, recv_ms: '1704283200999' }),
  ]
  await books.import([books.file('books.jsonl', lines)])
  expect(books.rejects()).toEqual([
    '2|asset_id|missing|',
    '3|asset_id|not a token id|a b',
    '4|timestamp|missing|',
    '5|timestamp|not a time|noon',
    '6|timestamp|before 1900 or in the future|7321017600000',
    '7|bids|not a list of levels|{"a":1}',
    '8|asks|not a list of levels|',
    '9|bids|not a list of levels|',
    '10|bids|a level without a size or a price from 0 to 1|{"price":"1.01","size":"1"}',
    '11|asks|a level without a size or a price from 0 to 1|{"price":"-0.01","size":"1"}',
    '12|bids|a level without a size or a price from 0 to 1|{"price":"0.5","size":"-1"}',
    '13|bids|a level without a size or a price from 0 to 1|{"price":"x","size":"1"}',
    '14|asks|a level without a size or a price from 0 to 1|{"price":"0.5","size":null}',
    '15|asks|a level without a size or a price from 0 to 1|"0.5"',
    '16||not a JSON object|{"asset_id": "16", "event_ts',
  ])
  expect(
    await books.rows(
      `SELECT asset_id, timestamp, bid_prices, bid_sizes FROM bars
       WHERE asset_id IN ('1', '32', '33') ORDER BY asset_id`,
      'prediction_books',
    ),
  ).toEqual([
    '1 2024-01-03 12:00:00.123 [0.400000] [10.000000]',
    '32 2024-01-03 12:00:00.123 [1.000000, 0.000000] [1000.500000, 1.000000]',
    '33 2024-01-03 12:00:00.999 [] []',
  ])
})

test('levels without a size are excluded, and a crossed book is reported', async () => {
  const books = importingFormat('prediction-books')
  const lines = [
    book(
      '1',
      [level('0.4', '0'), level('0.39', '5'), level('0.41', '0.0')],
      [level('0.5', '0'), level('0.6', '1')],
    ),
    book('2', [level('0.5', '1')], [level('0.5', '1')]),
    book('3', [level('0.6', '1')], [level('0.5', '1')]),
    book('4', [level('0.49', '1')], [level('0.5', '1')]),
  ]
  const { rejected, notes } = await books.import([books.file('books.jsonl', lines)])
  expect([rejected, notes]).toEqual([
    0,
    [
      { fault: 'bids: a level of size zero', rows: 2 },
      { fault: 'bids: the best bid is not below the best ask', rows: 2 },
      { fault: 'asks: a level of size zero', rows: 1 },
    ],
  ])
  expect(
    await books.rows(
      'SELECT bid_prices, bid_sizes, ask_prices, ask_sizes FROM bars ORDER BY asset_id LIMIT 1',
      'prediction_books',
    ),
  ).toEqual(['[0.390000] [5.000000] [0.600000] [1.000000]'])
})

test('the last of two books of the same token and millisecond stays', async () => {
  const books = importingFormat('prediction-books')
  const lines = [
    book('1', [level('0.1', '1')], []),
    book('1', [level('0.2', '1')], []),
    book('1', [level('0.3', '1')], [], { event_ts_ms: TIME + 1 }),
  ]
  const report = await books.import([books.file('books.jsonl', lines)])
  expect(report.rows).toBe(2)
  expect(await books.rows('SELECT bid_prices, timestamp FROM bars ORDER BY ALL', 'prediction_books')).toEqual(
    ['[0.200000] 2024-01-03 12:00:00.123', '[0.300000] 2024-01-03 12:00:00.124'],
  )
})
