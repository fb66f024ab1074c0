import { describe, expect, test } from 'vitest'
import { closeAt, holding, of, R1, R2, R3, R4, reported } from './reported-positions.ts'
import type { Row } from './rows-as-sql.ts'

const split = (date: string, new_shares: number, old_shares: number, ticker = 'ACME') => ({
  ticker,
  date,
  new_shares,
  old_shares,
})

const OPTION = { security_type: 'Option', put_call: 'call' }

/** Report date, units, previous units and change of ACME. */
const changes = (rows: readonly Row[]) =>
  of(rows, 'ACME', 'report_date', 'units', 'previous_units', 'units_change')

describe('a first report', () => {
  test('has no change, whatever it holds and whoever reported before', async () => {
    const other = { cik: '2' }
    const rows = await reported([
      holding(R1, 'ACME', 100),
      holding(R2, 'ACME', 70),
      holding(R2, 'BRASS', 5),
      holding(R2, 'ACME', 900, other),
      holding(R3, 'ACME', 901, other),
    ])
    expect(rows.map(row => [row.cik, row.report_date, row.ticker, row.units_change])).toEqual(
      [
        ['1', R1, 'ACME', '0'],
        ['1', R2, 'ACME', '-30'],
        ['2', R2, 'ACME', '0'],
        // New in the second report: bought.
        ['1', R2, 'BRASS', '5'],
        ['2', R3, 'ACME', '1'],
      ].toSorted((a, b) => (`${a[1]} ${a[0]} ${a[2]}` < `${b[1]} ${b[0]} ${b[2]}` ? -1 : 1)),
    )
  })

  test('is not the one after a gap, nor the one after everything was sold', async () => {
    const rows = await reported([
      holding(R1, 'ACME', 100),
      holding(R2, 'ACME', 0),
      // Nothing for the third quarter.
      holding(R4, 'ACME', 60),
    ])
    expect(changes(rows)).toEqual([
      [R1, '100', '0', '0'],
      [R2, '0', '100', '-100'],
      [R4, '60', '0', '60'],
    ])
  })
})

describe('a split between two reports', () => {
  test('is no change: 4:1 of a position that was kept', async () => {
    const rows = await reported([holding(R1, 'ACME', 233_046_662), holding(R2, 'ACME', 932_186_648)], {
      splits: [split('2023-05-20', 4, 1)],
    })
    expect(of(rows, 'ACME', 'units', 'previous_units', 'units_change', 'historical_units')).toEqual([
      ['233046662', '0', '0', ['233046662']],
      ['932186648', '932186648', '0', ['932186648', '932186648']],
    ])
  })

  test('counts from its day on: with a report of that day, and not after one of it', async () => {
    const held = [holding(R1, 'ACME', 10), holding(R2, 'ACME', 40)]
    const change = async (date: string) =>
      (await reported(held, { splits: [split(date, 4, 1)] })).at(-1)?.units_change
    expect(await change(R2)).toBe('0')
    expect(await change('2023-07-01')).toBe('30')
    expect(await change(R1)).toBe('30')
    expect(await change('2023-04-01')).toBe('0')
  })

  test('of another ticker, or without shares, changes nothing', async () => {
    const rows = await reported([holding(R1, 'ACME', 10), holding(R2, 'ACME', 40)], {
      splits: [split('2023-05-20', 4, 1, 'BRASS'), split('2023-05-21', 0, 1), split('2023-05-22', 1, 0)],
    })
    expect(changes(rows)[1]).toEqual([R2, '40', '10', '30'])
  })

  test('that merges shares has fewer, without the fraction that is paid out in cash', async () => {
    const held = (units: number) =>
      reported([holding(R1, 'ACME', 256), holding(R2, 'ACME', units)], {
        splits: [split('2023-05-20', 1, 10)],
      })
    expect(changes(await held(25))[1]).toEqual([R2, '25', '25', '0'])
    expect(changes(await held(30))[1]).toEqual([R2, '30', '25', '5'])
    expect(changes(await held(0))[1]).toEqual([R2, '0', '25', '-25'])
    // Nothing is left of 9 shares, and 2 are not a new position.
    const few = await reported([holding(R1, 'ACME', 9), holding(R2, 'ACME', 2)], {
      splits: [split('2023-05-20', 1, 10)],
    })
    expect(of(few, 'ACME', 'units', 'previous_units', 'units_change', 'first_buy')[1]).toEqual([
      '2',
      '0',
      '2',
      R1,
    ])
  })

  test('multiplies with others, and with those of a quarter without a report', async () => {
    const rows = await reported(
      [
        holding(R1, 'ACME', 100),
        holding(R1, 'BRASS', 1),
        holding(R3, 'ACME', 160),
        holding(R3, 'BRASS', 1),
        holding(R4, 'BRASS', 1),
        holding('2024-03-31', 'ACME', 500),
      ],
      {
        splits: [
          split('2023-05-20', 3, 1),
          split('2023-08-20', 1, 2),
          // While nothing was held.
          split('2024-02-20', 10, 1),
        ],
      },
    )
    expect(of(rows, 'ACME', 'report_date', 'units', 'units_change', 'historical_units')).toEqual([
      [R1, '100', '0', ['100']],
      [R3, '160', '10', ['160', '150']],
      [R4, '0', '-160', ['0', '160', '150']],
      ['2024-03-31', '500', '500', ['500', '0', '1600', '1500']],
    ])
  })

  test('is one of options, which count the shares under them, and of funds, but not of other securities', async () => {
    const types = [
      ['Debt', '', '0'],
      ['Fund', '', '-7'],
      ['Option', 'call', '-7'],
      ['Option', 'put', '-7'],
      ['Preferred', '', '0'],
      ['Share', '', '-7'],
      ['Warrant', '', '0'],
    ]
    const all = types.map(([security_type, put_call]) => ({ security_type, put_call }))
    const rows = await reported(
      [...all.map(type => holding(R1, 'ACME', 7, type)), ...all.map(type => holding(R2, 'ACME', 7, type))],
      { splits: [split('2023-05-20', 2, 1)] },
    )
    expect(rows.slice(7).map(row => [row.security_type, row.put_call, row.units_change])).toEqual(types)
  })
})

describe('prices before a split', () => {
  const closes = [closeAt(R1, 80), closeAt(R2, 25), closeAt(R3, 26), closeAt(R4, 3)]

  test('are on the basis of the report, with what was bought since', async () => {
    const rows = await reported(
      [
        holding(R1, 'ACME', 100),
        holding(R2, 'ACME', 500),
        holding(R3, 'ACME', 450),
        holding(R4, 'ACME', 4500),
      ],
      { closes, splits: [split('2023-05-20', 4, 1), split('2023-11-20', 10, 1)] },
    )
    // 100 at 80 are 400 at 20; with 100 at 25 the average is 21; then everything ten for one.
    expect(of(rows, 'ACME', 'units_change', 'close', 'price_first_buy', 'avg_price')).toEqual([
      ['0', '80.000000', '80.000000', '80.0000000000'],
      ['100', '25.000000', '20.000000', '21.0000000000'],
      ['-50', '26.000000', '20.000000', '21.0000000000'],
      ['0', '3.000000', '2.000000', '2.1000000000'],
    ])
  })

  test('are prices of the ticker for every type of security, rounded half to even', async () => {
    const debt = { security_type: 'Debt' }
    const rows = await reported(
      [
        holding(R1, 'ACME', 100, debt),
        holding(R2, 'ACME', 200, debt),
        holding(R1, 'ACME', 7, OPTION),
        holding(R2, 'ACME', 55, OPTION),
      ],
      { closes: [closeAt(R1, 100.000004), closeAt(R2, 12)], splits: [split('2023-05-20', 8, 1)] },
    )
    // 100.000004 / 8 = 12.5000005: as a price 12.500000, exact as an average.
    expect(of(rows, 'ACME', 'security_type', 'price_first_buy', 'avg_price').slice(2)).toEqual([
      // 100 at 12.5000005 and 100 at 12.
      ['Debt', '12.500000', '12.2500002500'],
      // 56 became 55.
      ['Option', '12.500000', '12.5000005000'],
    ])
  })

  test('of several purchases are averaged exactly, rounded once, half to even', async () => {
    const rows = await reported([holding(R1, 'ACME', 3), holding(R2, 'ACME', 7)], {
      closes: [closeAt(R1, 600_000.123457), closeAt(R2, 600_001)],
    })
    // (3 × 600,000.123457 + 4 × 600,001) / 7 = 4,200,004.370371 / 7 = 600,000.62433871428…
    expect(of(rows, 'ACME', 'avg_price')[1]).toEqual(['600000.6243387143'])
  })
})
