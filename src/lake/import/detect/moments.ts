/** Forms of dates and times, and which of them a column's values have. */

/** What each specifier of strptime reads. */
const SPECIFIERS: Readonly<Record<string, string>> = {
  Y: '(?:19|20)\\d{2}',
  y: '\\d{2}',
  m: '(?:0?[1-9]|1[0-2])',
  d: '(?:0?[1-9]|[12]\\d|3[01])',
  b: '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)',
  B: '(?:january|february|march|april|may|june|july|august|september|october|november|december)',
  H: '(?:[01]?\\d|2[0-3])',
  I: '(?:0?[1-9]|1[0-2])',
  M: '[0-5]\\d',
  S: '[0-5]\\d',
  f: '\\d{1,9}',
  p: '[ap]m',
}

const DATES = [
  '%Y-%m-%d',
  '%Y%m%d',
  '%Y/%m/%d',
  '%Y.%m.%d',
  '%m/%d/%Y',
  '%d/%m/%Y',
  '%m-%d-%Y',
  '%d-%m-%Y',
  '%d.%m.%Y',
  '%m/%d/%y',
  '%d/%m/%y',
  '%d.%m.%y',
  '%d-%b-%Y',
  '%d-%b-%y',
  '%d %b %Y',
  '%d %b%Y',
  '%d %B %Y',
  '%d%b%Y',
  '%d%b%y',
  '%b %d, %Y',
  '%b %d %Y',
  '%B %d, %Y',
  '%Y-%m',
  '%b %Y',
]
const CLOCKS = ['%H:%M', '%H:%M:%S', '%H:%M:%S.%f', '%H%M%S', '%I:%M %p', '%I:%M:%S %p']

/** Where a specifier stands next to another, its digits have their full number. */
const FULL: Readonly<Record<string, string>> = { m: '\\d{2}', d: '\\d{2}', H: '\\d{2}' }

function patternOf(form: string): RegExp {
  const isDense = /%[YmdHM]%[mdHMS]/.test(form)
  const text = form
    .replace(/[.]/g, '\\$&')
    .replace(/%(\w)/g, (_, specifier: string) =>
      isDense && FULL[specifier] !== undefined
        ? `(?=${FULL[specifier]})${SPECIFIERS[specifier]}`
        : (SPECIFIERS[specifier] ?? ''),
    )
  return new RegExp(`^${text}$`, 'i')
}

/** One form of dates or times. */
export interface Moment {
  /** As strptime reads it, or `iso` or `unix`. */
  readonly form: string
  readonly pattern: RegExp
  readonly hasDate: boolean
  readonly hasClock: boolean
  readonly hasZone: boolean
}

const written = (form: string, hasDate: boolean, hasClock: boolean): Moment => ({
  form,
  pattern: patternOf(form),
  hasDate,
  hasClock,
  hasZone: false,
})

const ISO_ZONE = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)$/
const ISO_CLOCK = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/
const UNIX = /^(9\d{8}|1\d{9}|1\d{12}|1\d{15}|1\d{18})(\.\d+)?$/

const MOMENTS: readonly Moment[] = [
  { form: 'iso', pattern: ISO_ZONE, hasDate: true, hasClock: true, hasZone: true },
  { form: 'iso', pattern: ISO_CLOCK, hasDate: true, hasClock: true, hasZone: false },
  { form: 'unix', pattern: UNIX, hasDate: true, hasClock: true, hasZone: true },
  ...DATES.map(form => written(form, true, false)),
  ...CLOCKS.map(form => written(form, false, true)),
  ...DATES.flatMap(date => CLOCKS.map(clock => written(`${date} ${clock}`, true, true))),
]

/** The forms that all values have, the most usual first. */
export const momentsOf = (values: readonly string[]): readonly Moment[] =>
  values.length === 0 ? [] : MOMENTS.filter(({ pattern }) => values.every(value => pattern.test(value)))

const CLOCK = /\d{1,2}:\d{2}.*$|[T ]\d{4,6}$/

/** Whether values with a date and a clock all have the same clock, as those of whole days. */
export const isSameClock = (values: readonly string[]): boolean =>
  values.length > 1 && new Set(values.map(value => CLOCK.exec(value)?.[0] ?? value)).size === 1
