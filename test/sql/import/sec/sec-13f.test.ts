import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { investor, submission, table } from './thirteen-f.ts'

const SAMPLES = 'data/samples/sec-13f'
const ALONE = {
  cik: '0009000100',
  name: 'Alderbrook',
  'report-date': '2024-03-31',
  'filing-date': '2024-05-10',
}
const POSITIONS =
  'SELECT ticker, security_type, put_call, units, value FROM bars ORDER BY report_date, cik, cusip, security_type, put_call'

/** A lake with these files imported in turn, each a text; names by their place. */
async function imported(texts: readonly string[], options: Record<string, string> = {}) {
  const at = importingFormat('sec-13f')
  const paths = texts.map((text, place) =>
    at.file(`${place}${text.startsWith('{') ? '.json' : '.txt'}`, text),
  )
  const report = await at.import(paths, { options })
  return { ...at, report, positions: () => at.rows(POSITIONS, 'institution_holdings') }
}

describe('The samples', () => {
  test('are imported: a submission in thousands of dollars, whose lines of one security are summed', async () => {
    const at = importingFormat('sec-13f')
    const report = await at.import([`${SAMPLES}/birchfold-2022q3.txt`])
    expect(
      await at.rows('SELECT * FROM bars ORDER BY cusip, security_type, put_call', 'institution_holdings'),
    ).toEqual(
      [
        // 4,500 and 1,500 thousand dollars of 30,000 and 10,000 shares.
        '00199A104 ACME CORP COM Option call 4000 600000.00',
        '00199A104 ACME CORP COM Option put 20000 3000000.00',
        '00199A104 ACME CORP COM Share  40000 6000000.00',
        '11299BAB3 BRASS & SONS HOLDINGS NOTE 1.250% 3/1 Debt  1000000 950000.00',
        '15499C118 CEDAR TIMBER CO *W EXP 06/30/202 Warrant  50000 100000.00',
        '15499C209 CEDAR TIMBER CO PFD SER A Preferred  10000 240000.00',
        '24799D108 DELTA WORKS PLC SPONSORED ADS Share  200000 16000000.00',
        '92299V108 VANGUARD INDEX FDS VALUE ETF Fund  5000 800000.00',
      ].map(row => {
        const [cusip, ...rest] = row.split(' ')
        return `2022-09-30 2022-11-10 9000211 Birchfold Partners LLC ${cusip} ${cusip} ${rest.join(' ')} report`
      }),
    )
    expect(await at.rows('FROM bars', 'institutions')).toEqual([
      '9000211 2022-11-10 Birchfold Partners LLC - - - - - [] [] false',
    ])
    expect(report.accounts).toMatchObject([{ records: 2, rows: 9, rejected: 0, notes: [] }])
  })

  test('are imported: quarters of an investor, with tickers by name where another quarter has them', async () => {
    const at = importingFormat('sec-13f')
    const report = await at.import([`${SAMPLES}/alderbrook.json`])
    expect(
      await at.rows(
        `SELECT report_date, filing_date, cusip, '=', ticker, '=', full_name, '=', security_type, put_call, units, value
         FROM bars ORDER BY report_date, cusip`,
        'institution_holdings',
      ),
    ).toEqual([
      '2023-09-30 2023-11-14 ACME = ACME = ACME CORP = Share  40000 118000000.00',
      '2023-09-30 2023-11-14 HAZEL = HAZEL = HAZEL FREIGHT CO = Share  50000 7000000.00',
      '2023-12-31 2024-02-14 ACME = ACME = ACME CORP = Share  50000 9000000.00',
      '2023-12-31 2024-02-14 FIR LUMBER INC CL B = FIR.B = FIR LUMBER INC = Share  20000 7000000.00',
      '2023-12-31 2024-02-14 GLOBAL GARDEN TR GARDEN IDX = GLOBAL GARDEN TR GARDEN IDX = GLOBAL GARDEN TR = Fund  8000 400000.00',
      '2023-12-31 2024-02-14 IVY MILLS COM = IVY MILLS COM = IVY MILLS = Share  10000 600000.00',
      '2024-03-31 2024-05-10 00199A104 = ACME = ACME CORP = Share  60000 12000000.00',
      '2024-03-31 2024-05-10 31899F206 = FIR.B = FIR LUMBER INC = Share  20000 8000000.00',
      '2024-03-31 2024-05-10 38399G101 = 38399G101 = GORSE MINING LTD = Share  10000 1000000.00',
    ])
    expect(await at.rows('SELECT cik, updated_on, name, people FROM bars', 'institutions')).toEqual([
      '9000100 2024-05-20 Alderbrook Capital Management LP [Adele Ambershaw, Bram Brockelby]',
    ])
    expect(report.accounts).toMatchObject([{ records: 1, rows: 10, rejected: 0 }])
    expect(report.notes).toEqual([{ fault: 'filing_date: not stated: due date used', rows: 2 }])
  })
})

describe('An information table alone', () => {
  test('is imported with the facts from flags, after a blank line and a byte order mark', async () => {
    const at = await imported([`\uFEFF\n${table({}, { cusip: '11299b105', putCall: 'Put' })}`], ALONE)
    expect(await at.positions()).toEqual(['00199A104 Share  100 2000.00', '11299B105 Option put 100 2000.00'])
    expect(await at.rows('SELECT cik, updated_on, name FROM bars', 'institutions')).toEqual([
      '9000100 2024-05-10 Alderbrook',
    ])
  })

  test.each(['cik', 'name', 'report-date', 'filing-date'] as const)(
    'is refused without --%s',
    async option => {
      const at = importingFormat('sec-13f')
      const { [option]: _, ...rest } = ALONE
      expect(await at.refusal([at.file('table.xml', table({}))], { options: rest })).toContain(
        `${option.replace('-', '_')}: not stated: specify --${option}`,
      )
    },
  )

  test.each([
    [{ 'report-date': '2024-02-30' }, 'report_date: not a date'],
    [{ 'report-date': '2202-03-31' }, 'report_date: before 1900 or in the future'],
    [{ 'filing-date': '10.05.2024' }, 'filing_date: not a date'],
    [{ 'filing-date': '2024-03-30' }, 'filing_date: before the end of its period'],
    [{ cik: 'ACME' }, 'cik: not a Central Index Key'],
    [{ 'value-in': 'euros' }, 'value: neither dollars nor thousands'],
  ])('is refused with %j', async (options, reason) => {
    const at = importingFormat('sec-13f')
    const paths = [at.file('table.xml', table({}))]
    expect(await at.refusal(paths, { options: { ...ALONE, ...options } })).toContain(reason)
  })

  test('is rejected if it has other content, is damaged or has a DOCTYPE', async () => {
    const at = importingFormat('sec-13f')
    const refused = (text: string) => at.refusal([at.file('table.xml', text)], { options: ALONE })
    expect(await refused('<ownershipDocument/>')).toContain('document: not a Form 13F document')
    expect(await refused(table({}).slice(0, -30))).toContain('line 9: unclosed tag')
    expect(await refused('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).toContain('a DOCTYPE is not allowed')
  })
})

describe('A line is rejected', () => {
  test('for an invalid CUSIP, units, value or kind, and the others are imported', async () => {
    const good = Array.from({ length: 12 }, (_, place) => ({ cusip: `0019900${10 + place}` }))
    const at = await imported([
      submission(
        {},
        ...good,
        { cusip: '' },
        { cusip: '199A104' },
        { units: '' },
        { units: '1,000' },
        { units: '10.5' },
        { units: '-1' },
        { units: '99999999999999999999' },
        { value: '' },
        { value: '2000\n' },
        { value: '<b>2000</b>' },
        { value: '$2000' },
        { value: '-2000' },
        { type: 'KG' },
        { putCall: 'Straddle' },
      ),
    ])
    // Blanks around a value are none of it.
    expect(
      await at.rows(
        "SELECT count(*), sum(value) FROM bars WHERE cusip <> '00199A104'",
        'institution_holdings',
      ),
    ).toEqual(['12 24000.00'])
    expect(
      await at.rows("SELECT units, value FROM bars WHERE cusip = '00199A104'", 'institution_holdings'),
    ).toEqual(['100 2000.00'])
    expect(at.rejects().toSorted()).toEqual(
      [
        '2|cusip|missing|',
        '2|cusip|not a CUSIP|199A104',
        '2|put_call|neither put nor call|straddle',
        '2|units|below zero|-1',
        '2|units|missing|',
        '2|units|neither SH nor PRN|KG',
        '2|units|not a plain decimal number|1,000',
        '2|units|not a whole number|10.5',
        '2|units|too large|99999999999999999999',
        '2|value|below zero|-2000',
        '2|value|missing|',
        '2|value|not a plain decimal number|$2000',
        '2|value|not a plain decimal number|{"b":"2000"}',
      ].toSorted(),
    )
  })

  test('in quarters, without CUSIP, ticker and issuer, or with shares that are not a number', async () => {
    const at = await imported([
      investor({
        '2024 Q1': [
          {},
          { ticker: 'BRASS', cusip: '1234' },
          { ticker: '<a>ACME</a>', name: 'CEDAR' },
          { ticker: '', name: '' },
          { ticker: 'DELTA', shares: 'many' },
          { ticker: 'EMBER', shares: 100, value: 2000.5 },
          { ticker: 'FIR', value: null },
        ],
      }),
    ])
    expect(await at.positions()).toEqual([
      'ACME Share  100 2000.00',
      'CEDAR COM Share  100 2000.00',
      'EMBER Share  100 2000.50',
    ])
    expect(at.rejects().toSorted()).toEqual([
      '1|cusip|missing|',
      '1|cusip|not a CUSIP|1234',
      '1|units|not a plain decimal number|many',
      '1|value|missing|',
    ])
  })
})
