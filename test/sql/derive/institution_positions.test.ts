import { describe, expect, test } from 'vitest'
import { derived } from '../../fixtures/derive.ts'
import { closeAt, holding, of, QUARTERS, R1, R2, R3, R4, reported } from './reported-positions.ts'
import { rowsAsSql } from './rows-as-sql.ts'

describe('a position through its reports', () => {
  // Institution 1 reports every quarter, as BRASS is held throughout.
  const acme = [100, 150, 60, 0, 0, 40, 40, 40, 40]
  const holdings = QUARTERS.flatMap((date, index) => [
    holding(date, 'BRASS', 10),
    ...(acme[index] ? [holding(date, 'ACME', acme[index])] : []),
  ])
  const closes = [
    closeAt(R1, 10),
    closeAt(R2, 20),
    closeAt('2023-09-28', 70),
    closeAt('2023-09-29', 30),
    closeAt('2023-12-29', 35),
    closeAt('2024-06-28', 50),
    closeAt('2024-12-31', 55),
  ]

  test('changes, is closed, is forgotten and is bought again', async () => {
    const rows = await reported(holdings, { closes })
    expect(
      of(rows, 'ACME', 'report_date', 'units', 'previous_units', 'units_change', 'value', 'first_buy'),
    ).toEqual([
      [R1, '100', '0', '0', '100.00', R1],
      [R2, '150', '100', '50', '150.00', R1],
      [R3, '60', '150', '-90', '60.00', R1],
      [R4, '0', '60', '-60', '0.00', R1],
      ['2024-06-30', '40', '0', '40', '40.00', '2024-06-30'],
      ['2024-09-30', '40', '40', '0', '40.00', '2024-06-30'],
      ['2024-12-31', '40', '40', '0', '40.00', '2024-06-30'],
      ['2025-03-31', '40', '40', '0', '40.00', '2024-06-30'],
    ])
  })

  test('has the units of up to 8 reports, with zeros between two times of holding it', async () => {
    const rows = await reported(holdings)
    expect(of(rows, 'ACME', 'historical_units').flat()).toEqual([
      ['100'],
      ['150', '100'],
      ['60', '150', '100'],
      ['0', '60', '150', '100'],
      ['40', '0', '0', '60', '150', '100'],
      ['40', '40', '0', '0', '60', '150', '100'],
      ['40', '40', '40', '0', '0', '60', '150', '100'],
      ['40', '40', '40', '40', '0', '0', '60', '150'],
    ])
  })

  test('is priced at the last session up to the report date, and averages what was paid', async () => {
    const rows = await reported(holdings, { closes })
    // 100 at 10 and 50 at 20 are 2,000 for 150: 13.33… each, which sales leave as it is.
    expect(of(rows, 'ACME', 'close', 'price_first_buy', 'avg_price')).toEqual([
      ['10.000000', '10.000000', '10.0000000000'],
      ['20.000000', '10.000000', '13.3333333333'],
      ['30.000000', '10.000000', '13.3333333333'],
      ['35.000000', '10.000000', '13.3333333333'],
      ['50.000000', '50.000000', '50.0000000000'],
      [null, '50.000000', '50.0000000000'],
      ['55.000000', '50.000000', '50.0000000000'],
      [null, '50.000000', '50.0000000000'],
    ])
  })

  test('that was closed more than 8 reports ago is recognised as an old one', async () => {
    const rows = await reported([
      ...QUARTERS.map(date => holding(date, 'BRASS', 10)),
      holding(R1, 'ACME', 7),
      holding('2025-06-30', 'ACME', 5),
      holding('2025-06-30', 'CEDAR', 5),
    ])
    expect(of(rows, 'ACME', 'historical_units').at(-1)).toEqual([['5', '0', '0', '0', '0', '0', '0', '0']])
    expect(of(rows, 'CEDAR', 'historical_units')).toEqual([[['5']]])
  })
})

describe('the report before', () => {
  test('is the latest that the institution made, however long ago, whatever others reported', async () => {
    const other = { cik: '2' }
    const rows = await reported([
      holding(R1, 'ACME', 100),
      holding(R1, 'ACME', 900, other),
      holding(R2, 'ACME', 901, other),
      holding(R3, 'ACME', 902, other),
      holding(R4, 'ACME', 130),
    ])
    const own = rows.filter(row => row.cik === '1')
    expect(of(own, 'ACME', 'report_date', 'previous_units', 'historical_units')).toEqual([
      [R1, '0', ['100']],
      [R4, '100', ['130', '100']],
    ])
  })

  test('excludes rows of this date and later ones from an earlier computation', async () => {
    const own = [R1, R2, R3].map(date => {
      const { cusip, ...position } = holding(date, 'ACME', 55)
      return { ...position, historical_units: ['55'], first_buy: date }
    })
    const rows = await derived(
      'institution_positions',
      { from: R2, to: R2 },
      {
        institution_holdings: rowsAsSql([holding(R1, 'X', 1), holding(R2, 'ACME', 60), holding(R3, 'Y', 1)]),
        institution_positions: rowsAsSql(own),
      },
    )
    expect(of(rows, 'ACME', 'report_date', 'previous_units', 'historical_units', 'first_buy')).toEqual([
      [R2, '55', ['60', '55'], R1],
    ])
    expect(rows).toHaveLength(1)
  })
})

describe('a position', () => {
  test('is one of ticker, security type and put or call; its CUSIPs and amendments add up', async () => {
    const rows = await reported([
      holding(R1, 'ACME', 100, {
        cusip: 'B',
        full_name: 'Acme B',
        filing_date: '2023-05-10',
        value: '10.10',
      }),
      holding(R1, 'ACME', 20, { cusip: 'C', full_name: 'Acme C', filing_date: '2023-05-15', value: '5.05' }),
      holding(R1, 'ACME', 1, { cusip: 'A', full_name: null, filing_date: '2023-05-01', value: '1' }),
      holding(R1, 'ACME', 7, { security_type: 'Option', put_call: 'call', filing_date: '2023-05-02' }),
      holding(R1, 'ACME', 8, { security_type: 'Option', put_call: 'put', filing_date: '2023-05-03' }),
      holding(R2, 'ACME', 7, { security_type: 'Option', put_call: 'call', filing_date: '2023-08-02' }),
      holding(R2, 'BRASS', 7, { filing_date: '2023-08-09' }),
    ])
    const columns = ['report_date', 'filing_date', 'security_type', 'put_call', 'units', 'value', 'full_name']
    expect(of(rows, 'ACME', ...columns)).toEqual([
      [R1, '2023-05-02', 'Option', 'call', '7', '7.00', 'ACME Inc'],
      [R1, '2023-05-03', 'Option', 'put', '8', '8.00', 'ACME Inc'],
      [R1, '2023-05-01', 'Share', '', '1', '1.00', null],
      [R1, '2023-05-10', 'Share', '', '101', '11.10', 'Acme B'],
      [R1, '2023-05-15', 'Share', '', '121', '16.15', 'Acme B'],
      [R2, '2023-08-02', 'Option', 'call', '7', '7.00', 'ACME Inc'],
      // Closed: known from the report before, filed with the first part of this one.
      [R2, '2023-08-02', 'Option', 'put', '0', '0.00', 'ACME Inc'],
      [R2, '2023-08-02', 'Share', '', '0', '0.00', 'Acme B'],
      // Its share of the shares is 0 from then on; before, there were no shares.
      [R2, '2023-08-09', 'Share', '', '0', '0.00', 'Acme B'],
    ])
  })

  test('without units in this report and the previous one does not exist', async () => {
    const rows = await reported([holding(R1, 'ACME', 0), holding(R1, 'BRASS', 1), holding(R2, 'BRASS', 0)])
    expect(rows.map(row => [row.report_date, row.ticker, row.units])).toEqual([
      [R1, 'BRASS', '1'],
      [R2, 'BRASS', '0'],
    ])
  })

  test('has its share of the shares held and of the shares outstanding', async () => {
    const tickers = [
      { ticker: 'ACME', date: '2023-01-01', sector: 'Energy', shares_outstanding: 1 },
      { ticker: 'ACME', date: R1, full_name: 'Acme', sector: 'Technology', shares_outstanding: 800 },
      { ticker: 'ACME', date: '2023-04-01', sector: 'Utilities', shares_outstanding: 2 },
      { ticker: 'ZERO', date: R1, sector: null, shares_outstanding: 0 },
    ]
    const option = { security_type: 'Option', put_call: 'call' }
    const rows = await reported(
      [
        holding(R1, 'ACME', 300),
        holding(R1, 'ZERO', 100),
        holding(R1, '037833100', 80, { security_type: 'Debt' }),
        holding(R1, 'ACME', 600, option),
        holding(R2, 'ZERO', 5, option),
      ],
      { tickers },
    )
    const columns = ['security_type', 'sector', 'shares_outstanding', 'perc_of_share_value', 'perc_of_total']
    const shown = rows.map(row => [row.ticker, ...columns.map(column => row[column])])
    expect(shown).toEqual([
      ['037833100', 'Debt', null, null, null, null],
      ['ACME', 'Option', 'Technology', '800.00', null, null],
      // 300 of 400 dollars in shares, 300 of 800 shares outstanding.
      ['ACME', 'Share', 'Technology', '800.00', 0.75, 0.375],
      ['ZERO', 'Share', null, '0.00', 0.25, null],
      // The report after holds no shares at all: what was closed is no part of nothing.
      ['037833100', 'Debt', null, null, null, null],
      ['ACME', 'Option', 'Utilities', '2.00', null, null],
      ['ACME', 'Share', 'Utilities', '2.00', null, 0],
      ['ZERO', 'Option', null, '0.00', null, null],
      ['ZERO', 'Share', null, '0.00', null, null],
    ])
  })

  test('has no share of a total value of 0', async () => {
    const rows = await reported([holding(R1, 'ACME', 5, { value: 0 })])
    expect(of(rows, 'ACME', 'units', 'perc_of_share_value')).toEqual([['5', null]])
  })

  test('has the name of its ticker if no filing has one', async () => {
    const rows = await reported(
      [holding(R1, 'ACME', 1, { full_name: null }), holding(R1, 'OTHER', 1, { full_name: null })],
      {
        tickers: [{ ticker: 'ACME', date: R1, full_name: 'Acme by its ticker' }],
      },
    )
    expect(rows.map(row => row.full_name)).toEqual(['Acme by its ticker', null])
  })
})

describe('prices', () => {
  test('are at most 10 days older than the report date, and never later', async () => {
    const rows = await reported([holding(R1, 'ACME', 1), holding(R1, 'BRASS', 1), holding(R1, 'CEDAR', 1)], {
      closes: [
        closeAt('2023-03-21', 7),
        closeAt('2023-03-20', 8, 'BRASS'),
        closeAt('2023-04-01', 9, 'CEDAR'),
      ],
    })
    expect(rows.map(row => [row.ticker, row.close, row.price_first_buy, row.avg_price])).toEqual([
      ['ACME', '7.000000', '7.000000', '7.0000000000'],
      ['BRASS', null, null, null],
      ['CEDAR', null, null, null],
    ])
  })

  test('that are missing make the average unknown when units were bought, but not when units were sold', async () => {
    const bought = [10, 20, 15, 30, 0, 40]
    const holdings = bought.flatMap((units, index) => [
      holding(QUARTERS[index] ?? '', 'BRASS', 1),
      ...(units > 0 ? ['ACME', 'LATER'].map(ticker => holding(QUARTERS[index] ?? '', ticker, units)) : []),
    ])
    const rows = await reported(holdings, {
      closes: [
        closeAt(R1, 4),
        closeAt(R2, 8),
        closeAt('2024-06-28', 9),
        closeAt(R2, 8, 'LATER'),
        closeAt('2024-06-28', 9, 'LATER'),
      ],
    })
    // ACME: 10 at 4 and 10 at 8 average 6; 15 more at an unknown price: unknown until it is bought again.
    const averages = ['4.0000000000', '6.0000000000', '6.0000000000', null, null, '9.0000000000']
    expect(of(rows, 'ACME', 'avg_price').flat()).toEqual(averages)
    expect(of(rows, 'LATER', 'avg_price', 'price_first_buy')).toEqual([
      ...Array.from({ length: 5 }, () => [null, null]),
      ['9.0000000000', '9.000000'],
    ])
  })
})
