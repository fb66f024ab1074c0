import type { Layout } from './layout.ts'

/** Values of the first row by column, or of the document with a path `$…`; null if it has none there. */
export type ValueAt = (name: string) => string | null

/**
 * Whether the first row is one of a layout: vendors give files of days, minutes and option contracts the same columns.
 * Bars of a day begin at midnight in UTC, New York or Chicago, or have the time of the close.
 */
export function firstRowFits({ recognise = {} }: Layout, valueAt: ValueAt): boolean {
  const { values = {}, days, minutes } = recognise
  return (
    Object.entries(values).every(([name, pattern]) => new RegExp(pattern).test(valueAt(name) ?? '')) &&
    (days === undefined || isDay(valueAt(days)) === true) &&
    (minutes === undefined || isDay(valueAt(minutes)) === false)
  )
}

/** The columns that `firstRowFits` reads. */
export const firstRowColumns = ({ recognise: { values = {}, days, minutes } = {} }: Layout) =>
  [...Object.keys(values), days, minutes].filter(name => name !== undefined)

const NEW_YORK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
/** Orders of magnitude of seconds, milliseconds, microseconds and nanoseconds since 1970. */
const UNITS = [
  { below: 1e11, perSecond: 1 },
  { below: 1e14, perSecond: 1e3 },
  { below: 1e17, perSecond: 1e6 },
  { below: Number.POSITIVE_INFINITY, perSecond: 1e9 },
]

/** Times in New York of bars of a day: midnight, there or in Chicago, and the close. */
const DAYS: ReadonlySet<string> = new Set(['00:00:00', '01:00:00', '16:00:00'])

/** Whether a time with a zone is that of a bar of a day; null if it is not a time. */
function isDay(value: string | null): boolean | null {
  const text = value ?? ''
  const number = /^\d{9,19}(\.\d+)?$/.test(text) ? Number(text) : null
  const perSecond = UNITS.find(({ below }) => (number ?? 0) < below)?.perSecond ?? 1
  const iso = /^\d{4}-\d{2}-\d{2}[T ].*(Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  const milliseconds = number === null ? iso : Math.floor((number / perSecond) * 1000)
  if (Number.isNaN(milliseconds)) return null
  if (milliseconds % 86_400_000 === 0) return true
  return DAYS.has(NEW_YORK.format(milliseconds))
}
