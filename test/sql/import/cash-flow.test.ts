import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { importingFormat } from './formats.ts'

const SAMPLES = 'data/samples/cash-flow'
const TODAY = new Date().toISOString().slice(0, 10)
const BRIEF = `SELECT ticker, fiscal_date_ending, report_type, reported_currency, net_income, operating_cashflow
  FROM bars ORDER BY ALL`

const report = (fiscalDateEnding: string, more: object = {}) => ({
  fiscalDateEnding,
  reportedCurrency: 'USD',
  netIncome: '100',
  operatingCashflow: '200',
  ...more,
})
const company = (symbol: string, annualReports: unknown, quarterlyReports: unknown = []) =>
  JSON.stringify({ symbol, annualReports, quarterlyReports })

test('the sample statements are imported report by report', async () => {
  const flows = importingFormat('cash-flow')
  const { accounts } = await flows.import([SAMPLES])
  expect(accounts.map(({ records, rows, rejected }) => [records, rows, rejected])).toEqual([
    [1, 6, 0],
    [1, 1, 0],
  ])
  // The sample's items are numbered: the operating cash flow is 1, the net income 27 thousand above the report's base.
  expect(await flows.rows(BRIEF, 'cash_flow_statements')).toEqual([
    'ACME 2022-12-31 annual USD 30027000.00 30001000.00',
    'ACME 2023-03-31 quarterly USD 8027000.00 8001000.00',
    'ACME 2023-06-30 quarterly USD 9027000.00 9001000.00',
    'ACME 2023-09-30 quarterly USD 10027000.00 10001000.00',
    'ACME 2023-12-31 annual USD 40027000.00 40001000.00',
    'ACME 2023-12-31 quarterly USD 11027000.00 11001000.00',
    'FJORD 2023-06-30 annual EUR 5027000.00 5001000.00',
  ])
  expect(
    await flows.rows('SELECT DISTINCT inserted_at, updated_at FROM bars', 'cash_flow_statements'),
  ).toEqual([`${TODAY} 00:00:00 ${TODAY} 00:00:00`])
})

test('every amount is imported into the column of its name', async () => {
  const flows = importingFormat('cash-flow')
  await flows.import([SAMPLES])
  const parsed = JSON.parse(readFileSync(`${SAMPLES}/FJORD_cash_flow.json`, 'utf8'))
  const source: Record<string, string> = {
    ...parsed.annualReports[0],
    // The one that the schema calls shorter, and the one that the source does not have.
    proceedsFromIssuanceOfLongTermDebt:
      parsed.annualReports[0].proceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet,
    stockBasedCompensation: 'None',
  }
  const amounts = dataset('cash_flow_statements').columns.filter(({ type }) => type.startsWith('DECIMAL'))
  expect(amounts).toHaveLength(28)
  const expected = amounts.map(({ name }) => {
    const value = source[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
    return value === 'None' ? '-' : `${value}.00`
  })
  const columns = amounts.map(({ name }) => name).join(', ')
  expect(
    await flows.rows(`SELECT ${columns} FROM bars WHERE ticker = 'FJORD'`, 'cash_flow_statements'),
  ).toEqual([expected.join(' ')])
})

test('invalid amounts become NULL, and are reported unless they are None', async () => {
  const flows = importingFormat('cash-flow')
  const json = company('acme', [
    report('2023-12-31', {
      netIncome: 'None',
      operatingCashflow: '-1,234.567',
      stockBasedCompensation: '12',
    }),
    report('2022-12-31', { netIncome: null, operatingCashflow: 0.125 }),
    report('2021-12-31', { netIncome: 'abc', operatingCashflow: '1e9x' }),
    report('2020-12-31', { netIncome: '99999999999999999', operatingCashflow: '' }),
    report('2019-12-31', { netIncome: '9999999999999999.99', operatingCashflow: '-' }),
  ])
  const { notes, rejected } = await flows.import([flows.file('acme.json', json)])
  expect([rejected, notes]).toEqual([
    0,
    [
      { fault: 'netIncome: not a number', rows: 1 },
      { fault: 'netIncome: too large', rows: 1 },
      { fault: 'operatingCashflow: not a number', rows: 1 },
    ],
  ])
  expect(
    await flows.rows(
      `SELECT ticker, year(fiscal_date_ending), net_income, operating_cashflow, stock_based_compensation
       FROM bars ORDER BY 2 DESC`,
      'cash_flow_statements',
    ),
  ).toEqual([
    'ACME 2023 - -1234.57 12.00',
    'ACME 2022 - 0.12 -',
    'ACME 2021 - - -',
    'ACME 2020 - - -',
    'ACME 2019 9999999999999999.99 - -',
  ])
})

test('an invalid report is rejected with its reason, the other reports of its company are imported', async () => {
  const flows = importingFormat('cash-flow')
  const good = (symbol: string) => company(symbol, [report('2020-12-31')])
  const lines = [
    company(
      'ACME',
      [
        report('2023-12-31'),
        report('2202-12-31'),
        report('2022-02-30'),
        report(''),
        report('2021-12-31', { reportedCurrency: 'None' }),
        report('2020-12-31', { reportedCurrency: null }),
        'no report',
        report('2019-12-31', { netIncome: '1' }),
        report('2019-12-31', { netIncome: '2', reportedCurrency: 'eur' }),
      ],
      [report('2019-12-31', { netIncome: '3' })],
    ),
    company('<b>BRASS</b>', [report('2023-12-31'), report('2022-12-31')], [report('2023-12-31')]),
    company('CEDAR', { fiscalDateEnding: '2023-12-31' }, 'None'),
    JSON.stringify({ symbol: 'DELTA' }),
    JSON.stringify({ Note: 'Thank you for asking.' }),
    JSON.stringify({ symbol: 'EMBER', annualReports: [], quarterlyReports: [] }),
    JSON.stringify({ symbol: 'FJORD', quarterlyReports: [report('2023-12-31')] }),
    ...['GROVE', 'HAZEL', 'IRIS', 'JADE', 'KELP', 'LARK', 'MOSS', 'NAVY', 'OPAL'].map(good),
  ]
  await flows.import([flows.file('all.jsonl', `\ufeff${lines.join('\n')}\n`)])
  expect(flows.rejects().toSorted()).toEqual(
    [
      '1|fiscalDateEnding|duplicate period|2019-12-31',
      '1|annualReports|not a report|"no report"',
      '1|fiscalDateEnding|before 1900 or in the future|2202-12-31',
      '1|fiscalDateEnding|missing|',
      '1|fiscalDateEnding|not a date|2022-02-30',
      '1|reportedCurrency|not a currency|',
      '1|reportedCurrency|not a currency|None',
      '2|symbol|not a ticker|<b>BRASS</b>',
      '3|annualReports|not a list of reports|',
      '3|quarterlyReports|not a list of reports|',
      '4|annualReports|not a list of reports|',
      '5|symbol|missing|',
    ].toSorted(),
  )
  expect((await flows.rows(BRIEF, 'cash_flow_statements')).slice(0, 5)).toEqual([
    'ACME 2019-12-31 annual EUR 2.00 200.00',
    'ACME 2019-12-31 quarterly USD 3.00 200.00',
    'ACME 2023-12-31 annual USD 100.00 200.00',
    'FJORD 2023-12-31 quarterly USD 100.00 200.00',
    'GROVE 2020-12-31 annual USD 100.00 200.00',
  ])
})

test('a statement keeps the day of its first import, and that of its last change', async () => {
  const flows = importingFormat('cash-flow')
  const held = [
    'ticker,fiscal_date_ending,report_type,reported_currency,inserted_at,updated_at,net_income,operating_cashflow',
    'ACME,2023-12-31,annual,USD,2024-02-01T10:00:00Z,2024-02-03T10:00:00Z,100,200',
    'ACME,2022-12-31,annual,USD,2024-02-01T10:00:00Z,2024-02-03T10:00:00Z,100,201',
    'ACME,2021-12-31,annual,EUR,2024-02-01T10:00:00Z,2024-02-03T10:00:00Z,100,200',
    'ACME,2020-12-31,quarterly,USD,2024-02-01T10:00:00Z,2024-02-03T10:00:00Z,100,200',
    'ACME,2019-12-31,annual,USD,2024-02-01T10:00:00Z,2024-02-03T10:00:00Z,100,',
  ]
  await flows.import([flows.file('held.csv', held)], { format: 'csv-cash_flow_statements' })
  const years = ['2023', '2022', '2021', '2020', '2019'].map(year => report(`${year}-12-31`))
  await flows.import([flows.file('acme.json', company('ACME', years))])
  expect(
    await flows.rows(
      `SELECT year(fiscal_date_ending), report_type[1], inserted_at::DATE, updated_at::DATE
       FROM bars ORDER BY 1 DESC, 2`,
      'cash_flow_statements',
    ),
  ).toEqual([
    '2023 a 2024-02-01 2024-02-03',
    // Another amount, another currency, another kind of report, an amount that was not known.
    `2022 a 2024-02-01 ${TODAY}`,
    `2021 a 2024-02-01 ${TODAY}`,
    `2020 a ${TODAY} ${TODAY}`,
    '2020 q 2024-02-01 2024-02-03',
    `2019 a 2024-02-01 ${TODAY}`,
  ])
})

test('a file with other content is rejected', async () => {
  const flows = importingFormat('cash-flow')
  const note = flows.file('note.json', JSON.stringify({ Note: 'Thank you for asking.' }))
  expect(await flows.refusal([note])).toContain('input_refused')
})
