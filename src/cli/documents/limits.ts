import { operations } from '../../operations/index.ts'
import { table } from './markdown.ts'
import { defaultOf, limitOf } from './values.ts'

/** Limits that are not those of one number. */
const OTHERS = [
  ['all', 'numbers', 'at most 38 digits, an exponent of at most ±18', ''],
  ['all with `page`', 'records before a page', 'at most 1,000,000', ''],
  ['all with `ticker_symbol` or `ticker_symbols`', 'tickers', 'at most 200', ''],
  [
    '`alerts`',
    'time window',
    'with only `newer_than`, the 14 days after it; with only `older_than`, the 14 days before it; with both, the 14 days before `older_than`',
    'the last 14 days',
  ],
  ['`analytics-window`', '`symbols`', 'at most 50', ''],
  ['`analytics-window`', '`calculations`', 'at most 50', ''],
  ['`institution-holdings`', '`historical_units` of a record', 'at most 8 entries', ''],
]

/** The limits of the operations: of integers with bounds of their own, and of what is no number. */
export function limitsTable(): string {
  const bounded = operations.flatMap(({ id, parameters }) =>
    Object.entries(parameters).flatMap(([name, parameter]) => {
      const limit = limitOf(parameter)
      return limit === null ? [] : [[`\`${id}\``, `\`${name}\``, limit, defaultOf(parameter)]]
    }),
  )
  return table(['Operation', 'What', 'Limit', 'Default'], [...OTHERS, ...bounded])
}
