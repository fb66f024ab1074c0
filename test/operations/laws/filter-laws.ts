import fc from 'fast-check'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { filterTexts } from './candidates.ts'
import { Exact } from './exact.ts'
import { asked, broken, isPart, type Law, outcomeOf, same } from './law.ts'
import { parametersOf, stemOf, valuesOf } from './parameter-kinds.ts'
import { isShown, passesOf } from './passes.ts'

/** Filters that are conditions of a preset, and not about a value. */
export const PRESETS: readonly string[] = ['unusual']

/** Filters whose answer has some of the records that it has without them. */
export const filtersOf = (operation: Operation): string[] => [
  ...parametersOf(operation, 'bound', 'flag', 'list', 'choice', 'value', 'tickers', 'text').filter(
    name => !PRESETS.includes(name),
  ),
  // Other dates say which report, or which day.
  ...parametersOf(operation, 'day').filter(name => isShown(operation, name)),
]

export const valuesLaw: Law = {
  name: 'values',
  what: 'an answer has exactly the records whose values, as shown, pass its filter',
  subjects: operation => filtersOf(operation).filter(name => isShown(operation, name)),
  check: async (base, name, draw) => {
    const texts = draw(filterTexts(base, name))
    const passes = passesOf(base.operation, name, texts, base.lake.derived)
    if (passes === null) return 'trivial'
    const { rows, texts: all } = base.whole
    const wanted = all.filter((_, at) => passes(rows[at] ?? {}))
    const kept = await asked(base, { [name]: texts })
    if (!same(kept.texts, wanted))
      throw broken(
        'an answer has the records that pass its filter',
        base,
        { [name]: texts },
        kept.texts,
        wanted,
      )
    return outcomeOf(kept.texts.length, all.length)
  },
}

export const boundsLaw: Law = {
  name: 'bounds',
  what: 'raising a minimum adds no record, lowering it removes none, and a maximum likewise',
  subjects: operation => parametersOf(operation, 'bound', 'months'),
  check: async (base, name, draw) => {
    const texts = filterTexts(base, name)
    const drawn = [draw(texts), draw(texts)].flat()
    const ascending = drawn.toSorted((one, other) => new Exact(one).comparedTo(other))
    const [narrow = '', wide = ''] = name.startsWith('min_') ? ascending.toReversed() : ascending
    const [few, many] = [await asked(base, { [name]: narrow }), await asked(base, { [name]: wide })]
    if (!isPart(few.texts, many.texts))
      throw broken(
        `${name}=${narrow} keeps no more than ${wide}`,
        base,
        { [name]: [narrow] },
        few.texts,
        many.texts,
      )
    if (!isPart(many.texts, base.whole.texts))
      throw broken('a bound adds no record', base, { [name]: [wide] }, many.texts, base.whole.texts)
    return outcomeOf(few.texts.length, base.whole.texts.length)
  },
}

/** Pairs of flags of which both are true filter nothing and both false keep nothing. */
const PAIRS: Readonly<Record<string, string>> = {
  'flow-alerts is_call': 'is_put',
  'flow-alerts is_put': 'is_call',
  'flow-alerts is_ask_side': 'is_bid_side',
  'flow-alerts is_bid_side': 'is_ask_side',
}

/** Whether `false` filters nothing, as the description of the flag says; else it keeps what `true` does not. */
const filtersNothing = ({ parameters }: Operation, name: string) =>
  parameters[name]?.description.includes('`false` filters nothing') ?? false

export const flagsLaw: Law = {
  name: 'flags',
  what: 'true and false divide the records, or false filters nothing, as the flag says',
  weight: 2,
  subjects: operation => parametersOf(operation, 'flag').filter(name => !PRESETS.includes(name)),
  check: async (base, name) => {
    const all =
      operationDefault(base.operation, name) === null ? base.whole : await asked(base, { [name]: 'false' })
    const [yes, no] = [await asked(base, { [name]: 'true' }), await asked(base, { [name]: 'false' })]
    if (!isPart(yes.texts, all.texts))
      throw broken('true adds no record', base, { [name]: ['true'] }, yes.texts, all.texts)
    const wanted = filtersNothing(base.operation, name)
      ? all.texts
      : all.texts.filter(text => !yes.texts.includes(text))
    if (!same(no.texts, wanted))
      throw broken('false keeps what the flag says', base, { [name]: ['false'] }, no.texts, wanted)
    const partner = PAIRS[`${base.operation.id} ${name}`]
    if (partner !== undefined)
      for (const [value, expected] of [
        ['true', all.texts],
        ['false', []],
      ] as const) {
        const both = await asked(base, { [name]: value, [partner]: value })
        if (!same(both.texts, expected))
          throw broken(`both ${value}`, base, { [name]: [value], [partner]: [value] }, both.texts, expected)
      }
    return outcomeOf(yes.texts.length, all.texts.length)
  },
}

const operationDefault = ({ parameters }: Operation, name: string) => parameters[name]?.absent ?? null

export const choicesLaw: Law = {
  name: 'choices',
  what: 'the values of a choice keep different records',
  weight: 4,
  subjects: operation => parametersOf(operation, 'choice'),
  check: async (base, name) => {
    const absent = String(operationDefault(base.operation, name) ?? '')
    const values = valuesOf(base.operation, name).filter(value => value !== absent)
    const kept = new Map<string, readonly string[]>()
    for (const value of values) {
      const { texts } = await asked(base, { [name]: value })
      if (!isPart(texts, base.whole.texts))
        throw broken('a choice adds no record', base, { [name]: [value] }, texts, base.whole.texts)
      const folded = value.toLowerCase()
      const other = kept.get(folded)
      if (other !== undefined && !same(other, texts))
        throw broken('a choice in any case', base, { [name]: [value] }, texts, other)
      kept.set(folded, texts)
    }
    const joined = [...kept.values()].flat()
    if (new Set(joined).size !== joined.length && new Set(base.whole.texts).size === base.whole.texts.length)
      throw broken('no record is of two choices', base, { [name]: values }, joined, [...new Set(joined)])
    return outcomeOf(Math.max(...[...kept.values()].map(each => each.length)), base.whole.texts.length)
  },
}

/** Filters that go together in another way than that each keeps what it keeps alone. */
const TOGETHER: readonly (readonly [string, string])[] = [
  ['is_call', 'is_put'],
  ['is_ask_side', 'is_bid_side'],
  // The symbol says the type: another one is a 422.
  ['option_symbol', 'type'],
]

/** The filters that a filter can be combined with: not those that filter by default. */
const othersOf = (operation: Operation, name: string) =>
  filtersOf(operation).filter(
    other =>
      stemOf(other) !== stemOf(name) &&
      operation.parameters[other]?.absent !== true &&
      !TOGETHER.some(pair => pair.includes(name) && pair.includes(other)),
  )

export const combinedLaw: Law = {
  name: 'combined',
  what: 'two filters keep the records that each of them keeps',
  subjects: operation =>
    filtersOf(operation).filter(
      name => operation.parameters[name]?.absent !== true && othersOf(operation, name).length > 0,
    ),
  check: async (base, name, draw) => {
    const others = othersOf(base.operation, name).filter(other => !(other in base.question))
    if (others.length === 0) return 'trivial'
    const other = draw(fc.constantFrom(...others))
    const one = { [name]: draw(filterTexts(base, name)) }
    const two = { [other]: draw(filterTexts(base, other)) }
    const [first, second] = [await asked(base, one), await asked(base, two)]
    const both = await asked(base, { ...one, ...two })
    const wanted = first.texts.filter(text => second.texts.includes(text))
    if (!same(both.texts, wanted)) throw broken('two filters', base, { ...one, ...two }, both.texts, wanted)
    return outcomeOf(wanted.length, base.whole.texts.length)
  },
}
