import { expect, test } from 'vitest'
import { UNDERLYING_OF_ROOT } from '../../../../src/market/option-roots.ts'
import { importingFormat } from '../formats.ts'

const SAMPLES = 'data/samples/etf-holdings'
const HEADER = 'Ticker,Name,Sector,Asset Class,Market Value,Weight (%),Quantity'
const PREAMBLE = ['Alder Fund', 'Fund Holdings as of,"Jan 03, 2024"', 'Inception Date,"May 04, 2010"']
const ROWS = `SELECT etf, ticker, weight, shares, replace(name, ' ', '_') FROM bars ORDER BY etf, weight DESC, name`

/** A list in the form of iShares with these lines after its header. */
const list = (lines: readonly string[], preamble = PREAMBLE) => [...preamble, '', HEADER, ...lines]

test('the sample lists are imported row by row, and the lines around an iShares list are not rows', async () => {
  const funds = importingFormat('etf-holdings')
  const report = await funds.import([SAMPLES])
  expect(report.accounts.map(({ records, rows, rejected }) => [records, rows, rejected])).toEqual([
    // 12 holdings and one row of etfs; the line of blanks and the disclaimer, of two lines, are the other two records.
    [14, 13, 2],
    [4, 4, 0],
  ])
  expect(funds.rejects().map(line => line.slice(0, 20))).toEqual([
    '23||too few fields|\u00a0',
    '24||too few fields|"',
  ])
  expect(await funds.rows(ROWS, 'etf_holdings')).toEqual([
    'ELMX ACME 60.000000 1250000.0000 ACME_WORKS_INC',
    'ELMX FJORD 20.000000 1000000.0000 FJORD_BANK',
    'ELMX HAZEL 16.000000 500000.0000 HAZEL_CARE_INC',
    'ELMX  4.000000 10000000.0000 US_DOLLAR',
    'OAKS ACME 24.000000 200000.0000 ACME_WORKS_INC',
    'OAKS BRASS 18.000000 450000.0000 BRASS_INSTRUMENTS_CORP',
    'OAKS CEDAR 15.000000 300000.0000 CEDAR_HOMES_INC',
    'OAKS DELTA 12.500000 1250000.0000 DELTA_FERRIES_INC',
    'OAKS EMBER 10.000000 80000.0000 EMBER_ENERGY_CORP',
    'OAKS FJORD 8.000000 160000.0000 FJORD_BANK',
    'OAKS BRK.B 6.000000 12000.0000 BRICK_AND_KILN_INC_CLASS_B',
    'OAKS GROVE 4.000000 100000.0000 GROVE_FOODS_INC',
    'OAKS HAZEL 2.000000 25000.0000 HAZEL_CARE_INC',
    'OAKS  0.400000 400000.0000 USD_CASH',
    'OAKS  0.070000 70000.0000 OAK_LIQUIDITY_FUND_AGENCY',
    'OAKS  0.000000 5.0000 MADE-UP_INDEX_FUTURE_MAR_24',
  ])
  expect(await funds.rows('SELECT DISTINCT date FROM bars', 'etf_holdings')).toEqual(['2024-01-03'])
  expect(
    await funds.rows(
      `SELECT ticker, type, sector FROM bars WHERE etf = 'OAKS' ORDER BY weight DESC`,
      'etf_holdings',
    ),
  ).toEqual([
    'ACME stock Technology',
    'BRASS stock Consumer Cyclical',
    'CEDAR stock Real Estate',
    'DELTA stock Industrials',
    'EMBER stock Energy',
    'FJORD stock Financial Services',
    'BRK.B stock Financial Services',
    'GROVE stock Consumer Defensive',
    'HAZEL stock Healthcare',
    ' cash -',
    ' cash -',
    ' future -',
  ])
  expect(
    await funds.rows('SELECT type, sector, short_name, has_options FROM bars LIMIT 1', 'etf_holdings'),
  ).toEqual(['- - - -'])
  expect(await funds.rows('FROM bars', 'etfs')).toEqual([
    'OAKS 2024-01-03 Oakshares Core Made-up ETF - - - - 2010-05-04 - 12 - -',
  ])
})

test('every error of a row is reported, and the other values are imported', async () => {
  const funds = importingFormat('etf-holdings')
  const file = funds.file('OAKS.csv', [
    ...list([
      'ACME,ACME WORKS,Financials,Equity,"1,000","10.5","1,000.5"',
      ',,Financials,Equity,1,10,100',
      'BRASS,BRASS CORP,Materials,Equity,1,,100',
      'CEDAR,CEDAR INC,Materials,Equity,1,ten,100',
      'DELTA,DELTA INC,Materials,Equity,1,"1,0",100',
      'EMBER,EMBER INC,Materials,Equity,1,1000000,100',
      'FJORD,FJORD INC,Materials,Equity,1,1,-',
      'GROVE,GROVE INC,Materials,Equity,1,1,1e3x',
      'HAZEL,HAZEL INC,Materials,Equity,1,1,999999999999999',
      '<b>IRIS</b>,IRIS INC,Unassigned,Equity,1,-0.25,-100',
      '2330,JADE INC,Made-up sector,Equity,1,1,100',
      '-,"KELP\n  INC",Communication,Equity,1,1,100',
      'LARK,LARK INC,Information Technology,Equity',
      'MOSS,MOSS INC,Energy,Equity,1,3,300',
      'NAVY,NAVY INC,Utilities,ADR,1,4,400',
      'OPAL,OPAL FUND,-,Exchange Traded Fund,1,5,500',
      'PUMA,PUMA INC,-,Warrants,1,6,600',
    ]),
  ])
  const report = await funds.import([file])
  expect(funds.rejects()).toEqual([
    '7|name|missing|',
    '8|weight|missing|',
    '9|weight|not a plain decimal number|ten',
    '10|weight|not a plain decimal number|1,0',
    '11|weight|too large|1000000',
    '12|shares|missing|',
    '13|shares|not a plain decimal number|1e3x',
    '14|shares|too large|999999999999999',
    '19||too few fields|LARK,LARK INC,Information Technology,Equity',
  ])
  // A dash means no ticker; the other two are invalid tickers, and reported, as is a sector that is none.
  expect(report.notes).toEqual([
    { fault: 'ticker: not a ticker', rows: 2 },
    { fault: 'sector: unknown sector', rows: 1 },
  ])
  expect(
    await funds.rows(
      'SELECT ticker, name, type, sector, weight, shares FROM bars ORDER BY name',
      'etf_holdings',
    ),
  ).toEqual([
    'ACME ACME WORKS stock Financial Services 10.500000 1000.5000',
    ' IRIS INC stock - -0.250000 -100.0000',
    ' JADE INC stock - 1.000000 100.0000',
    ' KELP INC stock Communication Services 1.000000 100.0000',
    'MOSS MOSS INC stock Energy 3.000000 300.0000',
    'NAVY NAVY INC stock Utilities 4.000000 400.0000',
    'OPAL OPAL FUND etf - 5.000000 500.0000',
    ' PUMA INC warrants - 6.000000 600.0000',
  ])
  // Eight holdings were kept.
  expect(await funds.rows('SELECT ticker, holdings_count FROM bars', 'etfs')).toEqual(['OAKS 8'])
})

test('every kind of holding gets its name, and only stocks and funds keep their ticker', async () => {
  const funds = importingFormat('etf-holdings')
  const kinds = [
    ['Cash Collateral and Margins', ' cash'],
    ['Currency', ' cash'],
    ['Equity', 'HELD stock'],
    ['Common Stock', 'HELD stock'],
    ['ETF', 'HELD etf'],
    ['FX', ' forward'],
    ['Fixed Income', ' bond'],
    ['Treasury bills', ' bond'],
    ['Forwards', ' forward'],
    ['Futures', ' future'],
    ['Index Option', ' option'],
    ['Money Market Fund', ' cash'],
    ['Repurchase Agreement', ' cash'],
    ['Swaps', ' swap'],
  ]
  const lines = kinds.map(([kind], place) => `HELD,HOLDING ${place + 10},-,${kind},1,1,1`)
  await funds.import([funds.file('OAKS.csv', list(lines))])
  expect(await funds.rows('SELECT ticker, type FROM bars ORDER BY name', 'etf_holdings')).toEqual(
    kinds.map(([, shown]) => shown),
  )
})

test('listed options and a short name are imported if a list has them', async () => {
  const funds = importingFormat('etf-holdings')
  const words = ['Yes', 'y', 'TRUE', '1', 'No', 'n', 'false', '0', '-', '', 'maybe']
  const lines = words.map(
    (word, place) => `HOLDING ${place + 10},ACME,1,1,${word},${place === 0 ? 'Acme' : '-'}`,
  )
  const header = 'name,ticker,weight,shares,has_options,short name'
  const file = funds.file('OAKS.csv', [...PREAMBLE, header, ...lines])
  const { notes } = await funds.import([file])
  expect(notes).toEqual([{ fault: 'has_options: neither yes nor no', rows: 1 }])
  expect(await funds.rows('SELECT has_options, short_name FROM bars ORDER BY name', 'etf_holdings')).toEqual([
    'true Acme',
    ...['true -', 'true -', 'true -', 'false -', 'false -', 'false -', 'false -', '- -', '- -', '- -'],
  ])
})

test('holdings with the same name and no ticker are distinguished by their identifiers', async () => {
  const funds = importingFormat('etf-holdings')
  const lines = [
    'name,asset class,cusip,weight (%),par value',
    'TREASURY NOTE,Fixed Income,91282AAA1,60,600',
    'TREASURY NOTE,Fixed Income,91282BBB2,30,300',
    'TREASURY BILL,Fixed Income,91282CCC3,10,100',
    'TREASURY BILL,Fixed Income,91282CCC3,9,90',
    'CASH,Cash,-,8,80',
    'CASH,Cash,912EUR,7,70',
  ]
  const file = funds.file('OAKS_2024-01-03.csv', lines)
  await funds.import([file], { options: { date: '2024-01-03' } })
  expect(await funds.rows('SELECT etf, name, weight FROM bars ORDER BY weight DESC', 'etf_holdings')).toEqual(
    [
      'OAKS TREASURY NOTE 91282AAA1 60.000000',
      'OAKS TREASURY NOTE 91282BBB2 30.000000',
      // The same line twice: the last one stays.
      'OAKS TREASURY BILL 9.000000',
      'OAKS CASH 8.000000',
      'OAKS CASH 912EUR 7.000000',
    ],
  )
  expect(funds.notices().join()).toContain('1 row')
})

test.each([
  [
    'a column',
    'X_holdings.csv',
    ['Fund Ticker,Date,Name,Weight,Shares', 'elmx,01/03/2024,A,1,1'],
    'ELMX 2024-01-03',
  ],
  [
    'a column, before --etf',
    'X.csv',
    ['etf,as of,name,weight,shares', 'ELMX,20240103,A,1,1'],
    'ELMX 2024-01-03',
  ],
  [
    'lines before the header',
    'x.csv',
    [
      'Fund Name:,Elm',
      'Ticker Symbol:,ELMX,,',
      'Holdings:,As of 03-Jan-2024,,',
      'Name,Weight,Shares Held',
      'A,1,1',
    ],
    'ELMX 2024-01-03',
  ],
  [
    'lines in quotes',
    'x.csv',
    ['"Elm, the Fund"', '"Ticker","ELMX"', '"as of","January 3, 2024"', 'Name,Weight,Shares Held', 'A,1,1'],
    'ELMX 2024-01-03',
  ],
  [
    'a line with an American day',
    'ELMX.csv',
    ['Elm', 'Fund Holdings Data as of 01/03/2024', '% of Net Assets,Ticker,Name,Shares Held', '1,ACME,A,1'],
    'OAKS 2024-01-03',
  ],
  [
    'the name of the file',
    'ELMX-20240103.csv',
    ['date,name,weight,shares', '2024-01-03,A,1,1'],
    'OAKS 2024-01-03',
  ],
])('fund and day are read from %s', async (_, name, lines, expected) => {
  const funds = importingFormat('etf-holdings')
  await funds.import([funds.file(name, lines)], { options: { etf: 'OAKS' } })
  expect(await funds.rows('SELECT etf, date FROM bars', 'etf_holdings')).toEqual([expected])
})

test('the name of the file determines the fund if nothing else does', async () => {
  const funds = importingFormat('etf-holdings')
  const names = ['BRK.A-20240103.csv', 'ELMX.csv', 'IVV_holdings.csv', 'OAKS Holdings.csv']
  const files = names.map((name, place) => funds.file(name, list([`ACME,ACME WORKS,-,Equity,1,${place},1`])))
  await funds.import(files)
  expect(await funds.rows('SELECT etf FROM bars ORDER BY weight', 'etf_holdings')).toEqual([
    'BRK.A',
    'ELMX',
    'IVV',
    'OAKS',
  ])
})

test.each([
  [
    'holdings-daily-us-en-spy.csv',
    list(['ACME,A,-,Equity,1,1,1']),
    'etf: not in a column, before the header',
  ],
  ['ELM_INNOVATION_HOLDINGS.csv', list(['ACME,A,-,Equity,1,1,1']), 'etf: not in a column, before the header'],
  ['x.csv', ['fund,date,name,weight,shares', 'The Fund,2024-01-03,A,1,1'], 'etf: not a ticker'],
  ['OAKS.csv', ['name,weight,shares', 'A,1,1'], 'date: missing'],
  ['OAKS.csv', ['date,name,weight,shares', '2202-01-03,A,1,1'], 'date: before 1900 or in the future'],
  ['OAKS.csv', ['date,name,weight,shares', '2024-02-30,A,1,1'], 'date: not a date'],
])('a list without its fund or day is rejected as a whole: %s', async (name, lines, reason) => {
  const funds = importingFormat('etf-holdings')
  expect(await funds.refusal([funds.file(name, lines)])).toContain(reason)
})

test('classes of shares get the dot that options lose', async () => {
  const funds = importingFormat('etf-holdings')
  const classes = [...UNDERLYING_OF_ROOT].filter(([, ticker]) => ticker.includes('.'))
  expect(classes.length).toBeGreaterThan(5)
  const lines = [...classes.map(([root]) => root), 'ACM/B', 'ACM B', 'ACMB'].map(
    ticker => `${ticker},${ticker},-,Equity,1,1,1`,
  )
  await funds.import([funds.file('OAKS.csv', list(lines))])
  const rows = await funds.rows('SELECT name, ticker FROM bars', 'etf_holdings')
  expect(rows.toSorted()).toEqual(
    [
      ...classes.map(([root, ticker]) => `${root} ${ticker}`),
      'ACM/B ACM.B',
      'ACM B ACM.B',
      'ACMB ACMB',
    ].toSorted(),
  )
})
