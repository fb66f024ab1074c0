import { shownValues } from '../../../src/market/enumeration.ts'
import { Category } from '../../../src/market/enumerations.ts'
import { column, latestOf } from '../column.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Value } from '../parquet.ts'
import { shownColumns } from '../shown.ts'
import { timeText } from '../time.ts'

const FIELDS = `asset_id user_address question outcome category avg_price current_price pnl_percent
  total_invested_usd invested_zscore n_positions days_since_first_trade days_since_first_trade_overall image tags
  tags_score`

/** The weights that docs/operations.md shows. */
const TAGS = [
  { tag: 'contrarian_whales', score: '2.5' },
  { tag: 'momentum', score: '1.0' },
  { tag: 'closing_soon', score: '1.5' },
  { tag: 'insider_trades', score: '3.0' },
  { tag: 'smart_money', score: '2.0' },
]

export function answer(lake: Lake): unknown {
  const positions = lake.rows('prediction_positions')
  const date = latestOf(positions, 'date')
  const highestFirst = ordered(
    lake.find('prediction_positions', { date }),
    descending(column('tags_score')),
    ascending(column('asset_id')),
    ascending(column('user_address')),
  )
  return {
    data: {
      categories: shownValues(Category),
      tag_info: TAGS,
      data: highestFirst.map(row => ({
        ...shownColumns(row, FIELDS),
        first_trade_at: milliseconds(row.first_trade_at),
        created_at: milliseconds(row.created_at),
        resolves: milliseconds(row.resolves),
      })),
    },
  }
}

const milliseconds = (time: Value | undefined): string | null =>
  typeof time === 'bigint' ? timeText(time, 3) : null
