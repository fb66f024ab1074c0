import { CHAMBERS } from '../../market/vocabulary.ts'
import { among, type Field, from } from './notation.ts'

const congress = from('congress_trades')

/** The record that both operations on trades of members of Congress answer with. */
export const congressTrade: readonly Field[] = [
  ...congress.columns('string(UUID)', 'politician_id'),
  ...congress.columns('string', 'name reporter'),
  ...among(CHAMBERS, ...congress.columns('string', 'member_type')),
  ...congress.columns('boolean', 'is_active'),
  ...congress.columns('string', 'issuer', 'the filing does not state it'),
  ...congress.columns('string', 'ticker', 'the filing names none'),
  ...congress.columns('string', 'txn_type amounts'),
  ...congress.columns('date', 'transaction_date filed_at_date'),
  ...congress.columns('string', 'notes', 'the filing has none'),
]
