import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const HEADER = 'Ticker,Name,Sector,Asset Class,Market Value,Weight (%),Quantity'
const PREAMBLE = ['Alder Fund', 'Fund Holdings as of,"Jan 03, 2024"', 'Inception Date,"May 04, 2010"']

/** A list in the form of iShares with these lines after its header. */
const list = (lines: readonly string[], preamble: readonly string[]) => [...preamble, '', HEADER, ...lines]

test('facts of a fund in the lake stay, and those that a list lacks are copied from the previous row', async () => {
  const funds = importingFormat('etf-holdings')
  const info = [
    'ticker,date,name,issuer,expense ratio,holdings,inception date',
    'OAKS,2024-01-03,Oaks,Oak Co,0.03,99,',
    'ELMX,2024-01-01,Elm,Elm Co,0.5,7,2001-02-03',
    'ELMX,2024-01-09,Later,Elm Co,0.6,8,',
  ]
  await funds.import([funds.file('info.csv', info)], { format: 'etf-info' })
  const lines = ['ACME,A,-,Equity,1,60,1', 'BRASS,B,-,Equity,1,40,1']
  const listOf = (name: string) => list(lines, [name, ...PREAMBLE.slice(1)])
  await funds.import([
    funds.file('OAKS_holdings.csv', listOf('Alder')),
    funds.file('ELMX_holdings.csv', listOf('"Elm, the Fund"')),
    funds.file('NEWX_holdings.csv', listOf('New')),
    // Two funds in one file are not both of its name, and a list without a name tells nothing.
    funds.file('two.csv', [...PREAMBLE, 'etf,name,weight,shares', 'AAA,A,1,1', 'BBB,B,1,1']),
    funds.file('PINE.csv', ['date,name,weight,shares', '2024-01-03,A,1,1']),
  ])
  expect(
    await funds.rows(
      'SELECT ticker, date, name, etf_company, expense_ratio, holdings_count, inception_date FROM bars ORDER BY ALL',
      'etfs',
    ),
  ).toEqual([
    'ELMX 2024-01-01 Elm Elm Co 0.5000 7 2001-02-03',
    'ELMX 2024-01-03 Elm, the Fund Elm Co 0.5000 2 2010-05-04',
    'ELMX 2024-01-09 Later Elm Co 0.6000 8 2001-02-03',
    'NEWX 2024-01-03 New - - 2 2010-05-04',
    'OAKS 2024-01-03 Oaks Oak Co 0.0300 99 2010-05-04',
  ])
})

test('an inception date after the date of the list is imported as NULL, and reported', async () => {
  const funds = importingFormat('etf-holdings')
  const preamble = ['Alder', PREAMBLE[1] ?? '', 'Inception Date,"Jan 04, 2024"']
  const odd = ['Birch', PREAMBLE[1] ?? '', 'Inception Date,soon']
  const none = ['Cedar', PREAMBLE[1] ?? '', 'Inception Date,"-"']
  const lines = ['ACME,A,-,Equity,1,60,1']
  const report = await funds.import([
    funds.file('AAA.csv', list(lines, preamble)),
    funds.file('BBB.csv', list(lines, odd)),
    funds.file('CCC.csv', list(lines, none)),
  ])
  expect(report.notes).toEqual([
    { fault: 'inception_date: not a date from 1900 to the date of the list', rows: 2 },
  ])
  expect(await funds.rows('SELECT ticker, inception_date FROM bars ORDER BY ticker', 'etfs')).toEqual([
    'AAA -',
    'BBB -',
    'CCC -',
  ])
})
