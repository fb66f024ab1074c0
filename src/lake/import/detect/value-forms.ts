import type { ColumnRule } from '../layout/layout.ts'
import { isSameClock, type Moment, momentsOf } from './moments.ts'

/** What the values of a column are. `clock` is a time of day without a date, `contract` an option in OSI notation. */
export type ValueKind =
  | 'date'
  | 'time'
  | 'clock'
  | 'number'
  | 'contract'
  | 'pair'
  | 'ticker'
  | 'text'
  | 'nothing'

/** What the values of a column are, as conversions of a rule, and what they leave open. */
export interface ValueForm {
  readonly kind: ValueKind
  readonly conversions: Pick<ColumnRule, 'date' | 'time' | 'number' | 'null'>
  readonly questions: readonly string[]
  /** What they are, with one of them, for questions. */
  readonly description: string
  /** The values of a column of few words; otherwise empty. */
  readonly words: readonly string[]
  /** The form of times of day. */
  readonly clock?: string
}

const PLAIN = /^-?\d*\.?\d+([eE][-+]?\d+)?$/
const US = /^\(?[-+]?\$?[-+]?(\d+|\d{1,3}(,\d{3})+)?(\.\d*)? ?([KMB]|%)?\)?$/i
const EU = /^[-+]?(\d+|\d{1,3}([. ]\d{3})+)(,\d+)?( ?[%€]|[KMB])?$/i

const TEXTS: readonly { readonly kind: ValueKind; readonly pattern: RegExp }[] = [
  { kind: 'contract', pattern: /^(O:)?[A-Z0-9]{1,6} *\d{6}[CP]\d{8}$/ },
  { kind: 'pair', pattern: /^[A-Z0-9]{2,10}[-/_](?!\d)[A-Z0-9]{3,5}$/ },
  { kind: 'ticker', pattern: /^[A-Z][A-Z0-9]{0,9}([.-][A-Z]{1,4})?$/ },
]

const MISSING = /^(-+|\.|n\/?a|none|null|nan|nil)$/i

/** A longer text is no number. Patterns with groups of digits fail for texts of many megabytes. */
const NUMBER_CHARACTERS = 1000
/** A column with more values is not one of a few words. */
const WORDS_MAX = 12

/** The form of the values of a column. `name` is the column's name, for questions. */
export function formOf(name: string, values: readonly string[]): ValueForm {
  const missing = [...new Set(values.filter(value => MISSING.test(value)))]
  const known = values.filter(value => !MISSING.test(value))
  const none = missing.length === 0 ? {} : { null: missing }
  const [example = ''] = known
  const words = [...new Set(known)]
  const form = (
    kind: ValueKind,
    conversions: ValueForm['conversions'],
    questions: readonly string[] = [],
  ) => ({
    kind,
    conversions: { ...none, ...conversions },
    questions,
    words: kind === 'text' && words.length <= WORDS_MAX ? words : [],
    description: kind === 'nothing' ? 'no values' : `${kind}s such as ${shortened(example)}`,
  })
  if (known.length === 0) return form('nothing', {})
  const moments = momentsOf(known)
  const [moment] = moments
  if (moment !== undefined) {
    const isDay = moment.hasDate && (!moment.hasClock || (!moment.hasZone && isSameClock(known)))
    const kind = !moment.hasDate ? 'clock' : isDay ? 'date' : 'time'
    const found = form(kind, conversionOf(moment, kind, known), questionsOf(name, moments, kind, known))
    return kind === 'clock' ? { ...found, clock: moment.form } : found
  }
  const all = (pattern: RegExp) =>
    known.every(value => value.length <= NUMBER_CHARACTERS && /\d/.test(value) && pattern.test(value))
  if (all(PLAIN)) return form('number', {})
  if (all(EU) && known.some(value => value.includes(','))) return form('number', { number: 'eu' })
  if (all(US)) return form('number', { number: 'us' })
  const texts = TEXTS.find(({ pattern }) => known.every(value => pattern.test(value)))
  return form(texts?.kind ?? 'text', {})
}

function conversionOf(
  { form }: Moment,
  kind: ValueKind,
  values: readonly string[],
): Pick<ColumnRule, 'date' | 'time'> {
  if (kind === 'clock') return {}
  if (kind === 'time') return { time: form }
  const isPlain = form === '%Y-%m-%d' && values.every(value => value.length === 10)
  return isPlain ? {} : { date: form }
}

function questionsOf(
  name: string,
  moments: readonly Moment[],
  kind: ValueKind,
  [example = '']: readonly string[],
): readonly string[] {
  const dayFirst = moments.find(({ form }) => form.startsWith('%d') && !form.includes('%b'))
  const monthFirst = moments.find(({ form }) => form.startsWith('%m'))
  const order =
    dayFirst === undefined || monthFirst === undefined
      ? []
      : [
          `Is ${name} month first (${monthFirst.form}) or day first (${dayFirst.form})? ${example} may be both.`,
        ]
  const [moment] = moments
  const zone =
    kind === 'time' && moment?.hasZone === false
      ? [`In which time zone is ${name}? Set "zone" of its rule, such as "America/New_York" or "UTC".`]
      : []
  return [...order, ...zone]
}

const SHOWN = 30

const shortened = (value: string) => {
  const line = value.replace(/\s+/g, ' ')
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
