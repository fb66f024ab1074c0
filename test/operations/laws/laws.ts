import { boundsLaw, choicesLaw, combinedLaw, flagsLaw, valuesLaw } from './filter-laws.ts'
import { formatsLaw } from './format-law.ts'
import type { Law } from './law.ts'
import { listsLaw, tickersLaw } from './list-laws.ts'
import { absentLaw, notationLaw, subjectLaw } from './notation-laws.ts'
import { orderLaw } from './order-law.ts'
import { pagesLaw, prefixLaw } from './paging-laws.ts'
import { presetLaw } from './preset-law.ts'
import { daysLaw, momentsLaw } from './time-laws.ts'

export const LAWS: readonly Law[] = [
  valuesLaw,
  boundsLaw,
  flagsLaw,
  choicesLaw,
  listsLaw,
  tickersLaw,
  combinedLaw,
  presetLaw,
  orderLaw,
  prefixLaw,
  pagesLaw,
  momentsLaw,
  daysLaw,
  absentLaw,
  notationLaw,
  subjectLaw,
  formatsLaw,
]
