import { expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

const imported = async (lines: readonly string[]) => {
  const at = importingFormat('stock-splits')
  const report = await at.import([at.file('splits.csv', lines)])
  return { at, report, rows: await at.rows('FROM bars ORDER BY ticker, date', 'stock_splits') }
}

test('the sample is imported, each split as the least whole shares after and before it', async () => {
  const at = importingFormat('stock-splits')
  const report = await at.import(['data/samples/stock-splits'])
  expect(report).toMatchObject({ rows: 7, rejected: 1 })
  expect(at.rejects()).toEqual(['5|date|invalid date|2022-02-30'])
  expect(await at.rows('FROM bars ORDER BY ticker, date', 'stock_splits')).toEqual([
    'ACME 2019-06-10 2 1',
    'BRASS 2021-06-15 3 2',
    'BRASS 2023-11-01 1 10',
    'CEDAR 2022-08-22 20 1',
    'FJORD 2020-05-29 1 25',
    'GROVE 2023-04-03 1281 1000',
    'HARBR 2024-01-16 1 3',
  ])
})

const RATIOS = [
  ['4:1', '4 1'],
  ['4 for 1', '4 1'],
  ['4-FOR-1', '4 1'],
  ['1-to-10', '1 10'],
  ['1/10', '1 10'],
  ['3:2', '3 2'],
  ['10.5:7', '3 2'],
  ['4.000000', '4 1'],
  ['1.5', '3 2'],
  ['1.015', '203 200'],
  ['0.1', '1 10'],
  ['0.05', '1 20'],
  // Rounded forms of 1:3, 1:15, 4:3 and 5:3.
  ['0.3333', '1 3'],
  ['0.066667', '1 15'],
  ['1.3333', '4 3'],
  ['1.67', '5 3'],
  // Exact, since no 1:N or N:3 rounds to it.
  ['0.98', '49 50'],
  ['1.3334', '6667 5000'],
  ['0.3333:1', '3333 10000'],
] as const

const dayAt = (index: number) => `2020-08-${10 + index}`

test('a ratio is stored as whole shares, however it is written', async () => {
  const { rows } = await imported([
    'ticker,date,ratio',
    ...RATIOS.map(([ratio], index) => `acme,${dayAt(index)},${ratio}`),
  ])
  expect(rows).toEqual(RATIOS.map(([, shares], index) => `ACME ${dayAt(index)} ${shares}`))
})

const REJECTED = [
  ['', 'ratio|missing|'],
  ['four', 'ratio|not a ratio such as 4:1|four'],
  ['-2', 'ratio|not a ratio such as 4:1|-2'],
  ['0', 'ratio|not a ratio such as 4:1|0'],
  ['4:0', 'ratio|not a ratio such as 4:1|4:0'],
  ['4:1:1', 'ratio|not a ratio such as 4:1|4:1:1'],
  ['1e1', 'ratio|not a ratio such as 4:1|1e1'],
  ['1000000', 'ratio|not a ratio such as 4:1|1000000'],
  ['1.0000001', 'ratio|not a ratio such as 4:1|1.0000001'],
] as const

test('anything else is rejected', async () => {
  const good = RATIOS.map(([ratio], index) => `ACME,${dayAt(index)},${ratio}`)
  const bad = REJECTED.map(([ratio], index) => `BRASS,${dayAt(index)},${ratio}`)
  const { at, report } = await imported(['ticker,date,ratio', ...good, ...bad])
  expect(report.rows).toBe(good.length)
  expect(at.rejects()).toEqual(REJECTED.map(([, reject], index) => `${2 + good.length + index}|${reject}`))
})

test('shares in two columns are both required, and positive', async () => {
  const { at, rows } = await imported([
    'symbol,ex_date,denominator,numerator',
    'ACME,2020-08-31,1,4',
    'ACME,2014-06-09,1,7',
    'ACME,2005-02-28,1,2',
    'ACME,2000-06-21,1,2',
    'ACME,2020-09-01,,4',
    'ACME,2020-09-02,1,',
    'ACME,2020-09-03,0,4',
    'not a ticker,2020-09-04,1,4',
  ])
  expect(rows).toEqual([
    'ACME 2000-06-21 2 1',
    'ACME 2005-02-28 2 1',
    'ACME 2014-06-09 7 1',
    'ACME 2020-08-31 4 1',
  ])
  expect(at.rejects()).toEqual([
    '6|old_shares|missing|',
    '7|new_shares|missing|',
    '8|old_shares|not a positive number of shares|0',
    '9|ticker|not a ticker|not a ticker',
  ])
})

test('a split that is not in the lake is named by the import of the bars, until it is imported', async () => {
  const at = importingFormat('daily-bars')
  const bars = (price: string) => [
    'ticker,date,open,high,low,close,volume',
    'ACME,2024-03-01,400,404,396,400,1000',
    `ACME,2024-03-04,${price},4000`,
    'BRASS,2024-03-01,10,10,10,10,1000',
    'BRASS,2024-03-04,10,10,10,10,1000',
  ]
  await at.import([at.file('bars.csv', bars('101,102,99,100'))])
  expect(at.notices()).toEqual([
    'warning: prices moved as by a split that stock_splits does not have: 2024-03-04 ACME (4:1). Import the splits with "tapehouse import stock-splits", with a ratio of 1:1 where there was none',
  ])
  const adjustments = () => at.rows('FROM bars', 'price_adjustments')
  expect(await adjustments()).toEqual(['ACME 2024-03-04 - - - 4:1'])
  await at.import([at.file('splits.csv', ['ticker,date,ratio', 'ACME,2024-03-04,4:1'])], {
    format: 'stock-splits',
  })
  expect(at.notices()).toHaveLength(1)
  expect(await adjustments()).toEqual(['ACME 2024-03-04 4.0 - 4.0 -'])
  // The bars of a source that has adjusted them meanwhile.
  await at.import([
    at.file('adjusted.csv', [...bars('101,102,99,100').with(1, 'ACME,2024-03-01,100,101,99,100,4000')]),
  ])
  expect(await adjustments()).toEqual(['ACME 2024-03-04 1.0 - - -'])
})

/** The close of a Friday, the open of the Monday after it, and the split that this looks like. */
const NIGHTS: readonly (readonly [close: number, open: number, split: string | null])[] = [
  [100, 50, '2:1'],
  [90, 30, '3:1'],
  [100, 25, '4:1'],
  [100, 20, '5:1'],
  [70, 10, '7:1'],
  [100, 10, '10:1'],
  [200, 10, '20:1'],
  [50, 100, '1:2'],
  [30, 90, '1:3'],
  [25, 100, '1:4'],
  [20, 100, '1:5'],
  [10, 70, '1:7'],
  [10, 100, '1:10'],
  [10, 200, '1:20'],
  // 2.9 % beyond each side of a ratio, and 3.1 %.
  [411.6, 100, '4:1'],
  [388.4, 100, '4:1'],
  [412.4, 100, null],
  [387.6, 100, null],
  [51.45, 100, '1:2'],
  [48.55, 100, '1:2'],
  [51.55, 100, null],
  [48.45, 100, null],
  // Moves of a night, however large.
  [100, 100, null],
  [103, 100, null],
  [100, 78, null],
  [100, 43, null],
  [100, 11, null],
]

test('an import of bars counts the nights that look like a split, without those whose split is known', async () => {
  const at = importingFormat('daily-bars')
  const tickers = NIGHTS.map((_, index) => `T${String(index).padStart(2, '0')}`)
  const bar = (ticker: string | undefined, day: string, price: number) =>
    `${ticker},${day},${price},${price},${price},${price},1000`
  const bars = at.file('bars.csv', [
    'ticker,date,open,high,low,close,volume',
    ...NIGHTS.flatMap(([close, open], index) => [
      bar(tickers[index], '2024-03-01', close),
      bar(tickers[index], '2024-03-04', open),
    ]),
  ])
  const suspected = NIGHTS.flatMap(([, , split], index) =>
    split === null ? [] : [`${tickers[index]} ${split}`],
  )
  expect(suspected).toHaveLength(18)
  const found = () =>
    at.rows(
      'SELECT ticker, suspected_split FROM bars WHERE suspected_split IS NOT NULL ORDER BY ticker',
      'price_adjustments',
    )
  await at.import([bars])
  expect(await found()).toEqual(suspected)
  expect(at.notices()).toEqual([
    expect.stringMatching(
      /^warning: .* 2024-03-04 T00 \(2:1\), 2024-03-04 T01 \(3:1\), .* T04 \(7:1\) and 13 more\. /,
    ),
  ])

  const known = importingFormat('stock-splits')
  const all = known.file('splits.csv', [
    'ticker,date,ratio',
    ...suspected.map(each => each.replace(' ', ',2024-03-04,')),
  ])
  await known.import([all], { lake: at.lake })
  expect(await found()).toEqual([])
  expect(known.notices()).toEqual([])
})
