import { shownValues } from './enumeration.ts'
import { Category } from './enumerations.ts'

/** Prediction markets: the categories of a question, and the tags of a position that looks informed. */

export const PREDICTION_CATEGORIES = shownValues(Category)

/** The weight of each tag. A position's score is the sum of its tags' weights. */
export const PREDICTION_TAGS = [
  { tag: 'contrarian_whales', score: '2.5' },
  { tag: 'momentum', score: '1.0' },
  { tag: 'closing_soon', score: '1.5' },
  { tag: 'insider_trades', score: '3.0' },
  { tag: 'smart_money', score: '2.0' },
] as const
