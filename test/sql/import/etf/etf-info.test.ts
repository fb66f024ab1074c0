import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const SAMPLES = 'data/samples/etf-info'
const TODAY = new Date().toISOString().slice(0, 10)
const ALL = 'FROM bars ORDER BY ticker, date'

/** One fact of several funds, as it lands, each fund with the note that it gets. */
async function landed(header: string, column: string, values: readonly string[]) {
  const funds = importingFormat('etf-info')
  const lines = values.map((value, place) => `T${place + 10},Fund,${value}`)
  const { notes } = await funds.import([funds.file('funds.csv', [`ticker,name,${header}`, ...lines])])
  const rows = await funds.rows(`SELECT ${column} FROM bars ORDER BY ticker`, 'etfs')
  return { rows, notes: notes.map(({ fault, rows }) => `${rows} ${fault}`) }
}

test('the sample facts are imported fund by fund', async () => {
  const funds = importingFormat('etf-info')
  const report = await funds.import([SAMPLES], { options: { date: '2024-01-03' } })
  expect([report.rows, report.rejected, report.notes]).toEqual([6, 0, []])
  expect(await funds.rows(ALL, 'etfs')).toEqual([
    // 0.0003 of a dollar a year are 0.03 %, and two holdings are listed.
    'ASHX 2024-01-03 Ash Dividend ETF Ash Partners US Pays every month. https://funds.example/ashx 2015-06-01 0.3500 60 812345678.50 -',
    'BIRX 2024-01-03 Birch Income ETF Birch IE - - 1999-03-10 0.0300 2 346800000000.00 -',
    'ELMX 2024-01-02 Elm Innovation Fund Elm Funds US Buys what its managers like, mostly ACME. https://funds.example/elmx 2018-09-17 0.7500 1004 2500000000.00 true',
    'OAKS 2024-01-02 Oakshares Core Made-up ETF Oakshares US Follows an index of nine made-up companies. https://funds.example/oaks 2010-05-04 0.0300 12 100000000.00 true',
    'PINE 2024-01-02 Pine Treasury ETF Pine Capital IE Holds bills. https://funds.example/pine 2021-03-01 0.0950 40 1234567.89 false',
    'YEWX 2024-01-02 Yew World Fund Yew & Co US - - - - - - -',
  ])
})

test.each([
  ['expense ratio', ['0.03%', '0.0945', '0', '100'], ['0.0300', '0.0945', '0.0000', '100.0000']],
  ['Net Expense Ratio (%)', ['0.03'], ['0.0300']],
  ['TER', ['0.03'], ['0.0300']],
  // A fraction, unless it says percent, rounded half to even.
  [
    'net_expense_ratio',
    ['0.0003', '0.03%', '0.0000005', '0.0000015', '1'],
    ['0.0300', '0.0300', '0.0000', '0.0002', '100.0000'],
  ],
])('%s is in percent a year', async (header, values, expected) => {
  expect(await landed(header, 'expense_ratio', values)).toEqual({ rows: expected, notes: [] })
})

test('assets are exact to the cent, whatever their unit', async () => {
  const assets = [
    ['583222640139.86', '583222640139.86'],
    ['"$583,222,640,139.86"', '583222640139.86'],
    ['$521.3B', '521300000000.00'],
    ['521.3 bn', '521300000000.00'],
    ['12.5M', '12500000.00'],
    ['12.5mm', '12500000.00'],
    ['1.5 million USD', '1500000.00'],
    ['2 thousand', '2000.00'],
    ['750k', '750000.00'],
    ['1.23456789T', '1234567890000.00'],
    ['0.1 trillion', '100000000000.00'],
    ['2tn', '2000000000000.00'],
    ['1.005', '1.00'],
    ['1.015', '1.02'],
    ['9999T', '9999000000000000.00'],
    ['0', '0.00'],
  ]
  const values = assets.map(([value = '']) => value)
  expect(await landed('AUM', 'aum', values)).toEqual({ rows: assets.map(([, aum]) => aum), notes: [] })
})

test.each([
  ['aum', 'aum', ['lots', '1.5Q', '-5B', '10000T'], 'aum: not an amount'],
  [
    'expense ratio',
    'expense_ratio',
    ['-0.01', '100.0001', 'low'],
    'expense_ratio: not a number from 0 to 100 percent',
  ],
  ['net_expense_ratio', 'expense_ratio', ['1.01'], 'expense_ratio: not a number from 0 to 100 percent'],
  [
    'holdings',
    'holdings_count',
    ['12.5', '-1', '2147483648', 'many'],
    'holdings_count: not a non-negative whole number',
  ],
  [
    'inception date',
    'inception_date',
    ['2202-01-01', '1899-12-31', '2024-02-30', 'long ago'],
    'inception_date: not a date up to today',
  ],
  ['website', 'website', ['funds.example', 'https://localhost', 'ftp://funds.example'], 'website: not a URL'],
  ['optionable', 'has_options', ['maybe', '2'], 'has_options: neither yes nor no'],
])('an invalid %s is imported as NULL, and reported', async (header, column, values, note) => {
  expect(await landed(header, column, values)).toEqual({
    rows: values.map(() => '-'),
    notes: [`${values.length} ${note}`],
  })
})

test.each([
  [
    'holdings',
    'holdings_count',
    ['0', '2147483647', '"1,004"', '12.0', 'N/A'],
    ['0', '2147483647', '1004', '12', '-'],
  ],
  ['inception date', 'inception_date', ['1900-01-01', '5/4/2010'], ['1900-01-01', '2010-05-04']],
  [
    'has_options',
    'has_options',
    ['Y', 'yes', 'TRUE', '1', 'n', 'No', 'false', '0', ''],
    ['true', 'true', 'true', 'true', 'false', 'false', 'false', 'false', '-'],
  ],
  ['description', 'description', ['"two\n lines"', 'None', '--'], ['two lines', '-', '-']],
])('%s is imported in its usual meaning', async (header, column, values, expected) => {
  expect(await landed(header, column, values)).toEqual({ rows: expected, notes: [] })
})

test('a row without a valid ticker, name or day is rejected', async () => {
  const funds = importingFormat('etf-info')
  const lines = [
    '\ufeffTicker,Fund Name,As Of,Expense Ratio',
    'acme,Acme Fund,2024-01-02,0.1',
    ',No Ticker,2024-01-02,0.1',
    '<i>X</i>,Html Ticker,2024-01-02,0.1',
    'BRASS,,2024-01-02,0.1',
    'CEDAR,Cedar Fund,2202-01-02,0.1',
    'DELTA,Delta Fund,2024-02-30,0.1',
    'EMBER,Ember Fund',
    'FJORD,Fjord Fund,1/2/2024,0.2',
    'GROVE,Grove Fund,"Jan 2, 2024",0.3',
    'HAZEL,Hazel Fund,20240102,0.4',
    'IRIS,Iris Fund,02-Jan-2024,0.5',
    'JADE,Jade Fund,-,0.6',
    'acme,Acme Fund,2024-01-02,0.7',
  ]
  await funds.import([funds.file('funds.csv', lines)])
  expect(funds.rejects()).toEqual([
    '3|ticker|missing|',
    '4|ticker|not a ticker|<I>X</I>',
    '5|name|neither in the file nor in the lake|',
    '6|date|before 1900 or in the future|2202-01-02',
    '7|date|not a date|2024-02-30',
    '8||too few fields|EMBER,Ember Fund',
  ])
  expect(await funds.rows('SELECT ticker, date, expense_ratio FROM bars ORDER BY ticker', 'etfs')).toEqual([
    // The last of two rows of a day stays.
    'ACME 2024-01-02 0.7000',
    'FJORD 2024-01-02 0.2000',
    'GROVE 2024-01-02 0.3000',
    'HAZEL 2024-01-02 0.4000',
    'IRIS 2024-01-02 0.5000',
    `JADE ${TODAY} 0.6000`,
  ])
})

test("a profile without ticker and name gets them from the file's name, the flags and the lake", {
  tags: 'slow',
}, async () => {
  const funds = importingFormat('etf-info')
  const profile = { net_assets: '1000', net_expense_ratio: '0.001', inception_date: '2001-02-03' }
  const json = JSON.stringify(profile)
  await funds.import([
    funds.file('names.csv', ['ticker,date,name', 'QQQX,2020-01-01,Q Fund', 'ZZZX,2030-01-01,Z']),
  ])
  const listed = funds.file('tickers.csv', ['ticker,date,full_name', 'WWWX,2020-01-01,W Fund'])
  await funds.import([listed], { format: 'csv-tickers' })
  const known = [
    funds.file('QQQX_etf_profile.json', json),
    funds.file('WWWX.json', JSON.stringify({ ...profile, dividend_yield: '0' })),
    funds.file('VVVX-info.json', JSON.stringify({ ...profile, name: 'V Fund' })),
  ]
  await funds.import(known, { options: { date: '2024-01-03' } })
  expect(await funds.refusal([funds.file('YYYX.json', json)])).toContain(
    'name: neither in the file nor in the lake',
  )
  expect(await funds.refusal([funds.file('profile of Q.json', json)])).toContain('ticker: missing')
  await funds.import([funds.file('profile.json', json)], { options: { etf: 'qqqx', date: '2024-01-05' } })
  expect(
    await funds.rows(
      `SELECT ticker, date, name, expense_ratio FROM bars WHERE ticker <> 'ZZZX' ORDER BY ALL`,
      'etfs',
    ),
  ).toEqual([
    'QQQX 2020-01-01 Q Fund -',
    'QQQX 2024-01-03 Q Fund 0.1000',
    'QQQX 2024-01-05 Q Fund 0.1000',
    'VVVX 2024-01-03 V Fund 0.1000',
    'WWWX 2024-01-03 W Fund 0.1000',
  ])
})

test('facts that a source lacks stay unchanged, and later rows get what they lack', async () => {
  const funds = importingFormat('etf-info')
  const header =
    'ticker,date,name,issuer,domicile,description,website,inception date,expense ratio,holdings,aum,optionable'
  const full = (day: string) =>
    `ACME,${day},Acme,Co,US,It holds.,https://a.example,2001-02-03,0.1,10,1000,yes`
  const other = (day: string) =>
    `ACME,${day},Other,New,IE,It sold.,https://b.example,2002-03-04,0.2,20,2000,no`
  const bare = (day: string) => `ACME,${day},Acme,,,,,,,,,`
  const rows = () => funds.rows(`SELECT * EXCLUDE (ticker, name) ${ALL}`, 'etfs')
  const facts = 'Co US It holds. https://a.example 2001-02-03'
  const later = '2024-01-09 New IE It sold. https://b.example 2002-03-04 0.2000 20 2000.00 false'
  await funds.import([funds.file('1.csv', [header, bare('2024-01-05'), other('2024-01-09')])])
  expect(await rows()).toEqual(['2024-01-05 - - - - - - - - -', later])
  // The row before both of them tells them what they do not know, and no more.
  const { rows: changed } = await funds.import([funds.file('2.csv', [header, full('2024-01-02')])])
  expect(changed).toBe(2)
  expect(await rows()).toEqual([
    `2024-01-02 ${facts} 0.1000 10 1000.00 true`,
    `2024-01-05 ${facts} 0.1000 10 1000.00 true`,
    later,
  ])
  // A later row keeps what is known, be it of the same file; one that tells does not; one of a day that is held corrects.
  const more = [header, bare('2024-01-12'), 'ACME,2024-01-05,Acme,,,,,,0.3,,,', full('2024-01-10')]
  expect((await funds.import([funds.file('3.csv', more)])).rows).toBe(3)
  expect((await rows()).slice(1)).toEqual([
    `2024-01-05 ${facts} 0.3000 10 1000.00 true`,
    later,
    `2024-01-10 ${facts} 0.1000 10 1000.00 true`,
    `2024-01-12 ${facts} 0.1000 10 1000.00 true`,
  ])
})

test('an expense ratio in percent takes precedence over one as a fraction', async () => {
  const funds = importingFormat('etf-info')
  const lines = ['ticker,name,expense ratio,net_expense_ratio', 'ACME,Acme,0.2,0.0003', 'BRASS,Brass,,0.0003']
  await funds.import([funds.file('funds.csv', lines)])
  expect(await funds.rows('SELECT ticker, expense_ratio FROM bars ORDER BY ticker', 'etfs')).toEqual([
    'ACME 0.2000',
    'BRASS 0.0300',
  ])
})
