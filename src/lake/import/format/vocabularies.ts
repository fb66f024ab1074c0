import { literal, text } from '../../../engine/bind.ts'
import { shownValues } from '../../../market/enumeration.ts'
import { AnnounceTime, Category, IssueType, OptionType, Sector } from '../../../market/enumerations.ts'
import {
  CHAMBERS,
  NOTIFICATION_TYPES,
  REPORT_TYPES,
  SECURITY_TYPES,
  SYMBOL_TYPES,
} from '../../../market/vocabulary.ts'
import type { Column } from '../../store/schema.ts'

/** Columns whose texts are of a closed vocabulary: responses and filters have no others. */

export interface Vocabulary {
  readonly values: readonly string[]
  /** SQL of the value in the spelling of the API: from a text in any case and with other separators; else NULL. */
  readonly value: (x: string) => string
}

/** Values without other names. */
const spelled = (values: readonly string[]): Vocabulary => ({
  values,
  value: x => {
    const cases = values.map(value => `WHEN letters_of(${literal(text(value))}) THEN ${literal(text(value))}`)
    return `CASE letters_of(${x}) ${cases.join(' ')} END`
  },
})

/** Values with other names, which a macro of `sql/import/macros-vocabularies.sql` has. */
const named = (values: readonly string[], macro: string): Vocabulary => ({
  values,
  value: x => `${macro}(${x})`,
})

const callOrPut = named(shownValues(OptionType), 'call_or_put')

/** By the name of the column in every dataset that is imported. */
export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  option_type: callOrPut,
  // Empty for positions that are not in options.
  put_call: {
    values: [...callOrPut.values, ''],
    value: x => `CASE ${x} WHEN '' THEN '' ELSE ${callOrPut.value(x)} END`,
  },
  issue_type: named(shownValues(IssueType), 'issue_type_of'),
  sector: named(shownValues(Sector), 'sector_of'),
  er_time: spelled(shownValues(AnnounceTime)),
  security_type: spelled(SECURITY_TYPES),
  member_type: spelled(CHAMBERS),
  noti_type: spelled(NOTIFICATION_TYPES),
  symbol_type: spelled(SYMBOL_TYPES),
  report_type: spelled(REPORT_TYPES),
  category: spelled(shownValues(Category)),
}

/** The vocabulary of a column; null if it takes any text. */
export const vocabularyOf = ({ name, type }: Pick<Column, 'name' | 'type'>): Vocabulary | null =>
  type === 'VARCHAR' && Object.hasOwn(VOCABULARIES, name) ? (VOCABULARIES[name] ?? null) : null
