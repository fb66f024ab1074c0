import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { committee, cycleFiles, gift, transaction } from './records.ts'

const id = (place: number) => `C0000${1000 + place}`

/** The tickers of committees, in their order; `-` where none is known. */
const tickers = (format: ReturnType<typeof importingFormat>) =>
  format.rows(`SELECT if(ticker = '', '-', ticker) FROM bars ORDER BY committee_id`, 'fec_committees')

test('a company is known by the words of its name', async () => {
  const format = importingFormat('fec-bulk')
  const cases = [
    ['THE BOEING COMPANY', 'BA'],
    ['Boeing Co., Inc.', 'BA'],
    ['BOEING COMPANY PAC; THE', 'BA'],
    ['THE BOEING COMPANY (BOEING PAC)', 'BA'],
    ['BOEING COMPANY A/K/A SOMETHING ELSE', 'BA'],
    ['BOEING COMPANY EMPLOYEES FEDERAL POLITICAL ACTION COMMITTEE', 'BA'],
    ['BOEING FEDERAL FUND', 'BA'],
    ['BÖEING', 'BA'],
    ['JOHNSON AND JOHNSON', 'JNJ'],
    ['JOHNSON & JOHNSON SERVICES', '-'],
    ["MCDONALD'S CORPORATION", 'MCD'],
    ['MCDONALDS', 'MCD'],
    ['U. S. BANCORP', '-'],
    ['US BANCORP', 'USB'],
    ['AT&T INC.', 'T'],
    ['GOOGLE LLC', 'GOOGL'],
    ['BOEING CAPITAL', '-'],
    ['EMPLOYEES OF THE BOEING COMPANY', '-'],
    ['THE COMPANY', '-'],
  ] as const
  await format.import(
    cycleFiles(format, {
      'cm.txt': cases.map(([connected], place) => committee(id(place), { connected })),
    }),
  )
  expect(await tickers(format)).toEqual(cases.map(([, ticker]) => ticker))
})

test('a corporation’s committee is known by its own name too, another’s only by its organisation', async () => {
  const format = importingFormat('fec-bulk')
  const cases = [
    { name: 'PFIZER INC. PAC' },
    { name: 'PFIZER PAC', kind: 'W', connected: 'NONE' },
    { name: 'PFIZER INC. PAC', connected: 'BOEING' },
    { name: 'PFIZER INC. PAC', kind: '' },
    { name: 'FRIENDS OF SCIENCE', kind: 'T', connected: 'PFIZER INC' },
  ]
  await format.import(
    cycleFiles(format, { 'cm.txt': cases.map((each, place) => committee(id(place), each)) }),
  )
  expect(await tickers(format)).toEqual(['PFE', 'PFE', 'BA', '-', 'PFE'])
  expect(
    await format.rows(`SELECT count(*) FROM bars WHERE connected_organization = 'NONE'`, 'fec_committees'),
  ).toEqual(['0'])
})

test('of companies of one name the person’s goes first, then the lake’s, then ours', async () => {
  const format = importingFormat('fec-bulk')
  const ticker = (values: Record<string, string>) => JSON.stringify({ date: '2019-01-01', ...values })
  const held = format.file('tickers.ndjson', [
    ticker({ ticker: 'BOE', full_name: 'Boeing Company', issue_type: 'Common Stock' }),
    ticker({ ticker: 'PFZ', full_name: 'Pfizer Inc.', issue_type: 'Common Stock' }),
    ticker({ ticker: 'VISF', full_name: 'Visa Inc.', issue_type: 'ETF' }),
    ticker({ ticker: 'ANVLL', full_name: 'Anvil Works, Inc. Class A Common Stock' }),
    ticker({ ticker: 'ANVL', full_name: 'Anvil Works, Inc. Class C Common Stock' }),
    ticker({ ticker: 'ANVK', full_name: 'Anvil Works, Inc. Class B Common Stock' }),
  ])
  await format.import([held], { format: 'ndjson-tickers' })
  const names = ['BOEING', 'PFIZER', 'VISA', 'ANVIL WORKS', 'TARGET', 'THE COMPANY']
  await format.import(
    cycleFiles(format, {
      'cm.txt': names.map((connected, place) => committee(id(place), { connected })),
      'companies.csv': [
        'Organization,Symbol,Company',
        'Boeing,ba.a,Boeing of the person',
        'Target Corp,WRNG,Not this one',
        'TARGET CORPORATION,TGTX,',
        'Visa,$V,Not a ticker',
        'Corp.,NONE,No words that matter',
      ],
    }),
  )
  // ANVL and ANVK are shorter than ANVLL, and ANVK comes first.
  expect(
    await format.rows('SELECT ticker, company_name FROM bars ORDER BY committee_id', 'fec_committees'),
  ).toEqual([
    'BA.A Boeing of the person',
    'PFZ Pfizer Inc.',
    'V Visa',
    'ANVK Anvil Works, Inc. Class B Common Stock',
    'TGTX TARGET CORPORATION',
    ' -',
  ])
})

test('contributions have the company of their committee or employer', async () => {
  const format = importingFormat('fec-bulk')
  const person = { type: '15', entity: 'IND' }
  await format.import(
    cycleFiles(format, {
      'itpas2.txt': [gift('1', {}), gift('2', { committee: 'C00000002' }), gift('3', { employer: 'PFIZER' })],
      'itcont.txt': [
        transaction('4', { ...person, employer: 'Pfizer, Inc' }),
        transaction('5', { ...person, employer: 'SELF-EMPLOYED' }),
        transaction('6', { ...person, employer: '' }),
        transaction('7', { ...person, committee: 'C00000005', employer: 'BOEING' }),
        transaction('8', { employer: 'PFIZER' }),
      ],
    }),
  )
  // A person's contribution to Boeing's committee (4 to 6) does not count for Boeing's employees; the employer of a row of a
  // committee (3, 8) means nothing.
  expect(
    await format.rows(
      `SELECT id, if(ticker = '', '-', ticker), committee_id, recipient_id FROM bars ORDER BY id`,
      'fec_contributions',
    ),
  ).toEqual([
    '1 BA C00000001 H0OH01001',
    '2 - C00000002 H0OH01001',
    '3 BA C00000001 H0OH01001',
    '4 PFE - C00000001',
    '5 - - C00000001',
    '6 - - C00000001',
    '7 BA - H0OH01001',
    '8 BA C00000001 H0OH01001',
  ])
})
