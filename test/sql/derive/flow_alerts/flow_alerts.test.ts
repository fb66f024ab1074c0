import { expect, test } from 'vitest'
import { derived } from '../../../fixtures/derive.ts'
import { burst, DAY, type Fill, fill, MILLISECOND, tickersSql, tradesSql, uuid } from './flow-trades.ts'

/** What an alert's row says, worked out by hand. */

const floor = (given: Partial<Fill> & { contract: string }) =>
  fill({ detail: 'slft', premium: 50_000, ...given })

async function rowsOf(fills: readonly Fill[], tickers?: string) {
  const rows = await derived(
    'flow_alerts',
    { from: DAY, to: DAY },
    { option_trades: tradesSql(fills), ...(tickers && { tickers }) },
  )
  return new Map(rows.map(row => [row.option_chain as string, row]))
}

test('A row describes the trades of the alert', async () => {
  const given = {
    contract: 'AAA240119P00090000',
    type: 'put',
    strike: 90,
    size: 10,
    openInterest: 60,
  } as const
  const fills = burst([2, 2, 2.5, 2.5, 3, 3.5], 10 * MILLISECOND, given).map((each, index) => ({
    ...each,
    id: 1001 + index,
    volume: 100 + 10 * (index + 1),
    underlying: 100 - index,
    side: (['ask', 'ask', 'bid', 'mid', 'ask', 'bid'] as const)[index] ?? 'mid',
    detail: index === 2 ? 'isoi' : 'auto',
    iv: 0.3 + index / 100,
  }))
  const tickers = tickersSql([
    { ticker: 'AAA', date: '2024-01-01', marketcap: 1_234_567_890.12, earnings: '2024-01-25' },
  ])
  expect([...(await rowsOf(fills, tickers)).values()]).toEqual([
    {
      // python3: uuid5(uuid5(NAMESPACE_URL, 'tapehouse:flow_alerts'), 'RepeatedHitsAscendingFill AAA240119P00090000 '
      // + ' '.join('00000000-0000-4000-8000-%012d' % n for n in range(1001, 1007)))
      id: '4361af05-02a6-5c25-b3ce-5135d51dea3f',
      date: '2024-01-03',
      alert_rule: 'RepeatedHitsAscendingFill',
      created_at: '2024-01-03 15:00:00.05',
      start_time: '2024-01-03 15:00:00',
      ticker: 'AAA',
      option_chain: 'AAA240119P00090000',
      type: 'put',
      strike: '90.000',
      expiry: '2024-01-19',
      expiry_count: 1,
      dte: 16,
      issue_type: 'ETF',
      price: '3.5000',
      bid: '3.4000',
      ask: '3.6000',
      underlying_price: '95.0000',
      diff: '0.0526315789', // −(90 − 95) / 95 = 1 / 19
      open_interest: '60',
      volume: '160',
      volume_oi_ratio: '2.6666666667', // 160 / 60
      total_size: '60',
      trade_count: 6,
      total_premium: '15500.0000', // 10 contracts × 100 × (2 + 2 + 2.5 + 2.5 + 3 + 3.5)
      total_ask_side_prem: '7000.0000', // 1,000 × (2 + 2 + 3)
      total_bid_side_prem: '6000.0000', // 1,000 × (2.5 + 3.5)
      all_opening_trades: true, // the first: 10 > 60 − (110 − 10), the later ones the more
      has_floor: false,
      has_sweep: true,
      has_multileg: false,
      has_singleleg: true,
      iv_start: '0.3000000000',
      iv_end: '0.3500000000',
      marketcap: '1234567890.12',
      sector: 'Energy',
      next_earnings_date: '2024-01-25',
      er_time: 'premarket',
      ex_dividend_date: '2024-02-01',
      trade_ids: fills.map(each => uuid(each.id)),
      ask_perc: '0.4516129032', // 7,000 / 15,500 = 14 / 31
      bid_perc: '0.3870967742', // 6,000 / 15,500 = 12 / 31
      iv_change: '0.1666666667', // 0.05 / 0.3
      size_vol_ratio: '0.3750000000', // 60 / 160
      spread: '0.0571428571', // (3.6 − 3.4) / 3.5 = 2 / 35
      leading_side: 'ask',
      bull_perc: '0.3870967742', // a put: the bid
      bear_perc: '0.4516129032',
      skew: '0.4516129032',
      days_between_expiry_and_earnings: -6, // 19 to 25 January
    },
  ])
})

test('All trades open where each size exceeds what is left of open interest; an unknown one is 0', async () => {
  const cases: [string, Partial<Fill>, boolean][] = [
    // 10 > 50 − (60 − 10) = 0; 10 > 60 − 50 = 10 fails; 10 > 59 − 50 = 9 holds
    ['after volume', { size: 10, volume: 60, openInterest: 50 }, true],
    ['as large', { size: 10, volume: 60, openInterest: 60 }, false],
    ['one larger', { size: 10, volume: 60, openInterest: 59 }, true],
    ['no interest', { size: 1, volume: 1, openInterest: 0 }, true],
    ['unknown interest', { size: 1, volume: 1, openInterest: null }, true],
  ]
  const run = (contract: string, openInterest: number) =>
    burst([1, 1, 1, 1, 1, 1], 0, { contract, size: 20, openInterest }).map((each, index) => ({
      ...each,
      volume: 20 * (index + 1),
    }))
  const rows = await rowsOf([
    ...cases.map(([contract, given]) => floor({ ...given, contract })),
    ...run('run', 19), // the first: 20 > 19 − 0
    ...run('run with a closing start', 20), // the first: 20 > 20 − 0 fails, the others hold
  ])
  expect(Object.fromEntries([...rows].map(([contract, row]) => [contract, row.all_opening_trades]))).toEqual({
    ...Object.fromEntries(cases.map(([contract, , opening]) => [contract, opening])),
    run: true,
    'run with a closing start': false,
  })
})

test('Volume to open interest takes an open interest of 0, or an unknown one, as 1', async () => {
  const rows = await rowsOf([
    floor({ contract: 'none', volume: 8, openInterest: 0 }),
    floor({ contract: 'unknown', volume: 8, openInterest: null }),
    floor({ contract: 'one', volume: 8, openInterest: 1 }),
    floor({ contract: 'three', volume: 8, openInterest: 3 }),
  ])
  const shown = Object.fromEntries(
    [...rows].map(([name, row]) => [name, [row.open_interest, row.volume_oi_ratio]]),
  )
  expect(shown).toEqual({
    none: ['0', '8.0000000000'],
    unknown: [null, '8.0000000000'],
    one: ['1', '8.0000000000'],
    three: ['3', '2.6666666667'],
  })
})

test('Volume is the running one after the alert, whatever the order of its trades at one instant', async () => {
  const fills = burst([1, 1, 1, 1, 1, 1], 0, { contract: 'AAA', size: 20 }).map((each, index) => ({
    ...each,
    volume: [40, 120, 20, 60, 100, 80][index] ?? 0,
  }))
  expect((await rowsOf(fills)).get('AAA')).toMatchObject({ volume: '120', total_size: '120' })
})

test('Distance from the money is positive out of it, for puts as well, and unknown without a price', async () => {
  const rows = await rowsOf([
    floor({ contract: 'call', strike: 110, underlying: 80 }), // 30 / 80
    floor({ contract: 'put', strike: 110, underlying: 80, type: 'put' }),
    floor({ contract: 'no price', underlying: null }),
    floor({ contract: 'price of 0', underlying: 0 }),
    floor({ contract: 'beyond the column', strike: 1_000_000, underlying: 0.0001 }),
  ])
  expect(Object.fromEntries([...rows].map(([name, row]) => [name, row.diff]))).toEqual({
    call: '0.3750000000',
    put: '-0.3750000000',
    'no price': null,
    'price of 0': null,
    'beyond the column': null,
  })
})

test('A multi-leg floor trade counts the expiries of its whole order, without canceled legs', async () => {
  const rows = await rowsOf([
    floor({ contract: 'leg', multi: true, order: 7, detail: 'mlft' }),
    fill({ contract: 'same expiry', multi: true, order: 7 }),
    fill({ contract: 'later', expiry: '2024-02-16', multi: true, order: 7 }),
    fill({ contract: 'latest', expiry: '2024-03-15', multi: true, order: 7 }),
    fill({ contract: 'canceled', expiry: '2024-04-19', multi: true, order: 7, canceled: true }),
    fill({ contract: 'other order', expiry: '2024-05-17', multi: true, order: 8 }),
    fill({ contract: 'no order', expiry: '2024-06-21' }),
    floor({ contract: 'single' }),
  ])
  const shown = [...rows].map(([name, row]) => [name, row.expiry_count, row.has_multileg, row.has_singleleg])
  expect(shown.sort()).toEqual([
    ['leg', 3, true, false],
    ['single', 1, false, true],
  ])
})

test('Rows of other days in the files change nothing', async () => {
  const own = [...burst([1, 1, 1, 1, 1, 1], 0, { contract: 'run', size: 20 }), floor({ contract: 'floor' })]
  const others = ['2024-01-02', '2024-01-04'].flatMap(date => [
    ...burst([1, 1, 1, 1, 1, 1], 0, { contract: 'run', size: 20, date }),
    floor({ contract: 'floor', date }),
  ])
  expect(await rowsOf([...own, ...others])).toEqual(await rowsOf(own))
  expect([...(await rowsOf(others)).values()]).toEqual([])
})
