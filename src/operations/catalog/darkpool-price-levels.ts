import { dateOf, oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import { marketDate } from '../parameters/time.ts'

export const darkpoolPriceLevels = operation({
  id: 'darkpool-price-levels',
  path: '/api/darkpool/{ticker}/price-levels',
  summary: 'Volume on and off exchange at each price of a day',
  description:
    'One level a price, rounded to the cent, ascending; volumes are in shares. `dark_pool_volume` was traded off exchange (FINRA TRF), `regular_volume` everywhere else. `date` is the day that the levels are of; rows in other forms than JSON do not repeat it.',
  parameters: {
    ticker: inPath(ticker('The stock.')),
    date: marketDate,
  },
  plan: ({ ticker: stock, date }, snapshot) => ({
    ...oneDay(snapshot, 'price_levels', date, { ticker: [stock] }),
    envelope: [`{"date":${JSON.stringify(dateOf(snapshot, 'price_levels', date))},"data":[`, ']}'],
  }),
})
