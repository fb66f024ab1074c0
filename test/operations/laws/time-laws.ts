import fc from 'fast-check'
import { marketDate } from '../../../src/operations/parameters/time.ts'
import { microsecondText } from './compared.ts'
import { asked, broken, type Law, outcomeOf, same } from './law.ts'
import { parametersOf } from './parameter-kinds.ts'

export const momentsLaw: Law = {
  name: 'moments',
  what: 'both bounds in time are exclusive, in any notation',
  weight: 4,
  subjects: operation => parametersOf(operation, 'moment'),
  check: async (base, name, draw) => {
    const { rows, texts } = base.whole
    const times = rows.map(row => microsecondText(String(row.created_at)))
    const [one = '', other = ''] = [
      draw(fc.constantFrom(...times)),
      draw(fc.constantFrom(...times)),
    ].toSorted()
    // Alone, a bound of alerts moves their window.
    const bounds = { newer_than: one, older_than: other }
    const kept = await asked(base, bounds)
    const wanted = texts.filter((_, at) => (times[at] ?? '') > one && (times[at] ?? '') < other)
    if (!same(kept.texts, wanted))
      throw broken('records between', base, { newer_than: [one], older_than: [other] }, kept.texts, wanted)
    for (const text of sameMoment(bounds[name as keyof typeof bounds])) {
      const again = await asked(base, { ...bounds, [name]: text })
      if (!same(again.texts, wanted))
        throw broken('another notation', base, { ...wrapped(bounds), [name]: [text] }, again.texts, wanted)
    }
    return outcomeOf(wanted.length, texts.length)
  },
}

const wrapped = (bounds: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(bounds).map(([name, text]) => [name, [text]]))

/** Other notations of a time: an offset, and a number where that loses nothing. */
function sameMoment(text: string): string[] {
  const [second = '', micros = ''] = text.replace('Z', '').split('.')
  const ms = Date.parse(`${second}Z`)
  const east = `${new Date(ms + 2 * 3_600_000).toISOString().slice(0, 19)}.${micros}+02:00`
  const milliseconds = micros.endsWith('000') ? [String(ms + Number(micros.slice(0, 3)))] : []
  return [east, ...milliseconds, ...(micros === '000000' ? [String(ms / 1000)] : [])]
}

/** A day on which nothing trades, before and after every lake. */
const NO_DAYS = ['1900-01-01', '9999-12-31']

export const daysLaw: Law = {
  name: 'days',
  what: 'a date without a partition has no records; an upper bound in the future is none, one before everything leaves nothing',
  divides: false,
  subjects: operation => (operation.parameters.date === undefined ? [] : ['date']),
  check: async (base, _name, draw) => {
    // A range of days goes before the date, where an operation takes both.
    if ('start_date' in base.question || 'end_date' in base.question) return 'trivial'
    const isOneDay = base.operation.parameters.date === marketDate
    const day = draw(fc.constantFrom(...NO_DAYS))
    const kept = await base.lake.ask(base.operation, { ...base.question, date: [day] })
    const texts = kept.rows.map(row => JSON.stringify(row))
    const first = await base.lake.ask(base.operation, base.question)
    const wanted = isOneDay || day < '2000' ? [] : first.rows.map(row => JSON.stringify(row))
    if (kept.status !== 200 || !same(texts, wanted))
      throw broken('a day without data', base, { date: [day] }, texts, wanted)
    return 'holds'
  },
}
