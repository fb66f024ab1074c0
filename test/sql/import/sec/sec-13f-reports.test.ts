import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { investor, submission, table } from './thirteen-f.ts'

const HOLDINGS = 'institution_holdings'
const ALONE = { cik: '9000100', name: 'Alderbrook', 'report-date': '2022-09-30', 'filing-date': '2022-11-10' }

/** A lake, and the text of files to import into it: XML unless it begins as JSON. */
function reporting() {
  const at = importingFormat('sec-13f')
  let files = 0
  return {
    ...at,
    take(texts: readonly string[], options: Record<string, string> = {}) {
      const paths = texts.map(text => at.file(`${++files}${text.startsWith('{') ? '.json' : '.txt'}`, text))
      return at.import(paths, { options })
    },
    positions: () =>
      at.rows(
        'SELECT ticker, units, value FROM bars ORDER BY report_date, cusip, security_type, put_call',
        HOLDINGS,
      ),
  }
}

describe('Values of an information table', () => {
  const lines = (value: string) => [
    { value },
    { value, cusip: '11299B105' },
    { cusip: '15499C100', value: '1' },
  ]

  test.each([
    // 100 units of 2,000: 20 dollars each, or 20,000.
    ['dollars from 2023 on', '2023-01-03', '2000', {}, '2000.00'],
    ['dollars from 2023 on, however little they are', '2023-01-03', '2', {}, '2.00'],
    ['thousands before, where half the lines are below 5 a share', '2023-01-02', '499', {}, '499000.00'],
    ['dollars before, where half the lines are 5 a share or more', '2023-01-02', '500', {}, '500.00'],
    ['thousands if a person says so', '2023-01-03', '2000', { 'value-in': 'thousands' }, '2000000.00'],
    ['dollars if a person says so', '2023-01-02', '2', { 'value-in': 'dollars' }, '2.00'],
  ])('count %s', async (_, filed, value, options, expected) => {
    const at = reporting()
    const report = await at.take([table(...lines(value))], { ...ALONE, 'filing-date': filed, ...options })
    expect(await at.rows("SELECT value FROM bars WHERE cusip = '00199A104'", HOLDINGS)).toEqual([expected])
    const isNoted = filed === '2023-01-02' && value === '500'
    expect(report.notes).toEqual(
      isNoted ? [{ fault: 'value: in dollars although filed before 2023-01-03', rows: 1 }] : [],
    )
  })

  test('are checked against the total of the cover', async () => {
    const at = reporting()
    expect((await at.take([submission({ total: '4000' }, {}, {})])).notes).toEqual([])
    expect((await at.take([submission({ total: '4001' }, {}, {})])).notes).toEqual([
      { fault: 'value: does not add up to the total in the file', rows: 1 },
    ])
  })
})

test('The line of a security determines its kind', async () => {
  const kinds = [
    [{ putCall: 'PUT', type: 'PRN' }, 'Option put'],
    [{ type: 'PRN' }, 'Debt '],
    [{ class: 'NOTE 1.250% 3/1' }, 'Debt '],
    [{ class: '*W EXP 06/30/202' }, 'Warrant '],
    [{ class: 'RIGHT 10/10/2024' }, 'Warrant '],
    [{ class: '8% CNV PFD SER A' }, 'Preferred '],
    [{ class: 'PFD ETF' }, 'Fund '],
    [{ class: 'TR UNIT' }, 'Fund '],
    [{ class: 'UNIT SER 1' }, 'Fund '],
    [{ class: 'COM UNIT LTD PAR' }, 'Share '],
    [{ issuer: 'ISHARES TR', class: 'CORE MSCI EAFE' }, 'Fund '],
    [{ issuer: 'Acme ETF Trust', class: 'US QUAN VALUE' }, 'Fund '],
    [{ issuer: 'FIRST ACME EXCHANGE-TRADED FD', class: 'SENIOR LN' }, 'Fund '],
    [{ issuer: 'ACME INDEX FDS' }, 'Fund '],
    [{ issuer: 'ACME NOTE CO', class: 'SPON ADR' }, 'Share '],
  ] as const
  const at = reporting()
  await at.take([
    submission({}, ...kinds.map(([line], place) => ({ ...line, cusip: `0019900${10 + place}` }))),
  ])
  expect(await at.rows('SELECT security_type, put_call FROM bars ORDER BY cusip', HOLDINGS)).toEqual(
    kinds.map(([, kind]) => kind),
  )
})

describe('A ticker', () => {
  test('is that of the same CUSIP, else of the same issuer and class, in the lake', async () => {
    const at = reporting()
    await at.take([
      investor({
        '2023 Q4': [
          { cusip: '00199A104' },
          { ticker: 'BRASS', name: 'Brass Inc', cls: 'Cl A' },
          { ticker: 'FIR.A', name: 'FIR LUMBER' },
          { ticker: 'FIR.B', name: 'FIR LUMBER' },
        ],
      }),
    ])
    await at.take([
      submission(
        {},
        { issuer: 'ACME CORPORATION NEW' },
        { cusip: '11299B105', issuer: 'BRASS INC', class: 'CL A' },
        { cusip: '11299B204', issuer: 'BRASS INC', class: 'CL B' },
        { cusip: '31899F107', issuer: 'FIR LUMBER' },
      ),
    ])
    expect(
      await at.rows(
        "SELECT ticker, cusip FROM bars WHERE report_date = '2024-03-31' ORDER BY cusip",
        HOLDINGS,
      ),
    ).toEqual(['ACME 00199A104', 'BRASS 11299B105', '11299B204 11299B204', '31899F107 31899F107'])
  })
})

describe('Quarters of an investor', () => {
  // Two lines, 12 dollars and 30 dollars a share, the second a thousand times too large: 0.6 + 150 of 150.6 million.
  const wrong = (total: number, second = 150_000_000_000) =>
    investor(
      {
        '2023 Q3': [
          { shares: 50_000, value: 600_000 },
          { ticker: 'BRASS', shares: 5_000_000, value: second },
        ],
        '2023 Q4': [],
      },
      { values: [total, 0] },
    )

  test('are divided line by line where that meets their own total', async () => {
    const at = reporting()
    const report = await at.take([wrong(151)])
    expect(await at.positions()).toEqual(['ACME 50000 600000.00', 'BRASS 5000000 150000000.00'])
    expect(report.notes).toContainEqual({ fault: 'value: divided by 1,000', rows: 1 })
  })

  test.each([
    ['the total is that of the lines as they are', 150_001, 0],
    ['the total is neither', 153, 1],
  ])('stay as they are where %s', async (_, total, notes) => {
    const at = reporting()
    const report = await at.take([wrong(total)])
    expect(await at.positions()).toEqual(['ACME 50000 600000.00', 'BRASS 5000000 150000000000.00'])
    expect(report.notes.filter(({ fault }) => fault.startsWith('value'))).toEqual(
      notes === 0 ? [] : [{ fault: 'value: does not add up to the total in the file', rows: 1 }],
    )
  })

  test('may have a share price above 5,000 dollars', async () => {
    const at = reporting()
    // 0.6 and 0.7 million, of a total that is rounded to one.
    const holdings = [
      { shares: 30_000, value: 600_000 },
      { ticker: 'BRASS', shares: 1, value: 700_000 },
    ]
    await at.take([investor({ '2023 Q3': holdings, '2023 Q4': [] }, { values: [1, 0] })])
    expect(await at.positions()).toEqual(['ACME 30000 600000.00', 'BRASS 1 700000.00'])
  })

  test('without a filing date have the due date: the 45th day, or the Monday after it', {
    tags: 'slow',
  }, async () => {
    const at = reporting()
    // The 45th days: Tuesday 14 November 2023, Saturday 14 February 2015, Sunday 14 February 2021.
    await at.take([investor({ '2023 Q3': [{}], '2014 Q4': [{}], '2020 Q4': [{}], '2024 Q1': [{}] })])
    expect(await at.rows('SELECT filing_date FROM bars ORDER BY 1', HOLDINGS)).toEqual([
      '2015-02-16',
      '2021-02-15',
      '2023-11-14',
      '2024-05-10',
    ])
  })

  test('are read without a history, and rejected if a quarter is invalid', async () => {
    const at = reporting()
    const { history: _, ...rest } = JSON.parse(investor({ '2024 Q1': [{}] }))
    await at.take([JSON.stringify({ ...rest, current: { ...rest.current, quarter: 'latest' } })])
    expect(await at.positions()).toEqual(['ACME 100 2000.00'])
    expect(await at.refusal([at.file('odd.json', investor({ 'Q1 "2023"': [{}], '2023': [{}] }))])).toContain(
      'report_date: not a date',
    )
  })

  test('keep the other facts of the institution in the lake', async () => {
    const at = reporting()
    const described = [
      'cik,updated_on,name,short_name,tags,people,is_hedge_fund,website',
      '9000100,2025-01-01,Alder,Al,"[""known""]","[""Ada""]",true,a.example',
    ]
    await at.import([at.file('institutions.csv', described)], { format: 'csv-institutions' })
    await at.take([submission({}, {})])
    expect(await at.rows('FROM bars', 'institutions')).toEqual([
      '9000100 2025-01-01 Alder Al - a.example - - [Ada] [known] true',
    ])
  })
})
