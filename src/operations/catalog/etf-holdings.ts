import { date } from '../../engine/bind.ts'
import { readTemplate } from '../../engine/template.ts'
import { addDays } from '../../market/day.ts'
import { lookBack, settleLookBack } from '../answering/look-back.ts'
import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

/** Funds list their holdings daily or monthly as a rule. */
const LIST_DAYS = 45

export const etfHoldings = operation({
  id: 'etf-holdings',
  path: '/api/etfs/{ticker}/holdings',
  summary: 'Holdings of an ETF with the figures of their day',
  description:
    "The fund's latest list, heaviest first. `weight` is in percent of the fund, `shares` are rounded to whole units, half to even; `ticker` is empty for cash and the like. Prices, volumes and premiums in dollars are those of the last trading date that the lake holds for stocks, null where it holds none of the holding; `bullish_premium` is the ask-side premium of calls plus the bid-side premium of puts, `bearish_premium` the reverse.",
  parameters: { ticker: inPath(ticker('The ETF.', 'SPY')) },
  plan: (values, snapshot) => {
    const last = snapshot.lastDate('etf_holdings')
    const from = last === null ? null : addDays(last, -LIST_DAYS)
    const lists = lookBack(values, snapshot, 'etf_holdings', { keys: { etf: [values.ticker] } }, from)
    const day = snapshot.lastDate('stock_days') ?? last
    const ofDay = day === null ? null : { from: day, to: day }
    return {
      reads: { etf_holdings: lists.selection, stock_days: ofDay, option_ticker_days: ofDay },
      bindings: { date: date(day) },
      resolved: lists.resolved,
    }
  },
  settle: settleLookBack(
    () => readTemplate('etf-holdings'),
    () => 1,
  ),
})
