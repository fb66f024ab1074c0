import fc from 'fast-check'
import { shownIn, tickers } from './candidates.ts'
import { asked, broken, isPart, type Law, outcomeOf, same } from './law.ts'
import { parametersOf, valuesOf } from './parameter-kinds.ts'

export const tickersLaw: Law = {
  name: 'tickers',
  what: 'T and -T divide the records, whatever the order, case and number of the tickers',
  weight: 4,
  subjects: operation => parametersOf(operation, 'tickers'),
  check: async (base, name, draw) => {
    const names = draw(tickers(base, name))
    const list = names.join(',')
    const [kept, excluded] = [await asked(base, { [name]: list }), await asked(base, { [name]: `-${list}` })]
    const rest = base.whole.texts.filter(text => !kept.texts.includes(text))
    if (!isPart(kept.texts, base.whole.texts))
      throw broken('tickers add no record', base, { [name]: [list] }, kept.texts, base.whole.texts)
    if (!same(excluded.texts, rest))
      throw broken('-T has what T lacks', base, { [name]: [`-${list}`] }, excluded.texts, rest)
    const spellings = [
      [[...names, ...names].reverse().join(','), kept],
      [list.toLowerCase(), kept],
      [names.map(each => `-${each}`).join(','), excluded],
    ] as const
    for (const [spelling, expected] of spellings) {
      const again = await asked(base, { [name]: spelling })
      if (!same(again.texts, expected.texts))
        throw broken('another spelling', base, { [name]: [spelling] }, again.texts, expected.texts)
    }
    return outcomeOf(kept.texts.length, base.whole.texts.length)
  },
}

export const listsLaw: Law = {
  name: 'lists',
  what: 'several values keep what each of them keeps, in any order and notation',
  weight: 4,
  subjects: operation => parametersOf(operation, 'list'),
  check: async (base, name, draw) => {
    const known = valuesOf(base.operation, name)
    const shown = shownIn(base, name)
    const texts = known.length > 0 ? known : shown
    if (texts.length === 0) return 'trivial'
    const values = draw(
      fc.shuffledSubarray([...texts], {
        minLength: Math.min(2, texts.length),
        maxLength: Math.min(4, texts.length),
      }),
    )
    const each = await Promise.all(values.map(value => asked(base, { [name]: value })))
    const any = new Set(each.flatMap(({ texts: own }) => own))
    const wanted = base.whole.texts.filter(text => any.has(text))
    const bare = name.replace('[]', '')
    const spellings: Record<string, readonly string[]>[] = [
      { [name]: values },
      { [name]: [...values, ...values].reverse() },
      { [bare]: values },
      { [`${bare}[]`]: values },
      Object.fromEntries(values.map((value, index) => [`${bare}[${index}]`, [value]])),
    ]
    for (const spelling of spellings) {
      const kept = await asked(base, spelling)
      if (!same(kept.texts, wanted)) throw broken('several values', base, spelling, kept.texts, wanted)
    }
    return outcomeOf(wanted.length, base.whole.texts.length)
  },
}
