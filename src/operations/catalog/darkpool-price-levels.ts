import { ofTicker } from '../answering/example.ts'
import { dateOf, oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import { marketDate } from '../parameters/time.ts'

const level = from('price_levels')

const fields: OperationFields = {
  dating: ['price_levels'],
  parts: [
    {
      at: '',
      record: 'DarkpoolPriceLevels',
      fields: [
        level.made(
          'date',
          'date',
          'date',
          'the requested date; default: the last closed trading date',
          'none is requested and the lake has no trading date',
        ),
      ],
    },
    {
      at: 'data[]',
      record: 'DarkpoolPriceLevel',
      fields: [
        ...level.columns('string(dec)', 'price'),
        ...level.columns('integer', 'dark_pool_volume regular_volume'),
      ],
    },
  ],
  parameters: [level.made('ticker', 'string', 'ticker')],
}

export const darkpoolPriceLevels = operation({
  id: 'darkpool-price-levels',
  fields,
  examples: [ofTicker('price_levels', 'sum(dark_pool_volume)')],
  parameters: {
    ticker: inPath(ticker('The stock.')),
    date: marketDate,
  },
  plan: ({ ticker: stock, date }, snapshot) => ({
    ...oneDay(snapshot, 'price_levels', date, { ticker: [stock] }),
    envelope: [`{"date":${JSON.stringify(dateOf(snapshot, 'price_levels', date))},"data":[`, ']}'],
  }),
})
