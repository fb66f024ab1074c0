import type { ColumnRule } from '../layout/layout.ts'

/** Forms of dates and times, and a pattern of the texts that each reads. */
const MOMENTS: readonly { readonly form: string; readonly pattern: RegExp; readonly isTime: boolean }[] = [
  { form: 'iso', pattern: /^\d{4}-\d{2}-\d{2}$/, isTime: false },
  { form: 'iso', pattern: /^\d{4}-\d{2}-\d{2}[ T]00:00:00(\.0+)?$/, isTime: false },
  {
    form: 'iso',
    pattern: /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/,
    isTime: true,
  },
  { form: '%Y%m%d', pattern: /^(19|20)\d{2}(0[1-9]|1[0-2])([0-2]\d|3[01])$/, isTime: false },
  { form: '%Y/%m/%d', pattern: /^\d{4}\/\d{1,2}\/\d{1,2}$/, isTime: false },
  { form: '%m/%d/%Y', pattern: /^(0?[1-9]|1[0-2])\/([0-2]?\d|3[01])\/\d{4}$/, isTime: false },
  { form: '%d/%m/%Y', pattern: /^([0-2]?\d|3[01])\/(0?[1-9]|1[0-2])\/\d{4}$/, isTime: false },
  { form: '%d.%m.%Y', pattern: /^\d{1,2}\.\d{1,2}\.\d{4}$/, isTime: false },
  { form: '%d-%b-%Y', pattern: /^\d{1,2}-[A-Za-z]{3}-\d{4}$/, isTime: false },
  { form: '%d %b %Y', pattern: /^\d{1,2} [A-Za-z]{3} \d{4}$/, isTime: false },
  { form: '%b %d, %Y', pattern: /^[A-Za-z]{3} \d{1,2}, \d{4}$/, isTime: false },
  { form: '%B %d, %Y', pattern: /^[A-Za-z]{4,9} \d{1,2}, \d{4}$/, isTime: false },
  { form: '%Y%m%d %H%M%S', pattern: /^\d{8} \d{6}$/, isTime: true },
  { form: '%Y%m%d %H:%M:%S', pattern: /^\d{8} \d{2}:\d{2}:\d{2}$/, isTime: true },
  { form: '%Y.%m.%d %H:%M', pattern: /^\d{4}\.\d{2}\.\d{2} \d{2}:\d{2}$/, isTime: true },
  { form: '%Y.%m.%d', pattern: /^\d{4}\.\d{2}\.\d{2}$/, isTime: false },
  { form: '%d.%m.%Y %H:%M', pattern: /^\d{1,2}\.\d{1,2}\.\d{4} \d{2}:\d{2}$/, isTime: true },
  { form: '%d.%m.%Y %H:%M:%S', pattern: /^\d{1,2}\.\d{1,2}\.\d{4} \d{2}:\d{2}:\d{2}$/, isTime: true },
  { form: '%m/%d/%Y %H:%M', pattern: /^\d{1,2}\/\d{1,2}\/\d{4} \d{1,2}:\d{2}$/, isTime: true },
  { form: '%m/%d/%Y %H:%M:%S', pattern: /^\d{1,2}\/\d{1,2}\/\d{4} \d{1,2}:\d{2}:\d{2}$/, isTime: true },
  {
    form: '%m/%d/%Y %I:%M:%S %p',
    pattern: /^\d{1,2}\/\d{1,2}\/\d{4} \d{1,2}:\d{2}:\d{2} [AP]M$/i,
    isTime: true,
  },
  { form: 'unix', pattern: /^(9\d{8}|1\d{9}|1\d{12}|1\d{15}|1\d{18})(\.\d+)?$/, isTime: true },
]

const PLAIN = /^-?\d*\.?\d+([eE][-+]?\d+)?$/
const US = /^\(?[-+]?\$?[-+]?(\d+|\d{1,3}(,\d{3})+)?(\.\d*)? ?%?\)?$/
const EU = /^[-+]?(\d+|\d{1,3}([. ]\d{3})+),\d+( ?[%€])?$/

/** What the values of a column are, as conversions of a rule, and what they leave open. */
export interface ValueForm {
  readonly conversions: Pick<ColumnRule, 'date' | 'time' | 'number' | 'null'>
  readonly questions: readonly string[]
}

const MISSING = /^(-+|\.|n\/?a|none|null|nan|nil)$/i

/** The form of the values of a column. `name` is the column's name, for questions. */
export function formOf(name: string, values: readonly string[]): ValueForm {
  const missing = [...new Set(values.filter(value => MISSING.test(value)))]
  const known = values.filter(value => !MISSING.test(value))
  const none = missing.length === 0 ? {} : { null: missing }
  const all = (pattern: RegExp) => known.length > 0 && known.every(value => pattern.test(value))
  const moments = MOMENTS.filter(({ pattern }) => all(pattern))
  const [moment] = moments
  if (moment !== undefined)
    return momentForm(
      name,
      moments.map(({ form }) => form),
      moment.isTime,
      known,
      none,
    )
  if (all(PLAIN)) return { conversions: none, questions: [] }
  if (all(EU)) return { conversions: { ...none, number: 'eu' }, questions: [] }
  if (all(US)) return { conversions: { ...none, number: 'us' }, questions: [] }
  return { conversions: none, questions: [] }
}

function momentForm(
  name: string,
  forms: readonly string[],
  isTime: boolean,
  values: readonly string[],
  none: Pick<ColumnRule, 'null'>,
): ValueForm {
  const [form = ''] = forms
  const hasZone = form === 'unix' || values.every(value => /(Z|[+-]\d{2}:?\d{2})$/.test(value))
  const order = forms.includes('%m/%d/%Y') && forms.includes('%d/%m/%Y')
  const questions = [
    ...(order
      ? [`Is ${name} month/day/year (%m/%d/%Y) or day/month/year (%d/%m/%Y)? ${values[0]} may be both.`]
      : []),
    ...(isTime && !hasZone
      ? [`In which time zone is ${name}? Set "zone" of its rule, such as America/New_York or UTC.`]
      : []),
  ]
  const isPlainDate = form === 'iso' && !isTime && values.every(value => value.length === 10)
  return {
    conversions: { ...none, ...(isTime ? { time: form } : isPlainDate ? {} : { date: form }) },
    questions,
  }
}
