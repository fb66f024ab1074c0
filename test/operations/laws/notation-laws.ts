import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Base } from './bases.ts'
import { filterTexts } from './candidates.ts'
import { Exact } from './exact.ts'
import { asked, broken, type Law, outcomeOf, same } from './law.ts'
import { kindOf, parametersOf, schemaOf, valuesOf } from './parameter-kinds.ts'

const optional = (operation: Operation) =>
  Object.keys(operation.parameters).filter(name => {
    const parameter = operation.parameters[name]
    return parameter?.in === 'query' && !parameter.required
  })

export const absentLaw: Law = {
  name: 'absent',
  what: 'an empty value, or the default by name, is the same as no value',
  divides: false,
  weight: 0.5,
  subjects: optional,
  check: async (base, name) => {
    const texts = ['']
    const { absent } = base.operation.parameters[name] ?? {}
    if (['string', 'number', 'boolean'].includes(typeof absent)) texts.push(String(absent))
    if (name === 'date' && base.whole.date !== null) texts.push(base.whole.date)
    for (const text of texts) {
      const wanted = await base.lake.ask(base.operation, base.question)
      const again = await base.lake.ask(base.operation, { ...base.question, [name]: [text] })
      const [left, right] = [again, wanted].map(({ rows }) => rows.map(row => JSON.stringify(row)))
      if (again.status !== 200 || !same(left ?? [], right ?? []))
        throw broken('as without it', base, { [name]: [text] }, left ?? [], right ?? [])
    }
    return 'holds'
  },
}

/** Other texts of the same value. */
function notations({ operation }: Base, name: string, text: string): string[] {
  switch (kindOf(operation, name)) {
    case 'flag':
      return text === 'true' ? ['TRUE', 'True', '1'] : ['FALSE', 'False', '0']
    case 'bound': {
      const { type } = schemaOf(operation, name)
      const value = new Exact(text)
      return type === 'integer'
        ? []
        : [value.toExponential(), `${value.toFixed()}${value.isInteger() ? '.0' : '0'}`]
    }
    case 'choice':
      return [text.toLowerCase(), text.toUpperCase()]
    case 'list':
      return valuesOf(operation, name).length > 0 ? [text.toLowerCase(), text.toUpperCase()] : []
    default:
      return []
  }
}

export const notationLaw: Law = {
  name: 'notation',
  what: 'a value is the same in any case and notation',
  weight: 0.5,
  subjects: operation => parametersOf(operation, 'flag', 'bound', 'choice', 'list'),
  check: async (base, name, draw) => {
    const [text = ''] = draw(filterTexts(base, name))
    const wanted = await asked(base, { [name]: text })
    const others = notations(base, name, text)
    for (const other of others) {
      const again = await asked(base, { [name]: other })
      if (!same(again.texts, wanted.texts))
        throw broken(`as ${text}`, base, { [name]: [other] }, again.texts, wanted.texts)
    }
    return outcomeOf(wanted.texts.length, base.whole.texts.length)
  },
}

/** What letters in another case are another question, each with the reason. */
const CASED: ReadonlyMap<string, string> = new Map([
  ['analytics-window range', 'lengths such as `2month` are in lower case'],
])

export const subjectLaw: Law = {
  name: 'subject',
  what: 'what a request is about can be written in any case',
  divides: false,
  isAsked: true,
  subjects: operation =>
    parametersOf(operation, 'subject').filter(name => !CASED.has(`${operation.id} ${name}`)),
  check: async (base, name) => {
    const [text = ''] = base.question[name] ?? []
    for (const other of [text.toLowerCase(), text.toUpperCase()]) {
      const again = await asked(base, { [name]: other })
      if (!same(again.texts, base.whole.texts))
        throw broken(`as ${text}`, base, { [name]: [other] }, again.texts, base.whole.texts)
    }
    return 'holds'
  },
}
