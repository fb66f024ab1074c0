import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { type Form, filed, ownership } from './ownership.ts'

const SAMPLES = 'data/samples/sec-ownership'
const TRADES = 'SELECT * FROM bars ORDER BY accession_number, sequence'

function reporting() {
  const at = importingFormat('sec-ownership')
  let files = 0
  return {
    ...at,
    take(texts: readonly string[], options: Record<string, string> = {}) {
      return at.import(
        texts.map(text => at.file(`form${++files}.xml`, text)),
        { options },
      )
    },
    refused: (text: string, options: Record<string, string> = {}) =>
      at.refusal([at.file('form.xml', text)], { options }),
    trades: (sql = TRADES) => at.rows(sql, 'insider_trades'),
    insiders: (sql = 'FROM bars ORDER BY ticker, name') => at.rows(sql, 'insiders'),
  }
}

describe('The samples', () => {
  test('are imported: a bare Form 4, which does not state its number and filing date, and a Form 3 without trades', async () => {
    const at = reporting()
    const report = await at.import([`${SAMPLES}/form4.xml`, `${SAMPLES}/form3.nc`])
    expect(await at.trades()).toEqual([
      'form4 1 2024-05-03 ACME 8000001 2024-05-01 M Common Stock 2000.0000 8.880000 true 3010.0000',
      'form4 2 2024-05-03 ACME 8000001 2024-05-01 S Common Stock 1500.5000 150.841000 false 1509.5000',
    ])
    expect(await at.insiders()).toEqual([
      'ACME 8000001 2024-05-03 8000001 AMBERSHAW ADELE R Adele R. Ambershaw adele-r-ambershaw true - []',
      'BRASS 8000002 2024-04-22 8000002 FOXGLOVE EQUITY PARTNERS LP Foxglove Equity Partners LP foxglove-equity-partners-lp false - []',
      'BRASS 8000003 2024-04-22 8000003 VAN DER MEER JOOST Joost Van Der Meer joost-van-der-meer true - []',
    ])
    expect(report.accounts).toMatchObject([
      {
        records: 1,
        rows: 3,
        rejected: 0,
        notes: [
          { fault: 'accession_number: not stated: file name used', rows: 1 },
          { fault: 'filing_date: not stated: signature date used', rows: 1 },
          { fault: 'trades: transaction in derivatives excluded', rows: 1 },
        ],
      },
      { records: 1, rows: 2, rejected: 0, notes: [] },
    ])
  })

  test('are imported: cluster purchases, each as one trade without a name', async () => {
    const at = reporting()
    const report = await at.import([`${SAMPLES}/purchases.csv`])
    expect(
      await at.trades('SELECT * EXCLUDE (accession_number) FROM bars ORDER BY filing_date DESC, ticker'),
    ).toEqual([
      '1 2024-05-13 ACME  2024-05-09 P - 61738.0000 7.320000 true 750748.0000',
      '1 2024-05-13 BRASS  2024-05-09 P - 88359.0000 16.960000 true 2217662.0000',
      '1 2024-05-09 CEDAR  2024-04-08 P - 15097.0000 18.350000 true 124148.0000',
      '1 2024-05-09 DELTA  2024-05-08 P - 85080.0000 12.500000 true 10847846.0000',
      '1 2024-05-08 FIR.B  2024-05-07 P - 23292.0000 10.760000 true 64858.0000',
      '1 2024-05-07 HAZEL  2024-03-19 P - 6942603.0000 16.510000 true 84918979.0000',
      '1 2024-05-06 ACME  2024-05-03 P - 75225.0000 78.990000 true 3470149.0000',
    ])
    expect(await at.trades('SELECT count(DISTINCT accession_number) FROM bars')).toEqual(['7'])
    expect(report.notes).toEqual([{ fault: 'cik: not stated: several insiders', rows: 7 }])
  })
})

describe('The number and the day of a filing', () => {
  const key = 'SELECT DISTINCT accession_number, filing_date FROM bars ORDER BY accession_number'

  test('are those of its submission, which take precedence', async () => {
    const at = reporting()
    await at.take([filed('0008000001-24-000005', '20240506', {})], {
      'filing-date': '2024-05-09',
      accession: 'x',
    })
    expect(await at.trades(key)).toEqual(['0008000001-24-000005 2024-05-06'])
  })

  test('are those of its submission also in a public text with the ending of a table', async () => {
    const at = reporting()
    const text = `<SEC-DOCUMENT>\nACCESSION NUMBER:\t0008000001-24-000006\nFILED AS OF DATE:\t20240508\n<XML>${ownership({})}</XML>\n</SEC-DOCUMENT>\n`
    await at.import([
      at.file('0008000001-24-000006.txt', text),
      at.file('second.txt', text.replace('06', '07')),
    ])
    expect(await at.trades(key)).toEqual([
      '0008000001-24-000006 2024-05-08',
      '0008000001-24-000007 2024-05-08',
    ])
  })

  test('are those of the flags, or those in the name of the file; the day can be that of the signature', {
    tags: 'slow',
  }, async () => {
    const at = reporting()
    await at.take([ownership({})], { accession: '0008000001-24-000009', 'filing-date': '2024-05-07' })
    await at.import([at.file('0008000001-24-000010.xml', ownership({ ticker: 'BRASS' }))])
    await at.import([
      at.file(
        'form-000800000124000011.xml',
        ownership({ signed: ['2024-05-02', '2024-05-06-04:00', '2024-05-04'] }),
      ),
    ])
    expect(await at.trades(key)).toEqual([
      '0008000001-24-000009 2024-05-07',
      '0008000001-24-000010 2024-05-03',
      '0008000001-24-000011 2024-05-06',
    ])
  })

  test('cannot be one number for several filings', async () => {
    const at = reporting()
    const paths = ['a.xml', 'b.xml'].map(name => at.file(name, ownership({ ticker: name[0] ?? '' })))
    expect(await at.refusal(paths, { options: { accession: '0008000001-24-000009' } })).toContain(
      'accession_number: one accession number for several filings',
    )
  })
})

describe('A filing is refused', () => {
  test.each([
    ['of another form', { kind: '144' }, 'form: not 3, 4 or 5'],
    ['without owners', { owners: [] }, 'owner: missing'],
    ['without a ticker', { ticker: 'NONE' }, 'ticker: missing'],
    ['with HTML for a ticker', { ticker: '&lt;a&gt;ACME&lt;/a&gt;' }, 'ticker: not a ticker'],
    ['without a day', { signed: [] }, 'filing_date: missing'],
    ['of an impossible day', { signed: ['2024-02-31'] }, 'filing_date: not a date'],
    ['of the future', { signed: ['2202-05-03'] }, 'filing_date: before 1900 or in the future'],
  ] as [string, Form, string][])('%s', async (_, form, reason) => {
    expect(await reporting().refused(ownership(form))).toContain(reason)
  })

  test('if it has other content, or is damaged', async () => {
    expect(await reporting().refused('<informationTable/>')).toContain('document: not an ownership document')
    expect(await reporting().refused(ownership({}).slice(0, 700))).toContain('unclosed tag')
  })
})

describe('A trade', () => {
  test('is rejected if its day, code, shares or direction is wrong, and the others are imported', async () => {
    const at = reporting()
    const report = await at.take([
      ownership({
        trades: [
          ...Array.from({ length: 10 }, () => ({})),
          { date: '2202-05-01' },
          { date: '2024-13-01' },
          { date: '' },
          { date: '2024-05-04' },
          { code: '' },
          { code: 'Buy' },
          { shares: '1,000' },
          { shares: '' },
          { shares: '-5' },
          { direction: 'X' },
        ],
      }),
    ])
    expect(await at.trades('SELECT count(*), max(sequence) FROM bars')).toEqual(['10 10'])
    expect(at.rejects().toSorted()).toEqual([
      '1|is_acquired|neither A nor D|X',
      '1|shares|below zero|-5',
      '1|shares|missing|',
      '1|shares|not a plain decimal number|1,000',
      '1|transaction_code|not one letter|',
      '1|transaction_code|not one letter|BUY',
      '1|transaction_date|after the filing date|2024-05-04',
      '1|transaction_date|before 1900 or in the future|2202-05-01',
      '1|transaction_date|missing|',
      '1|transaction_date|not a date|2024-13-01',
    ])
    expect(report.accounts).toMatchObject([{ records: 1, rows: 11, rejected: 10 }])
  })

  test('has no price if it is in a footnote, and no remaining shares if they are not a number', async () => {
    const at = reporting()
    const report = await at.take([
      ownership({
        trades: [
          { price: '' },
          { price: '$20', after: 'none' },
          { price: '1e3x', after: '1e3x' },
          { price: '0', after: '', date: '2024-05-01-04:00', title: '' },
        ],
      }),
    ])
    expect(
      await at.trades(
        'SELECT sequence, transaction_date, security_title, price, shares_after FROM bars ORDER BY 1',
      ),
    ).toEqual([
      '1 2024-05-01 Common Stock - 1100.0000',
      '2 2024-05-01 Common Stock - -',
      '3 2024-05-01 Common Stock - -',
      '4 2024-05-01 - 0.000000 -',
    ])
    expect(report.notes.filter(({ fault }) => /^(price|shares)/.test(fault))).toEqual([
      { fault: 'price: not a plain decimal number', rows: 2 },
      { fault: 'shares_after: not a plain decimal number', rows: 2 },
      { fault: 'price: not stated, or in a footnote', rows: 1 },
    ])
  })

  test('is that of the first owner with a name and number, and rejected if there is none', async () => {
    const at = reporting()
    const bad = [
      { cik: '', name: 'NOBODY' },
      { cik: 'abc', name: 'LETTERS' },
      { cik: '7', name: '' },
    ]
    const report = await at.take([
      ownership({
        owners: [...bad, {}, { cik: '0008000009', name: 'SECOND OWNER' }, {}],
        derivatives: ['Option'],
      }),
    ])
    expect(await at.trades('SELECT cik FROM bars')).toEqual(['8000001'])
    expect(await at.insiders('SELECT cik FROM bars ORDER BY cik')).toEqual(['8000001', '8000009'])
    expect(at.rejects()).toEqual(['1|cik|missing|', '1|cik|not a Central Index Key|abc', '1|name|missing|'])
    expect(report.notes).toContainEqual({ fault: 'trades: transaction in derivatives excluded', rows: 1 })
    const none = ownership({ owners: bad.slice(1, 2), trades: [{}, {}, {}] })
    expect(await reporting().refused(none)).toContain('cik: missing')
  })

  test.each([
    ['NYSE: ACME', 'ACME', 0],
    ['nasdaq:acme', 'ACME', 0],
    ['(ACME)', 'ACME', 0],
    ['FIR/B', 'FIR.B', 0],
    ['FIR, FIR.B', 'FIR', 1],
  ])('has the ticker of %s', async (written, ticker, several) => {
    const at = reporting()
    const report = await at.take([ownership({ ticker: written })])
    expect(await at.trades('SELECT ticker FROM bars')).toEqual([ticker])
    expect(
      report.notes.filter(({ fault }) => fault === 'ticker: several tickers; the first is used'),
    ).toHaveLength(several)
  })
})
