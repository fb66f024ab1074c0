import { expect, test } from 'vitest'
import { closeAt, holding, of, R1, R2, R3, reported } from './reported-positions.ts'

/** Reports that were filed more than once: of each date, what was known on it. */

const report = (date: string, filed: string, ticker: string, units: number, kind: string | null = 'report') =>
  holding(date, ticker, units, { filing_date: filed, filing_kind: kind })

test('a filing replaces the positions of earlier ones, and an addition adds to them', async () => {
  const rows = await reported([
    report(R1, '2023-05-10', 'MORE', 30),
    report(R1, '2023-05-10', 'SAME', 10),
    report(R1, '2023-05-10', 'GONE', 60),
    report(R1, '2023-06-01', 'MORE', 40),
    report(R1, '2023-06-01', 'SAME', 10),
    report(R1, '2023-06-20', 'MORE', 50, 'addition'),
  ])
  const shown = (ticker: string) =>
    of(rows, ticker, 'filing_date', 'units', 'perc_of_share_value', 'first_buy')
  // Of 100 dollars in shares, then of 50, then with 50 more of 100.
  expect(shown('MORE')).toEqual([
    ['2023-05-10', '30', 0.3, R1],
    ['2023-06-01', '40', 0.8, R1],
    ['2023-06-20', '90', 0.9, R1],
  ])
  expect(shown('SAME').map(row => row.slice(0, 3))).toEqual([
    ['2023-05-10', '10', 0.1],
    ['2023-06-01', '10', 0.2],
    ['2023-06-20', '10', 0.1],
  ])
  expect(of(rows, 'GONE', 'filing_date', 'units', 'units_change', 'historical_units', 'first_buy')).toEqual([
    ['2023-05-10', '60', '0', ['60'], R1],
    ['2023-06-01', '0', '0', [], R1],
  ])
})

test('a position in options that did not change has one row', async () => {
  const option = { security_type: 'Option', put_call: 'call', filing_kind: 'report' }
  const rows = await reported([
    holding(R1, 'CALL', 5, { ...option, filing_date: '2023-05-10' }),
    report(R1, '2023-05-10', 'ACME', 1),
    holding(R1, 'CALL', 5, { ...option, filing_date: '2023-06-01' }),
    report(R1, '2023-06-01', 'ACME', 2),
  ])
  expect(of(rows, 'CALL', 'filing_date', 'units')).toEqual([['2023-05-10', '5']])
})

test('later reports compare with an earlier one as it was known, and again when it is filed again', async () => {
  const rows = await reported(
    [
      report(R1, '2023-05-10', 'ACME', 100),
      report(R1, '2023-05-10', 'GONE', 7),
      report(R2, '2023-08-10', 'ACME', 120),
      report(R1, '2023-09-01', 'ACME', 80),
      report(R3, '2023-11-10', 'ACME', 130),
    ],
    { closes: [closeAt(R1, 10), closeAt(R2, 20), closeAt(R3, 30)] },
  )
  const columns = ['report_date', 'filing_date', 'units', 'units_change', 'historical_units', 'avg_price']
  expect(of(rows, 'ACME', ...columns)).toEqual([
    [R1, '2023-05-10', '100', '0', ['100'], '10.0000000000'],
    [R1, '2023-09-01', '80', '0', ['80'], '10.0000000000'],
    // 100 at 10 and 20 at 20 are 1,400 for 120; 80 at 10 and 40 at 20 are 1,600.
    [R2, '2023-08-10', '120', '20', ['120', '100'], '11.6666666667'],
    [R2, '2023-09-01', '120', '40', ['120', '80'], '13.3333333333'],
    // 120 at 13.3333333333 and 10 at 30 are 1,899.999999996 for 130.
    [R3, '2023-11-10', '130', '10', ['130', '120', '80'], '14.6153846154'],
  ])
  // Closed in the second report, until the first one turns out not to have it.
  expect(of(rows, 'GONE', 'report_date', 'filing_date', 'units', 'units_change', 'first_buy')).toEqual([
    [R1, '2023-05-10', '7', '0', R1],
    [R1, '2023-09-01', '0', '0', R1],
    [R2, '2023-08-10', '0', '-7', R1],
    [R2, '2023-09-01', '0', '0', R2],
  ])
})

test('a report that is filed after the next one counts as its previous report from then on', async () => {
  const rows = await reported([
    report(R1, '2023-05-10', 'ACME', 10),
    report(R3, '2023-11-10', 'ACME', 30),
    report(R2, '2023-12-01', 'ACME', 25),
  ])
  expect(of(rows, 'ACME', 'report_date', 'filing_date', 'units_change', 'historical_units')).toEqual([
    [R1, '2023-05-10', '0', ['10']],
    [R2, '2023-12-01', '15', ['25', '10']],
    [R3, '2023-11-10', '20', ['30', '10']],
    [R3, '2023-12-01', '5', ['30', '25', '10']],
  ])
})

test('a position that was withdrawn and is bought later has the history from before the withdrawal only', async () => {
  const anchor = (date: string, filed: string) => report(date, filed, 'BRASS', 1)
  const rows = await reported([
    anchor(R1, '2023-05-10'),
    report(R1, '2023-05-10', 'OLD', 9),
    anchor(R2, '2023-08-10'),
    report(R2, '2023-08-10', 'NEW', 5),
    report(R2, '2023-08-10', 'OLD', 4),
    anchor(R2, '2023-09-01'),
    report(R3, '2023-11-10', 'NEW', 6),
    report(R3, '2023-11-10', 'OLD', 3),
  ])
  const columns = ['report_date', 'filing_date', 'units', 'units_change', 'historical_units', 'first_buy']
  expect(of(rows, 'NEW', ...columns)).toEqual([
    [R2, '2023-08-10', '5', '5', ['5'], R2],
    [R2, '2023-09-01', '0', '0', [], R2],
    [R3, '2023-11-10', '6', '6', ['6'], R3],
  ])
  // Held in the first report, it was closed in the second.
  expect(of(rows, 'OLD', ...columns)).toEqual([
    [R1, '2023-05-10', '9', '0', ['9'], R1],
    [R2, '2023-08-10', '4', '-5', ['4', '9'], R1],
    [R2, '2023-09-01', '0', '-9', ['0', '9'], R1],
    [R3, '2023-11-10', '3', '3', ['3', '0', '9'], R3],
  ])
})

test('a report without a filing date of its own is replaced by one that has, earlier or later', async () => {
  const rows = await reported([
    report(R1, '2023-05-15', 'ACME', 10, 'undated'),
    report(R1, '2023-05-20', 'ACME', 20),
    report(R2, '2023-08-14', 'ACME', 30, 'undated'),
    report(R2, '2023-08-10', 'ACME', 40),
  ])
  expect(of(rows, 'ACME', 'report_date', 'filing_date', 'units')).toEqual([
    [R1, '2023-05-15', '10'],
    [R1, '2023-05-20', '20'],
    [R2, '2023-08-10', '40'],
  ])
})
