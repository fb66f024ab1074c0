import { date } from '../../engine/bind.ts'
import { operation } from '../answering/operation.ts'
import { InvalidRequest } from '../answering/validate.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

export const etfInfo = operation({
  id: 'etf-info',
  path: '/api/etfs/{ticker}/info',
  summary: 'What is known of an ETF, and how much of it was traded',
  description:
    "The fund as it is known on the last trading date that the lake holds for stocks (of a fund that it knows from later on only, as it is known first), and that day's volume of its shares and options. `expense_ratio` is in percent a year, `aum` in dollars; `avg30_volume` is the mean of the last 30 days. What the lake does not know is null: figures of a stock without a bar on that day, of options that it does not hold. A ticker that is no known ETF is refused.",
  parameters: { ticker: inPath(ticker('The ETF.', 'SPY')) },
  plan: ({ ticker: fund }, snapshot) => {
    // A lake without stocks shows its funds all the same.
    const day = snapshot.lastDate('stock_days') ?? snapshot.lastDate('etfs')
    const keys = { ticker: [fund] }
    const ofDay = day === null ? null : { from: day, to: day, keys }
    return {
      reads: {
        etfs: day === null ? null : { keys },
        stock_days: ofDay,
        option_ticker_days: ofDay,
      },
      bindings: { date: date(day) },
    }
  },
  missing: ({ ticker: fund }) =>
    new InvalidRequest([
      {
        in: 'path',
        name: 'ticker',
        problem: `is ${fund}, which is no ETF that the lake knows`,
        example: 'ticker=SPY',
      },
    ]),
})
