import { busiestContracts } from '../answering/example.ts'
import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { optionSymbol } from '../parameters/market.ts'
import { marketDate } from '../parameters/time.ts'

const trade = from('option_trades')
const FLOOR = 'slft, mlft, mfsl, tlft or tfsl'
const CROSS = 'slcn, slci, mlct or tlct'
const kind = (name: string, codes: string) =>
  trade.made(
    name,
    'integer',
    'size upstream_condition_detail',
    `sum of sizes where the condition is ${codes}`,
  )

const fields: OperationFields = {
  dating: ['option_trades'],
  parts: [
    {
      at: 'data[]',
      record: 'OptionVolumeProfileRow',
      fields: [
        ...trade.columns('string(dec)', 'price'),
        ...trade.columns('date', 'date'),
        trade.made(
          'volume',
          'integer',
          'size canceled',
          'sum without canceled trades, as in all following fields',
        ),
        trade.made('transactions', 'integer', 'id', 'number of trades'),
        trade.made('ask_vol', 'integer', 'ask_vol', 'sum'),
        trade.made('bid_vol', 'integer', 'bid_vol', 'sum'),
        trade.made('mid_vol', 'integer', 'mid_vol', 'sum'),
        kind('cross_vol', CROSS),
        kind('floor_vol', FLOOR),
        kind('sweep_vol', 'isoi'),
        trade.made('multi_vol', 'integer', 'multi_vol', 'sum'),
      ],
    },
  ],
  parameters: [trade.made('id', 'string', 'option_chain_id')],
}

export const contractVolumeProfile = operation({
  id: 'contract-volume-profile',
  fields,
  examples: [busiestContracts],
  parameters: {
    id: inPath(optionSymbol('The contract.')),
    date: marketDate,
  },
  plan: ({ id, date }, snapshot) => oneDay(snapshot, 'option_trades', date, { option_chain_id: [id] }),
})
