import { describe, expect, test } from 'vitest'
import { derived } from '../../fixtures/derive.ts'
import { type Row, rowsAsSql } from './rows-as-sql.ts'

const R1 = '2023-03-31'
const R2 = '2023-06-30'
const R3 = '2023-09-30'

/** A position of institution 1 in shares, unless specified otherwise. */
const position = (
  report_date: string,
  ticker: string,
  units: number,
  units_change: number,
  value: string,
  more: Row = {},
): Row => ({
  report_date,
  filing_date: report_date,
  cik: '1',
  ticker,
  security_type: 'Share',
  put_call: '',
  units,
  units_change,
  value,
  ...more,
})

const totals = (positions: readonly Row[], from: string, to = from) =>
  derived('institution_totals', { from, to }, { institution_positions: rowsAsSql(positions) })

test('values and units are summed by kind of security', async () => {
  const kinds: [string, string, number, string][] = [
    ['Share', '', 1, '100.01'],
    ['Option', 'call', 20, '200.02'],
    ['Option', 'put', 300, '300.03'],
    ['Fund', '', 4000, '400.04'],
    ['Preferred', '', 50_000, '500.05'],
    ['Debt', '', 600_000, '600.06'],
    ['Warrant', '', 7_000_000, '700.07'],
  ]
  const positions = kinds.flatMap(([security_type, put_call, units, value]) => [
    position(R1, 'ACME', units, units, value, { security_type, put_call }),
    position(R1, 'BRASS', units, units, value, { security_type, put_call, filing_date: '2023-05-15' }),
  ])
  const [first, second] = await totals(positions, R1)
  expect(first).toMatchObject({
    filing_date: R1,
    total_value: '2800.28',
    share_holdings: '1',
    debt_value: '600.06',
  })
  expect([second]).toEqual([
    {
      report_date: R1,
      filing_date: '2023-05-15',
      cik: '1',
      institution_name: null,
      // Twice 2,800.28.
      total_value: '5600.56',
      share_value: '200.02',
      call_value: '400.04',
      put_value: '600.06',
      fund_value: '800.08',
      pfd_value: '1000.10',
      debt_value: '1200.12',
      warrant_value: '1400.14',
      share_holdings: '2',
      call_holdings: '40',
      put_holdings: '600',
      fund_holdings: '8000',
      pfd_holdings: '100000',
      debt_holdings: '1200000',
      warrant_holdings: '14000000',
      buy_value: '5600.56',
      sell_value: '0.00',
      percent_of_total: 1,
    },
  ])
})

test('what an institution does not hold is zero, even all of it', async () => {
  const option = { security_type: 'Option', put_call: 'call' }
  const fund = { security_type: 'Fund' }
  const positions = [
    position(R1, 'ACME', 10, 10, '50', option),
    position(R2, 'ACME', 0, -10, '0', option),
    position(R1, 'ACME', 3, 3, '7', { ...fund, cik: '2' }),
  ]
  const { report_date, filing_date, cik, institution_name, percent_of_total, ...closed } =
    (await totals(positions, R2))[0] ?? {}
  expect([cik, institution_name, percent_of_total]).toEqual(['1', null, null])
  const { sell_value, ...others } = closed
  expect(sell_value).toBe('-50.00')
  expect(Object.values(others).map(Number)).toEqual(Array.from({ length: 16 }, () => 0))

  const [calls, funds] = await totals(positions, R1)
  expect(calls).toMatchObject({
    fund_value: '0.00',
    fund_holdings: '0',
    call_value: '50.00',
    call_holdings: '10',
  })
  expect(calls).toMatchObject({
    share_value: '0.00',
    share_holdings: '0',
    put_value: '0.00',
    put_holdings: '0',
  })
  expect(calls).toMatchObject({
    pfd_value: '0.00',
    pfd_holdings: '0',
    debt_value: '0.00',
    debt_holdings: '0',
  })
  expect(calls).toMatchObject({ warrant_value: '0.00', warrant_holdings: '0' })
  expect(funds).toMatchObject({
    call_value: '0.00',
    call_holdings: '0',
    fund_value: '7.00',
    fund_holdings: '3',
  })
})

describe('what was bought and sold', () => {
  const positions = [
    position(R1, 'MORE', 100, 0, '1000'),
    position(R1, 'LESS', 100, 0, '700'),
    position(R1, 'SAME', 5, 0, '5000'),
    position(R1, 'GONE', 30, 0, '90'),
    position(R1, 'GONE', 8, 0, '4', { security_type: 'Fund' }),
    position(R1, 'GONE', 4, 0, '600', { security_type: 'Option', put_call: 'put' }),
    position(R1, 'GONE', 4, 0, '9000', { security_type: 'Option', put_call: 'call' }),
    // Another institution's figures must not be taken for this one's.
    position(R1, 'LESS', 1, 0, '77777', { cik: '2' }),
    // It reports nothing for R2: the report before that of R3 is that of R1.
    position(R2, 'OTHER', 1, 1, '1', { cik: '2' }),
    position(R3, 'MORE', 150, 50, '2400'),
    position(R3, 'LESS', 97, -3, '1'),
    position(R3, 'SAME', 5, 0, '6000'),
    position(R3, 'GONE', 0, -30, '0'),
    position(R3, 'GONE', 0, -8, '0', { security_type: 'Fund' }),
    position(R3, 'GONE', 0, -4, '0', { security_type: 'Option', put_call: 'put' }),
    position(R3, 'GONE', 4, 0, '1', { security_type: 'Option', put_call: 'call' }),
    position(R3, 'NEW', 3, 3, '10.01'),
  ]

  test('is valued at the value per unit of this report and of the previous one', async () => {
    const rows = await totals(positions, R3)
    // Bought: 50 of MORE at 2400/150 = 16 are 800, and all of NEW, 10.01.
    // Sold: 3 of LESS at 700/100 = 7 are 21; GONE 90, as a fund 4 and its puts 600.
    expect(rows.map(row => [row.cik, row.buy_value, row.sell_value])).toEqual([['1', '810.01', '-715.00']])
  })

  test('is nothing in the first report, whose positions have not changed', async () => {
    const rows = await totals(positions, R1)
    expect(rows.map(row => [row.cik, row.buy_value, row.sell_value])).toEqual([
      ['1', '0.00', '0.00'],
      ['2', '0.00', '0.00'],
    ])
  })

  test('is valued with the units of the previous report on the basis of this one', async () => {
    // 100 for 1,000 dollars became 400 for 1,000: 40 less are sold for 100, 40 more are bought for 40 × 1,100/440.
    const split = [
      position(R1, 'LESS', 100, 0, '1000'),
      position(R1, 'MORE', 100, 0, '1000'),
      position(R1, 'GONE', 100, 0, '1000'),
      position(R2, 'LESS', 360, -40, '900'),
      position(R2, 'MORE', 440, 40, '1100'),
      position(R2, 'GONE', 0, -400, '0'),
    ]
    const [row] = await totals(split, R2)
    expect([row?.buy_value, row?.sell_value]).toEqual(['100.00', '-1100.00'])
  })

  test('is rounded to the cent once, in the sum', async () => {
    // Three thirds of a cent, each 1 of 3 units worth a cent.
    const thirds = ['A', 'B', 'C'].flatMap(ticker => [
      position(R1, ticker, 3, 0, '0.01'),
      position(R2, ticker, 2, -1, '0.01'),
    ])
    const halves = ['D', 'E', 'F'].flatMap(ticker => [
      position(R1, ticker, 2, 0, '0.01'),
      position(R2, ticker, 3, 1, '0.01'),
    ])
    const [row] = await totals([...thirds, ...halves], R2)
    expect([row?.buy_value, row?.sell_value]).toEqual(['0.01', '-0.01'])
  })

  test('is the same however many report dates are computed at once', async () => {
    const apart = [await totals(positions, R1), await totals(positions, R2), await totals(positions, R3)]
    expect(await totals(positions, R1, R3)).toEqual(apart.flat())
  })
})

test('the part of all institutions is that of the same report date', async () => {
  const positions = [
    position(R1, 'ACME', 1, 1, '30'),
    position(R1, 'ACME', 1, 1, '10', { cik: '2' }),
    position(R2, 'ACME', 1, 0, '1000'),
    position(R2, 'ACME', 1, 0, '600', { cik: '2' }),
    position(R2, 'ACME', 1, 1, '2400', { cik: '3' }),
    position(R3, 'ACME', 1, 1, '1', { cik: '3' }),
  ]
  const rows = await totals(positions, R1, R2)
  expect(rows.map(row => [row.report_date, row.cik, row.percent_of_total])).toEqual([
    [R1, '1', 0.75],
    [R1, '2', 0.25],
    [R2, '1', 0.25],
    [R2, '2', 0.15],
    [R2, '3', 0.6],
  ])
})

test('the part of all institutions is that of what had been filed', async () => {
  const filed = (cik: string, filing_date: string, value: string) =>
    position(R1, 'ACME', 1, 0, value, { cik, filing_date })
  const rows = await totals(
    [
      filed('1', '2023-05-01', '30'),
      filed('2', '2023-05-01', '10'),
      filed('3', '2023-05-15', '40'),
      filed('1', '2023-06-01', '50'),
    ],
    R1,
  )
  const shown = rows.map(row => [row.cik, row.filing_date, row.total_value, row.percent_of_total])
  expect(shown).toEqual([
    // 30 of 40, then 50 of 50 + 10 + 40.
    ['1', '2023-05-01', '30.00', 0.75],
    ['1', '2023-06-01', '50.00', 0.5],
    ['2', '2023-05-01', '10.00', 0.25],
    // 40 of 30 + 10 + 40.
    ['3', '2023-05-15', '40.00', 0.5],
  ])
})

test('what is bought and sold compares with the previous report as it was known, and again when that changes', async () => {
  const at = (date: string, filing_date: string, units: number, change: number, value: string) =>
    position(date, 'ACME', units, change, value, { filing_date })
  const rows = await totals(
    [
      at(R1, '2023-05-10', 10, 0, '100'),
      at(R2, '2023-08-10', 4, -6, '80'),
      // The first report had 20 units for 500 dollars.
      at(R1, '2023-09-01', 20, 0, '500'),
      at(R2, '2023-09-01', 4, -16, '80'),
      // And now 2 for 60.
      at(R1, '2023-10-01', 2, 0, '60'),
      at(R2, '2023-10-01', 4, 2, '80'),
    ],
    R2,
  )
  expect(rows.map(row => [row.filing_date, row.total_value, row.buy_value, row.sell_value])).toEqual([
    // 6 at 10 dollars; 16 at 25; 2 bought at 20.
    ['2023-08-10', '80.00', '0.00', '-60.00'],
    ['2023-09-01', '80.00', '0.00', '-400.00'],
    ['2023-10-01', '80.00', '40.00', '0.00'],
  ])
})

test('the name is the one that the report was filed under', async () => {
  const holdings = [
    { report_date: R1, cik: '1', filing_date: R1, institution_name: 'First Capital LLC' },
    { report_date: R2, cik: '1', filing_date: R2, institution_name: 'FIRST CAPITAL MANAGEMENT' },
    { report_date: R2, cik: '1', filing_date: R2, institution_name: 'FIRST CAPITAL MANAGEMENT LLC' },
    // Filed again without a change but of the name.
    { report_date: R2, cik: '1', filing_date: R3, institution_name: 'Another' },
    { report_date: R2, cik: '2', filing_date: R2, institution_name: 'Zephyr' },
  ]
  const positions = [
    position(R1, 'ACME', 1, 1, '1'),
    position(R2, 'ACME', 1, 0, '1'),
    position(R3, 'ACME', 1, 0, '1'),
  ]
  const rows = await derived(
    'institution_totals',
    { from: R1, to: R3 },
    { institution_positions: rowsAsSql(positions), institution_holdings: rowsAsSql(holdings) },
  )
  expect(rows.map(row => [row.report_date, row.filing_date, row.institution_name])).toEqual([
    [R1, R1, 'First Capital LLC'],
    [R2, R2, 'FIRST CAPITAL MANAGEMENT LLC'],
    [R2, R3, 'Another'],
    [R3, R3, null],
  ])
})
