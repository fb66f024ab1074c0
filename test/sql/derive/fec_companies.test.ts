import { describe, expect, test } from 'vitest'
import { derived } from '../../fixtures/derive.ts'
import { type Row, rowsAsSql } from './rows-as-sql.ts'

const CYCLE = { cycle: 2024, cycle_end: '2024-12-31' }
const DAY = { from: '2024-12-31', to: '2024-12-31' }

interface Given {
  readonly committees?: readonly Row[]
  readonly contributions?: readonly Row[]
  readonly lobbying?: readonly Row[]
  readonly tickers?: readonly Row[]
}

function companies(given: Given, days = DAY) {
  const inputs = Object.entries({
    fec_committees: given.committees?.map(row => ({ ...CYCLE, is_corporate: true, ...row })),
    fec_contributions: given.contributions?.map(row => ({ ...CYCLE, ...row })),
    lobbying_reports: given.lobbying?.map(row => ({ ...CYCLE, ...row })),
    tickers: given.tickers,
  }).flatMap(([name, rows]) => (rows ? [[name, rowsAsSql(rows)]] : []))
  return derived('fec_companies', days, Object.fromEntries(inputs))
}

const pac = (ticker: string, party: string | null, amount: string) => ({ ticker, kind: 'pac', party, amount })
const employee = (ticker: string, party: string | null, amount: string) => ({
  ticker,
  kind: 'employee',
  party,
  amount,
})

describe('political money of a company', () => {
  test('is counted and summed by kind and party, net of refunds', async () => {
    const rows = await companies({
      committees: [
        { committee_id: 'C2', ticker: 'ACME', company_name: 'Acme Corp' },
        { committee_id: 'C3', ticker: 'ACME', company_name: 'Acme Corp' },
        { committee_id: 'C4', ticker: 'ACME', company_name: 'Acme Corp', is_corporate: false },
      ],
      contributions: [
        pac('ACME', 'DEM', '1000.50'),
        pac('ACME', 'DEM', '-250.25'),
        pac('ACME', 'REP', '3000'),
        pac('ACME', 'LIB', '40'),
        pac('ACME', null, '5'),
        { ticker: 'ACME', kind: 'other', party: 'DEM', amount: '700' },
        { ticker: 'ACME', kind: 'other', party: null, amount: '7.07' },
        employee('ACME', 'DEM', '10'),
        employee('ACME', 'REP', '20.20'),
        employee('ACME', 'REP', '1'),
        employee('ACME', null, '100'),
      ],
      lobbying: [
        { id: 'L1', ticker: 'ACME', client_name: 'ACME', amount: '50000' },
        { id: 'L2', ticker: 'ACME', client_name: 'ACME', amount: '25000.10' },
      ],
    })
    expect(rows).toEqual([
      {
        cycle: 2024,
        cycle_end: '2024-12-31',
        ticker: 'ACME',
        company_name: 'Acme Corp',
        pac_count: '2',
        pac_contribution_count: '5',
        // 1000.50 − 250.25 + 3000 + 40 + 5.
        pac_total: '3795.25',
        pac_dem_total: '750.25',
        pac_rep_total: '3000.00',
        other_total: '707.07',
        employee_contribution_count: '4',
        employee_total_estimated: '131.20',
        employee_dem_total: '10.00',
        employee_rep_total: '21.20',
        lobbying_total: '75000.10',
      },
    ])
  })

  test('has a row for any one kind of record, zeros for the others', async () => {
    const rows = await companies({
      committees: [{ committee_id: 'C1', ticker: 'ONLYPAC', is_corporate: false }],
      contributions: [
        pac('GAVE', 'DEM', '9'),
        employee('STAFF', 'REP', '3'),
        { ticker: 'ELSE', kind: 'other', party: null, amount: '8' },
      ],
      lobbying: [{ id: 'L1', ticker: 'LOBBY', client_name: 'Lobby Inc', amount: '2' }],
    })
    const figures = rows.map(row =>
      [
        row.ticker,
        row.pac_count,
        row.pac_contribution_count,
        row.pac_total,
        row.pac_dem_total,
        row.pac_rep_total,
        row.other_total,
        row.employee_contribution_count,
        row.employee_total_estimated,
        row.employee_dem_total,
        row.employee_rep_total,
        row.lobbying_total,
      ].join(' '),
    )
    expect(figures).toEqual([
      'ELSE 0 0 0.00 0.00 0.00 8.00 0 0.00 0.00 0.00 0.00',
      'GAVE 0 1 9.00 9.00 0.00 0.00 0 0.00 0.00 0.00 0.00',
      'LOBBY 0 0 0.00 0.00 0.00 0.00 0 0.00 0.00 0.00 2.00',
      'ONLYPAC 0 0 0.00 0.00 0.00 0.00 0 0.00 0.00 0.00 0.00',
      'STAFF 0 0 0.00 0.00 0.00 0.00 1 3.00 0.00 3.00 0.00',
    ])
  })

  test('of employees and of lobbying is unknown if the lake has none for the cycle', async () => {
    const earlier = { cycle: 2022, cycle_end: '2022-12-31' }
    const rows = await companies(
      {
        committees: [{ committee_id: 'C1', ticker: 'ACME' }],
        contributions: [
          pac('ACME', 'DEM', '9'),
          { ...pac('ACME', 'DEM', '4'), ...earlier },
          {
            ...employee('BRASS', 'DEM', '1'),
            ...earlier,
          },
        ],
        lobbying: [{ id: 'L1', ticker: 'BRASS', client_name: 'Brass', amount: '2', ...earlier }],
      },
      { from: '2022-12-31', to: '2024-12-31' },
    )
    const unknown = rows.map(row => [
      row.cycle,
      row.ticker,
      row.pac_total,
      row.employee_contribution_count,
      row.employee_total_estimated,
      row.employee_dem_total,
      row.employee_rep_total,
      row.lobbying_total,
    ])
    expect(unknown).toEqual([
      [2022, 'ACME', '4.00', '0', '0.00', '0.00', '0.00', '0.00'],
      [2022, 'BRASS', '0.00', '1', '1.00', '1.00', '0.00', '2.00'],
      [2024, 'ACME', '9.00', null, null, null, null, null],
    ])
  })

  test('is that of the cycle, though the company has records in others', async () => {
    const cycles = [2022, 2024].map(cycle => ({ cycle, cycle_end: `${cycle}-12-31` }))
    const rows = await companies(
      {
        committees: [1, 2, 3].map(id => ({
          committee_id: `C${id}`,
          ticker: 'ACME',
          company_name: id > 1 ? 'New Acme' : 'Old Acme',
          ...cycles[id > 1 ? 1 : 0],
        })),
        lobbying: cycles.map(cycle => ({
          id: `L${cycle.cycle}`,
          ticker: 'ACME',
          client_name: 'Acme',
          amount: cycle.cycle,
          ...cycle,
        })),
      },
      { from: '2022-12-31', to: '2024-12-31' },
    )
    expect(rows.map(row => [row.cycle, row.company_name, row.pac_count, row.lobbying_total])).toEqual([
      [2022, 'Old Acme', '1', '2022.00'],
      [2024, 'New Acme', '2', '2024.00'],
    ])
  })

  test('has a row if the lake has only committees', async () => {
    const rows = await companies({ committees: [{ committee_id: 'C1', ticker: 'ACME' }] })
    expect(rows).toMatchObject([
      {
        ticker: 'ACME',
        pac_count: '1',
        pac_total: '0.00',
        employee_total_estimated: null,
        lobbying_total: null,
      },
    ])
  })

  test('without a ticker makes no row, but shows that the cycle has such records', async () => {
    const rows = await companies({
      committees: [
        { committee_id: 'C1', ticker: '' },
        { committee_id: 'C2', ticker: 'ACME' },
      ],
      contributions: [employee('', 'DEM', '1')],
      lobbying: [{ id: 'L1', ticker: '', client_name: 'Somebody', amount: '0' }],
    })
    expect(rows.map(row => [row.ticker, row.employee_contribution_count, row.lobbying_total])).toEqual([
      ['ACME', '0', '0.00'],
    ])
  })

  test('of a cycle outside the run makes no row', async () => {
    const others = [
      { cycle: 2022, cycle_end: '2022-12-31' },
      { cycle: 2026, cycle_end: '2026-12-31' },
    ]
    const rows = await companies({
      committees: others.map(other => ({ committee_id: 'C1', ticker: 'ACME', ...other })),
      contributions: others.map(other => ({ ...pac('BRASS', 'DEM', '9'), ...other })),
      lobbying: others.map(other => ({
        id: 'L',
        ticker: 'CEDAR',
        client_name: 'Cedar',
        amount: '2',
        ...other,
      })),
    })
    expect(rows).toEqual([])
  })
})

test('a company is named after its committees, else its ticker at the time, else as a client, else by the ticker', async () => {
  const rows = await companies({
    committees: [
      { committee_id: 'C3', ticker: 'ONE', company_name: 'One Later' },
      { committee_id: 'C2', ticker: 'ONE', company_name: 'One Corp' },
      { committee_id: 'C1', ticker: 'ONE', company_name: null },
      { committee_id: 'C4', ticker: 'TWO', company_name: '' },
    ],
    contributions: [pac('FOUR', 'DEM', '1')],
    lobbying: [
      { id: 'L1', ticker: 'ONE', client_name: 'One as a client', amount: '1' },
      { id: 'L2', ticker: 'TWO', client_name: 'Two as a client', amount: '1' },
      { id: 'L4', ticker: 'THREE', client_name: 'Three later', amount: '1' },
      { id: 'L3', ticker: 'THREE', client_name: 'Three as a client', amount: '1' },
    ],
    tickers: [
      { ticker: 'ONE', date: '2020-01-01', full_name: 'One by its ticker' },
      { ticker: 'TWO', date: '2020-01-01', full_name: 'Two until 2023' },
      { ticker: 'TWO', date: '2024-12-31', full_name: 'Two Inc' },
      { ticker: 'TWO', date: '2025-01-01', full_name: 'Two since' },
      { ticker: 'THREE', date: '2025-01-01', full_name: 'Three since' },
    ],
  })
  expect(rows.map(row => [row.ticker, row.company_name])).toEqual([
    ['FOUR', 'FOUR'],
    ['ONE', 'One Corp'],
    ['THREE', 'Three as a client'],
    ['TWO', 'Two Inc'],
  ])
})
