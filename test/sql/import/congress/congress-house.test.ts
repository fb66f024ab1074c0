import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { namedUuid } from '../named-uuid.ts'

const CSV = 'data/samples/congress-house/all_transactions.csv'
const JSON_ARRAY = 'data/samples/congress-house/all_transactions.json'

const HEADER =
  'transaction_date,disclosure_date,ticker,asset_description,type,amount,representative,district,owner'

/** A row of the CSV, by the values that differ from those of a good one. */
function row(more: Record<string, string> = {}): string {
  const good: Record<string, string> = {
    transaction_date: '2021-09-01',
    disclosure_date: '10/04/2021',
    ticker: 'ACME',
    asset_description: 'Acme Corporation',
    type: 'purchase',
    amount: '$1,001 - $15,000',
    representative: 'Hon. Edwina Eastermoor',
    district: 'CA47',
    owner: 'self',
  }
  return HEADER.split(',')
    .map(name => `"${(more[name] ?? good[name] ?? '').replaceAll('"', '""')}"`)
    .join(',')
}

/** A lake into which a CSV with those rows was imported. */
async function imported(rows: readonly string[]) {
  const at = importingFormat('congress-house')
  const report = await at.import([at.file('house.csv', [HEADER, ...rows])])
  return {
    at,
    report,
    rows: (columns: string) => at.rows(`SELECT ${columns} FROM bars ORDER BY ALL`, 'congress_trades'),
  }
}

const politician = (name: string) => namedUuid(`member of congress|house|${name}`)

test('the sample is imported as the House Stock Watcher published it, in the terms of the API', async () => {
  const at = importingFormat('congress-house')
  const report = await at.import([CSV])
  expect(report).toMatchObject({
    rows: 10,
    rejected: 0,
    notes: [{ fault: 'transaction_date: after the filing date', rows: 1 }],
  })
  expect(
    await at.rows(
      `SELECT filed_at_date, transaction_date, name, issuer, ticker, txn_type, amounts FROM bars ORDER BY ALL`,
      'congress_trades',
    ),
  ).toEqual([
    '2021-10-04 2021-09-13 Desmond Dellinger-Voss self BRASS Sell $15,001 - $50,000',
    '2021-10-04 2021-09-27 Desmond Dellinger-Voss joint ACME Buy $1,001 - $15,000',
    '2021-10-04 2021-09-27 Desmond Dellinger-Voss joint ACME Buy $1,001 - $15,000',
    '2021-10-06 2021-07-01 Edwina Eastermoor - CEDAR Sell (partial) $1,001 -',
    '2021-10-06 2021-08-26 Edwina Eastermoor spouse - Buy $50,001 - $100,000',
    '2021-10-08 2021-09-30 Ferris Fothergale child DELTA Exchange $100,001 - $250,000',
    '2021-10-08 2021-09-30 Ferris Fothergale self FIR.B Buy $1,001 - $15,000',
    '2021-10-12 2021-08-28 Horatio Heatherby Jr. spouse GROVE Buy $1,000,001 - $5,000,000',
    '2021-10-12 2021-10-01 Gwendolyn Granholt - ELM Sell $500,001 - $1,000,000',
    '2021-10-12 2021-10-18 Gwendolyn Granholt self ACME Buy $1,001 - $15,000',
  ])
  expect(
    await at.rows(
      `SELECT DISTINCT reporter, politician_id, member_type, is_active, notes FROM bars ORDER BY ALL`,
      'congress_trades',
    ),
  ).toEqual([
    `Hon. Desmond A. Dellinger-Voss ${politician('NC|desmond dellingervoss')} house true -`,
    `Hon. Desmond Dellinger-Voss ${politician('NC|desmond dellingervoss')} house true -`,
    `Hon. Edwina Eastermoor ${politician('CA|edwina eastermoor')} house true -`,
    ...[politician('AL|ferris fothergale'), politician('MI|ferris fothergale')]
      .toSorted()
      .map(id => `Hon. Ferris Fothergale ${id} house true -`),
    `Hon. Gwendolyn Granholt ${politician('TX|gwendolyn granholt')} house true -`,
    `Hon. Horatio Heatherby Jr. ${politician('OH|horatio heatherby jr')} house true -`,
  ])
  // The trades of 13 and 27 September, the last two alike.
  const id = (rest: string) =>
    namedUuid(`congress trade|${politician('NC|desmond dellingervoss')}|2021-10-04|${rest}`)
  const ids = await at.rows(
    `SELECT id FROM bars WHERE filed_at_date = '2021-10-04' ORDER BY transaction_date, id`,
    'congress_trades',
  )
  expect(ids).toEqual([
    id('2021-09-13|self|BRASS|Brass & Sons Holdings|Sell|$15,001 - $50,000||1'),
    ...['1', '2']
      .map(number => id(`2021-09-27|joint|ACME|Acme Corporation|Buy|$1,001 - $15,000||${number}`))
      .toSorted(),
  ])
})

test('the JSON array produces the same rows as the CSV, so that importing both changes nothing', async () => {
  const [csv, json] = [importingFormat('congress-house'), importingFormat('congress-house')]
  await csv.import([CSV])
  await json.import([JSON_ARRAY])
  const all = 'SELECT * FROM bars ORDER BY ALL'
  expect(await json.rows(all, 'congress_trades')).toEqual(await csv.rows(all, 'congress_trades'))
  expect(await csv.import([JSON_ARRAY])).toMatchObject({ rows: 10, published: false })
  expect(await importingFormat('congress-house').import([CSV, JSON_ARRAY])).toMatchObject({ rows: 10 })
})

test('overlapping files duplicate no trade, and an additional equal trade in one of them is added', async () => {
  const at = importingFormat('congress-house')
  await at.import([at.file('a.csv', [HEADER, row(), row(), row({ owner: 'spouse' })])])
  await at.import([at.file('b.csv', [HEADER, row(), row({ type: 'exchange' }), row(), row()])])
  expect(
    await at.rows('SELECT txn_type, issuer, count(*) FROM bars GROUP BY ALL ORDER BY ALL', 'congress_trades'),
  ).toEqual(['Buy self 3', 'Buy spouse 1', 'Exchange self 1'])
})

test('trades that differ in any field are numbered separately, so that another trade changes no id', async () => {
  const variants: [Record<string, string>, string][] = [
    [{}, '2021-10-04|2021-09-01|self|ACME|Acme Corporation|Buy|$1,001 - $15,000|'],
    [
      { disclosure_date: '10/05/2021' },
      '2021-10-05|2021-09-01|self|ACME|Acme Corporation|Buy|$1,001 - $15,000|',
    ],
    [
      { transaction_date: '2021-09-02' },
      '2021-10-04|2021-09-02|self|ACME|Acme Corporation|Buy|$1,001 - $15,000|',
    ],
    [{ owner: '--' }, '2021-10-04|2021-09-01||ACME|Acme Corporation|Buy|$1,001 - $15,000|'],
    [{ ticker: '--' }, '2021-10-04|2021-09-01|self||Acme Corporation|Buy|$1,001 - $15,000|'],
    [{ asset_description: '--' }, '2021-10-04|2021-09-01|self|ACME||Buy|$1,001 - $15,000|'],
    [{ type: 'exchange' }, '2021-10-04|2021-09-01|self|ACME|Acme Corporation|Exchange|$1,001 - $15,000|'],
    [{ amount: '$1,001 -' }, '2021-10-04|2021-09-01|self|ACME|Acme Corporation|Buy|$1,001 -|'],
    [{ comment: 'sold' }, '2021-10-04|2021-09-01|self|ACME|Acme Corporation|Buy|$1,001 - $15,000|sold'],
  ]
  const at = importingFormat('congress-house')
  const lines = variants.map(([{ comment = '', ...more }]) => `${row(more)},${comment}`)
  const other = `${row({ representative: 'Hon. Ferris Fothergale' })},`
  await at.import([at.file('house.csv', [`${HEADER},comment`, ...lines, other])])
  const id = (name: string, content = '') => namedUuid(`congress trade|${politician(name)}|${content}|1`)
  expect(await at.rows('SELECT id FROM bars ORDER BY ALL', 'congress_trades')).toEqual(
    [
      ...variants.map(([, content]) => id('CA|edwina eastermoor', content)),
      id('CA|ferris fothergale', variants[0]?.[1]),
    ].toSorted(),
  )
})

// From 4 October 2021 to 5 October 2022 are 366 days.
test('rows without a person, day, type or amount are rejected, and a plausible error of the date is kept', async () => {
  const wrong: Record<string, string>[] = [
    { representative: 'Hon.' },
    { disclosure_date: '' },
    { disclosure_date: '31/12/2021' },
    { disclosure_date: '10/04/2202' },
    { transaction_date: '' },
    { transaction_date: '2021-9-1' },
    { transaction_date: '0009-06-09' },
    { transaction_date: '2202-09-01' },
    { transaction_date: '2022-10-06' },
    { type: '' },
    { type: 'gift' },
    { amount: '--' },
    { amount: 'a lot' },
  ]
  const good = Array.from({ length: 11 }, () => row())
  const { at, report, rows } = await imported([
    row({ transaction_date: '10/04/2021' }),
    row({ transaction_date: '2021-10-05' }),
    row({ transaction_date: '2022-10-05' }),
    ...wrong.map(row),
    ...good,
  ])
  expect(report).toMatchObject({
    rows: 14,
    rejected: 13,
    notes: [{ fault: 'transaction_date: after the filing date', rows: 2 }],
  })
  expect(at.rejects()).toEqual([
    '5|representative|missing|',
    '6|disclosure_date|missing|',
    '7|disclosure_date|not a date|31/12/2021',
    '8|disclosure_date|before 1900 or in the future|10/04/2202',
    '9|transaction_date|missing|',
    '10|transaction_date|not a date|2021-9-1',
    '11|transaction_date|before 1900 or in the future|0009-06-09',
    '12|transaction_date|before 1900 or in the future|2202-09-01',
    '13|transaction_date|more than a year after the filing date|2022-10-06',
    '14|type|missing|',
    '15|type|unknown transaction type|gift',
    '16|amount|missing|--',
    '17|amount|not a dollar amount|a lot',
  ])
  expect(await rows('DISTINCT transaction_date')).toEqual([
    '2021-09-01',
    '2021-10-04',
    '2021-10-05',
    '2022-10-05',
  ])
})

test('other notations are read, and an invalid ticker or owner is imported as NULL', async () => {
  const { report, rows } = await imported([
    row({ disclosure_date: '2021-10-01', ticker: '<a href="https://quotes.example">BRASS</a>', owner: 'SP' }),
    row({ disclosure_date: '10/2/2021', ticker: 'N/A', owner: 'JT', amount: '$1,001 -\n$15,000' }),
    row({ disclosure_date: '10/03/2021', ticker: '^RGP ELM', owner: 'DC', type: 'Sale (Partial)' }),
    row({ disclosure_date: '10/04/2021', ticker: 'ACME211015C00050000', owner: 'uncle', type: 'sale' }),
    row({
      disclosure_date: '10/05/2021',
      owner: 'N/A',
      asset_description: 'Nestl&eacute;\n  S.A.',
      type: 'S',
    }),
    row({ disclosure_date: '10/06/2021', owner: 'Dependent Child', type: 'E' }),
    row({ disclosure_date: '10/08/2021', ticker: 'n/a', type: 'P' }),
    row({ disclosure_date: '10/07/2021', ticker: '-', type: 'S (partial)', amount: 'Over $50,000,000' }),
  ])
  expect(await rows('filed_at_date, ticker, issuer, asset_description, txn_type, amounts')).toEqual([
    '2021-10-01 BRASS spouse Acme Corporation Buy $1,001 - $15,000',
    '2021-10-02 - joint Acme Corporation Buy $1,001 - $15,000',
    '2021-10-03 - child Acme Corporation Sell (partial) $1,001 - $15,000',
    '2021-10-04 ACME - Acme Corporation Sell $1,001 - $15,000',
    '2021-10-05 ACME - Nestlé S.A. Sell $1,001 - $15,000',
    '2021-10-06 ACME child Acme Corporation Exchange $1,001 - $15,000',
    '2021-10-07 - self Acme Corporation Sell (partial) Over $50,000,000',
    '2021-10-08 - self Acme Corporation Buy $1,001 - $15,000',
  ])
  expect(report.notes.toSorted((a, b) => (a.fault < b.fault ? -1 : 1))).toEqual([
    { fault: 'owner: unknown owner', rows: 1 },
    { fault: 'ticker: not a ticker', rows: 1 },
    { fault: 'ticker: two tickers; the first is used', rows: 1 },
  ])
})

test('titles, middle initials and case do not create another politician; without a district the name identifies one', async () => {
  const { rows } = await imported([
    row({ representative: 'Hon. Edwina Q. Eastermoor' }),
    row({ representative: 'EASTERMOOR', district: '' }),
    row({ representative: 'HONORABLE EDWINA EASTERMOOR' }),
    row({ representative: 'None Mr. Ms. Dr. Sen. Rep. Senator Representative Edwina Eastermoor' }),
    row({ representative: 'Mrs. Edwina  (Winnie) Eastermoor', district: 'CA 12' }),
    row({ representative: 'J. D. Yellowlees', district: 'OH01' }),
  ])
  expect(await rows('DISTINCT name, politician_id')).toEqual([
    `Eastermoor ${politician('|eastermoor')}`,
    `Edwina Eastermoor ${politician('CA|edwina eastermoor')}`,
    `J. D. Yellowlees ${politician('OH|j d yellowlees')}`,
  ])
})

test('a comment becomes the notes, and JSON lines and a file without district and owner are read as well', async () => {
  const at = importingFormat('congress-house')
  const record = {
    transaction_date: '2021-09-01',
    disclosure_date: '10/04/2021',
    ticker: null,
    asset_description: null,
    type: 'exchange',
    amount: '$1,001 -',
    representative: 'Hon. Edwina Eastermoor',
  }
  const lines = [record, { ...record, notes: 'rolled &amp; kept' }, { ...record, district: 'CA47' }]
  await at.import([
    at.file(
      'a.jsonl',
      lines.map(each => JSON.stringify(each)),
    ),
  ])
  await at.import([
    at.file('b.csv', [
      'transaction_date,disclosure_date,ticker,asset_description,type,amount,representative,comment',
      '2021-09-02,10/04/2021,--,--,exchange,"$1,001 -",Hon. Edwina Eastermoor,Estate',
    ]),
  ])
  expect(
    await at.rows(
      'SELECT transaction_date, ticker, asset_description, issuer, notes, politician_id FROM bars ORDER BY ALL',
      'congress_trades',
    ),
  ).toEqual([
    `2021-09-01 - - - rolled & kept ${politician('|edwina eastermoor')}`,
    ...[politician('|edwina eastermoor'), politician('CA|edwina eastermoor')]
      .toSorted()
      .map(id => `2021-09-01 - - - - ${id}`),
    `2021-09-02 - - - Estate ${politician('|edwina eastermoor')}`,
  ])
})

test("the Clerk's index of filings is refused, because it has no trades", async () => {
  const at = importingFormat('congress-house')
  const member =
    '<Member><Prefix>Hon.</Prefix><Last>Eastermoor</Last><FilingType>P</FilingType><DocID>20024278</DocID></Member>'
  const index = at.file(
    '2024FD.xml',
    `<?xml version="1.0"?>\n<FinancialDisclosure>${member}</FinancialDisclosure>\n`,
  )
  expect(await at.refusal([index])).toContain('an index of filings, which has no trades')
})
