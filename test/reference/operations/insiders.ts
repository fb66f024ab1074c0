import { column } from '../column.ts'
import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Request } from '../request.ts'
import { tickerOf } from '../rows.ts'
import { shownColumns } from '../shown.ts'

const FIELDS = 'id cik name display_name name_slug is_person logo_url social_links ticker'

export function answer(lake: Lake, request: Request): unknown {
  const insiders = lake.find('insiders', { ticker: tickerOf(request) })
  const byName = ordered(insiders, ascending(column('name')), ascending(column('cik')))
  return { data: byName.map(row => shownColumns(row, FIELDS)) }
}
