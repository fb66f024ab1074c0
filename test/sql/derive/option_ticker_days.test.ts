import { expect, test } from 'vitest'
import { derivedFrom } from './option-tape.ts'
import type { Row } from './rows-as-sql.ts'

const row = (date: string, underlying_symbol: string, option_type: string, figures: Row): Row => ({
  date,
  underlying_symbol,
  option_symbol: `${underlying_symbol}${option_type}${figures.volume}`,
  option_type,
  ...figures,
})

const figures = (
  volume: number,
  open_interest: number | null,
  premium: number,
  ask: number,
  bid: number,
): Row => ({
  volume,
  open_interest,
  premium,
  ask_side_premium: ask,
  bid_side_premium: bid,
})

const optionTickerDays = (from: string, to: string, contract_days: readonly Row[]) =>
  derivedFrom('option_ticker_days', { from, to }, { contract_days })

const ACME = [
  row('2024-01-03', 'ACME', 'call', figures(10, 100, 1000, 600, 300)),
  row('2024-01-03', 'ACME', 'call', figures(3, null, 20.5, 20.5, 0)),
  row('2024-01-03', 'ACME', 'put', figures(5, 40, 400, 250, 70)),
  row('2024-01-03', 'ACME', 'put', figures(2, 7, 8, 0, 8)),
]

test('the contracts of an underlying add up by type, and the sides by what they bet on', async () => {
  expect(await optionTickerDays('2024-01-03', '2024-01-03', ACME)).toEqual([
    {
      date: '2024-01-03',
      ticker: 'ACME',
      volume: '20',
      call_volume: '13',
      put_volume: '7',
      call_open_interest: '100',
      put_open_interest: '47',
      premium: '1428.5000',
      call_premium: '1020.5000',
      put_premium: '408.0000',
      // Calls bought 620.50 and puts sold 78; calls sold 300 and puts bought 250.
      bullish_premium: '698.5000',
      bearish_premium: '550.0000',
    },
  ])
})

test('an underlying with contracts of one type has zeros for the other', async () => {
  const calls = [row('2024-01-03', 'ACME', 'call', figures(0, null, 0, 0, 0))]
  const puts = [row('2024-01-03', 'BRASS', 'put', figures(4, 9, 100, 60, 40))]
  expect(await optionTickerDays('2024-01-03', '2024-01-03', [...calls, ...puts])).toMatchObject([
    {
      ticker: 'ACME',
      volume: '0',
      call_open_interest: '0',
      put_volume: '0',
      put_open_interest: '0',
      put_premium: '0.0000',
    },
    {
      ticker: 'BRASS',
      call_volume: '0',
      call_open_interest: '0',
      call_premium: '0.0000',
      bullish_premium: '40.0000',
    },
  ])
})

test('several days at once are those of the span, each by itself', async () => {
  const of = (date: string, volume: number) => row(date, 'ACME', 'call', figures(volume, 1, 1, 1, 0))
  const days = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'].map((date, place) =>
    of(date, 2 ** place),
  )
  const rows = await optionTickerDays('2024-01-03', '2024-01-04', days)
  expect(rows.map(each => [each.date, each.volume])).toEqual([
    ['2024-01-03', '2'],
    ['2024-01-04', '4'],
  ])
})
