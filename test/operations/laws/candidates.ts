import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import type { Base } from './bases.ts'
import { comparedBy, fieldOf, recordFields } from './compared.ts'
import { Exact } from './exact.ts'
import { kindOf, type Schema, schemaOf, stemOf, valuesOf } from './parameter-kinds.ts'

/**
 * Texts of a bound: values that records show, one unit of their last place above and below them, and the limits. No maximum
 * is below the minimum of the question: that would be a fault. A question has no maximum of its own (see `narrowed`).
 */
export function boundTexts(base: Base, name: string): fc.Arbitrary<string> {
  const { operation, lake, question, whole } = base
  const compared = comparedBy(operation, stemOf(name), lake.derived)
  const shown = compared
    ? whole.rows.map(compared).filter(value => Decimal.isDecimal(value))
    : magnitudes(operation.parameters[name]?.example ?? '1')
  const limits = schemaOf(operation, name)
  const [least] = question[`min_${stemOf(name)}`] ?? []
  const minimum = name.startsWith('max_') && least !== undefined ? Number(least) : limits.minimum
  const step = (value: Decimal) => new Exact(10).pow(limits.type === 'integer' ? 0 : -value.decimalPlaces())
  return fc
    .tuple(fc.constantFrom(...(shown.length === 0 ? [new Exact(0)] : shown)), fc.constantFrom(0, 0, 1, -1))
    .map(([value, units]) => within(value.plus(step(value).times(units)), { ...limits, minimum }))
}

/** Numbers around an example, for what records do not show. */
function magnitudes(example: string): Decimal[] {
  const factors = [-10, -1, -0.1, 0, 0.1, 0.3, 0.5, 0.8, 1, 1.5, 2, 5, 10, 50, 100, 1000]
  return factors.map(factor => new Exact(example).times(factor))
}

function within(value: Decimal, { type, minimum, maximum }: Schema): string {
  const whole = type === 'integer' ? value.floor() : value
  if (minimum !== undefined && whole.lt(minimum)) return String(minimum)
  if (maximum !== undefined && whole.gt(maximum)) return String(maximum)
  return whole.toFixed()
}

/** What a filter can be given: mostly what the records show, so that it keeps some and not all. */
export function filterTexts(base: Base, name: string): fc.Arbitrary<readonly string[]> {
  const { operation } = base
  switch (kindOf(operation, name)) {
    case 'bound':
      return boundTexts(base, name).map(text => [text])
    case 'flag':
      return fc.constantFrom(['true'], ['false'])
    case 'list':
      return fc.uniqueArray(valueTexts(base, name), { minLength: 1, maxLength: 3 })
    case 'tickers':
      return fc
        .tuple(fc.constantFrom('', '-'), tickers(base, name))
        .map(([sign, names]) => [sign + names.join(',')])
    case 'months':
      return fc.integer({ min: 1, max: 240 }).map(months => [String(months)])
    case 'text':
      return parts(base).map(text => [text])
    case 'day':
      return fc.constantFrom(...dates(base)).map(text => [text])
    default:
      return valueTexts(base, name).map(text => [text])
  }
}

/** Values of a choice or a list: those of its enumeration, and those shown. */
function valueTexts(base: Base, name: string): fc.Arbitrary<string> {
  const known = valuesOf(base.operation, name)
  const shown = known.length > 0 ? [] : shownIn(base, name)
  const texts = [...known, ...shown]
  return fc.constantFrom(...(texts.length > 0 ? texts : [base.operation.parameters[name]?.example ?? '']))
}

/** Some tickers that are shown, and one that is not. */
export function tickers(base: Base, name: string): fc.Arbitrary<string[]> {
  const shown = shownIn(base, name).filter(text => /^[A-Z][A-Z0-9.-]{0,9}$/.test(text))
  return fc.shuffledSubarray([...shown, 'NOSUCH'], {
    minLength: Math.min(2, shown.length + 1),
    maxLength: Math.min(5, shown.length + 1),
  })
}

/** Different texts of the field that a filter is about; of a symbol, if there is no such field. */
export function shownIn({ operation, whole }: Base, name: string): string[] {
  const field = fieldOf(operation, name)?.name ?? 'symbol'
  return [...new Set(whole.rows.flatMap(row => row[field] ?? []).map(String))].filter(text => text !== '')
}

/** Parts of the longest texts of records: words, and characters in any case. */
function parts({ operation, whole }: Base): fc.Arbitrary<string> {
  const fields = recordFields(operation).filter(({ name }) => name === 'post' || name === 'name')
  const texts = whole.rows.flatMap(row => fields.flatMap(({ name }) => row[name] ?? [])).map(String)
  return fc
    .tuple(
      fc.constantFrom(...(texts.length > 0 ? texts : ['a'])),
      fc.nat(),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('', 'upper', 'lower'),
    )
    .map(([text, start, length, letterCase]) => {
      const letters = [...text.replaceAll(/\p{Cc}/gu, ' ')]
      const part =
        letters
          .slice(start % letters.length)
          .slice(0, length)
          .join('')
          .trim() ||
        (text.trim()[0] ?? 'a')
      if (letterCase === 'upper') return part.toUpperCase()
      return letterCase === 'lower' ? part.toLowerCase() : part
    })
}

/** Dates that records show, and the days around them. */
function dates({ operation, whole }: Base): string[] {
  const fields = recordFields(operation).filter(({ type }) => type === 'date' || type.startsWith('ts'))
  const shown = whole.rows.flatMap(row => fields.flatMap(({ name }) => row[name] ?? []))
  return [...new Set(shown.map(value => String(value).slice(0, 10)))]
}
