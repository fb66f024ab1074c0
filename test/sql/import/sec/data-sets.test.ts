import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { filed } from './ownership.ts'

/** The quarterly data sets of the SEC, made up: tables separated by tabs, with days such as 03-MAY-2024. */
const table = (...rows: readonly string[][]) => rows.map(row => row.join('\t'))

const SUBMISSION = table(
  'ACCESSION_NUMBER FILING_DATE PERIOD_OF_REPORT DATE_OF_ORIG_SUB DOCUMENT_TYPE ISSUERCIK ISSUERTRADINGSYMBOL'.split(
    ' ',
  ),
  ['0007000001-24-000011', '03-MAY-2024', '01-MAY-2024', '', '4', '0007000001', 'ACME'],
  ['0007000001-24-000012', '06-MAY-2024', '03-MAY-2024', '', '3', '0007000001', 'ACME'],
)
const REPORTINGOWNER = table(
  ['ACCESSION_NUMBER', 'RPTOWNERCIK', 'RPTOWNERNAME', 'RPTOWNER_RELATIONSHIP', 'RPTOWNER_TITLE'],
  ['0007000001-24-000011', '0008000001', 'AMBERSHAW ADELE R', 'Director,Officer', 'Chief Everything Officer'],
  ['0007000001-24-000012', '0008000002', 'HAZEL FREIGHT LTD', 'TenPercentOwner', ''],
)
const TRADE_COLUMNS = [
  ...[
    'ACCESSION_NUMBER',
    'NONDERIV_TRANS_SK',
    'SECURITY_TITLE',
    'SECURITY_TITLE_FN',
    'TRANS_DATE',
    'TRANS_CODE',
  ],
  ...['TRANS_SHARES', 'TRANS_PRICEPERSHARE', 'TRANS_ACQUIRED_DISP_CD', 'SHRS_OWND_FOLWNG_TRANS'],
]
const NONDERIV_TRANS = table(
  TRADE_COLUMNS,
  ['0007000001-24-000011', '902', 'Common Stock', '', '02-MAY-2024', 'S', '40', '', 'D', '1060'],
  ['0007000001-24-000011', '901', 'Common Stock', 'F1', '01-MAY-2024', 'P', '100.0', '20.5', 'A', '1100.0'],
  ['0007000009-24-000099', '903', 'Common Stock', '', '01-MAY-2024', 'P', '5', '1', 'A', '5'],
)

test('The set of Forms 3, 4 and 5 gives the trades of its filings, with the numbers that the filings give', async () => {
  const at = importingFormat('sec-ownership')
  const set = [
    at.file('SUBMISSION.tsv', SUBMISSION),
    at.file('REPORTINGOWNER.tsv', REPORTINGOWNER),
    at.file('NONDERIV_TRANS.tsv', NONDERIV_TRANS),
  ]
  await at.import(set)
  const trades = () =>
    at.rows(
      `SELECT accession_number, sequence, filing_date, ticker, cik, transaction_date, transaction_code, shares, price,
         is_acquired, shares_after
       FROM bars ORDER BY sequence`,
      'insider_trades',
    )
  const expected = [
    '0007000001-24-000011 1 2024-05-03 ACME 8000001 2024-05-01 P 100.0000 20.500000 true 1100.0000',
    '0007000001-24-000011 2 2024-05-03 ACME 8000001 2024-05-02 S 40.0000 - false 1060.0000',
  ]
  expect(await trades()).toEqual(expected)
  expect(await at.rows('SELECT cik, display_name, is_person FROM bars ORDER BY cik', 'insiders')).toEqual([
    '8000001 Adele R. Ambershaw true',
    '8000002 Hazel Freight Ltd false',
  ])
  expect(at.rejects()).toContain(
    '4|accession_number|its filing is not in the import: import SUBMISSION.tsv with it|0007000009-24-000099',
  )
  // The filing itself has the same two trades.
  const purchase = { date: '2024-05-01', price: '20.5' }
  const sale = { date: '2024-05-02', code: 'S', shares: '40', price: '', direction: 'D', after: '1060' }
  const owners = [{ officer: '1' }]
  await at.import([
    at.file('form.xml', filed('0007000001-24-000011', '20240503', { owners, trades: [purchase, sale] })),
  ])
  expect(await trades()).toEqual(expected)
})

test('The set of Form 13F gives positions per filing date, in dollars', async () => {
  const at = importingFormat('sec-13f')
  const files = {
    'SUBMISSION.tsv': table(
      ['ACCESSION_NUMBER', 'FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'PERIODOFREPORT'],
      ['0009000100-22-000001', '14-FEB-2022', '13F-HR', '0009000100', '31-DEC-2021'],
      ['0009000100-24-000001', '10-MAY-2024', '13F-HR', '0009000100', '31-MAR-2024'],
      ['0009000100-24-000002', '13-MAY-2024', '13F-HR/A', '0009000100', '31-MAR-2024'],
      ['0009000200-24-000001', '10-MAY-2024', '13F-NT', '0009000200', '31-MAR-2024'],
    ),
    'COVERPAGE.tsv': table(
      ['ACCESSION_NUMBER', 'REPORTCALENDARORQUARTER', 'ISAMENDMENT', 'AMENDMENTTYPE', 'FILINGMANAGER_NAME'],
      ['0009000100-22-000001', '31-DEC-2021', 'N', '', 'Alderbrook Capital Management LP'],
      ['0009000100-24-000001', '31-MAR-2024', 'N', '', 'Alderbrook Capital Management LP'],
      ['0009000100-24-000002', '31-MAR-2024', 'Y', 'RESTATEMENT', 'Alderbrook Capital Management LP'],
      ['0009000200-24-000001', '31-MAR-2024', 'N', '', 'Birch Advisers LLC'],
    ),
    'SUMMARYPAGE.tsv': table(
      ['ACCESSION_NUMBER', 'OTHERINCLUDEDMANAGERSCOUNT', 'TABLEENTRYTOTAL', 'TABLEVALUETOTAL'],
      ['0009000100-24-000001', '0', '2', '3000'],
    ),
    'INFOTABLE.tsv': table(
      'ACCESSION_NUMBER INFOTABLE_SK NAMEOFISSUER TITLEOFCLASS CUSIP FIGI VALUE SSHPRNAMT SSHPRNAMTTYPE PUTCALL'.split(
        ' ',
      ),
      // Thousands of dollars before 2023.
      ['0009000100-22-000001', '1', 'ACME CORP', 'COM', '00199A104', '', '2', '100', 'SH', ''],
      ['0009000100-24-000001', '2', 'ACME CORP', 'COM', '00199A104', '', '2000', '100', 'SH', ''],
      ['0009000100-24-000001', '3', 'ACME CORP', 'COM', '00199A104', '', '1000', '50', 'SH', 'Put'],
      ['0009000100-24-000002', '4', 'ACME CORP', 'COM', '00199a104', '', '2200', '110', 'SH', ''],
      ['0009000100-24-000002', '5', 'BRASS CORP', 'COM', 'short', '', '1', '1', 'SH', ''],
      ['0009000300-24-000001', '6', 'BRASS CORP', 'COM', '00299B105', '', '1', '1', 'SH', ''],
    ),
  }
  await at.import(Object.entries(files).map(([name, lines]) => at.file(name, lines)))
  expect(
    await at.rows(
      'SELECT report_date, filing_date, cik, cusip, put_call, units, value FROM bars ORDER BY ALL',
      'institution_holdings',
    ),
  ).toEqual([
    '2021-12-31 2022-02-14 9000100 00199A104  100 2000.00',
    '2024-03-31 2024-05-10 9000100 00199A104  100 2000.00',
    '2024-03-31 2024-05-10 9000100 00199A104 put 50 1000.00',
    '2024-03-31 2024-05-13 9000100 00199A104  110 2200.00',
  ])
  expect(at.rejects()).toEqual([
    '6|cusip|not a CUSIP|SHORT',
    '7|accession_number|its filing is not in the import: import SUBMISSION.tsv with it|0009000300-24-000001',
  ])
})

test('Names with quotes, as in the sets of the SEC, are text, and end neither a field nor a line', {
  tags: 'slow',
}, async () => {
  const trades = importingFormat('sec-ownership')
  const name = 'Smith John "Jack"'
  await trades.import([
    trades.file('SUBMISSION.tsv', SUBMISSION),
    trades.file(
      'REPORTINGOWNER.tsv',
      REPORTINGOWNER.map(line =>
        line.replace('AMBERSHAW ADELE R', name).replace('HAZEL FREIGHT LTD', '"Hazel" Freight LTD'),
      ),
    ),
    trades.file(
      'NONDERIV_TRANS.tsv',
      NONDERIV_TRANS.map(line => line.replace('Common Stock', '"Class A" Common')),
    ),
  ])
  expect(await trades.rows('SELECT cik, name FROM bars ORDER BY cik', 'insiders')).toEqual([
    `8000001 ${name}`,
    '8000002 "Hazel" Freight LTD',
  ])
  expect(await trades.rows('SELECT count(*) FROM bars', 'insider_trades')).toEqual(['2'])

  const holdings = importingFormat('sec-13f')
  const set = {
    'SUBMISSION.tsv': table(
      ['ACCESSION_NUMBER', 'FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'PERIODOFREPORT'],
      ['0009000100-24-000001', '10-MAY-2024', '13F-HR', '0009000100', '31-MAR-2024'],
    ),
    'COVERPAGE.tsv': table(
      ['ACCESSION_NUMBER', 'REPORTCALENDARORQUARTER', 'ISAMENDMENT', 'AMENDMENTTYPE', 'FILINGMANAGER_NAME'],
      ['0009000100-24-000001', '31-MAR-2024', 'N', '', '"Alder" Capital'],
    ),
    'SUMMARYPAGE.tsv': table(
      ['ACCESSION_NUMBER', 'OTHERINCLUDEDMANAGERSCOUNT', 'TABLEENTRYTOTAL', 'TABLEVALUETOTAL'],
      ['0009000100-24-000001', '0', '2', '3000'],
    ),
    'INFOTABLE.tsv': table(
      'ACCESSION_NUMBER INFOTABLE_SK NAMEOFISSUER TITLEOFCLASS CUSIP FIGI VALUE SSHPRNAMT SSHPRNAMTTYPE PUTCALL'.split(
        ' ',
      ),
      ['0009000100-24-000001', '1', 'ACME "A" CORP', 'COM', '00199A104', '', '2000', '100', 'SH', ''],
      ['0009000100-24-000001', '2', '"BRASS', 'COM', '00299B105', '', '1000', '50', 'SH', ''],
    ),
    // The set has tables that no dataset holds.
    'SIGNATURE.tsv': table(['ACCESSION_NUMBER', 'NAME'], ['0009000100-24-000001', 'J "Jack" Smith']),
  }
  const folder = join(holdings.folder, 'set')
  mkdirSync(folder)
  for (const [name, lines] of Object.entries(set)) holdings.file(join('set', name), lines)
  expect(await holdings.import([folder])).toMatchObject({ rejected: 0 })
  expect(
    await holdings.rows(
      'SELECT institution_name, full_name, units FROM bars ORDER BY 2',
      'institution_holdings',
    ),
  ).toEqual(['"Alder" Capital "BRASS 50', '"Alder" Capital ACME "A" CORP 100'])
})
