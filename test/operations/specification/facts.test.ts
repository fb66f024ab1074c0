import { describe, expect, test } from 'vitest'
import { answerFacts } from './answer-facts.ts'
import { decisionsOn, endpoint, present, specifiedAnswer, specifiedIds } from './documents.ts'
import { SPECIFIED } from './parameters.ts'
import { factsIn, statementsOf } from './statements.ts'

/** The project's own tables of facts against the documents that they are taken from, where those are present. */

const ids = Object.keys(SPECIFIED)
const numbered = ids.map((id, index) => [index + 1, id] as const)

const inAnyOrder = (values: string) => values.split('|').toSorted().join('|')

describe.skipIf(!present)('the specification and the decisions in ../shared', () => {
  test('have the operations of the table in its order', () => {
    expect(ids).toEqual(specifiedIds())
  })

  test.each(numbered)('have the path of operation %i, %s', (number, id) => {
    expect(endpoint(number)).toMatch(new RegExp(`^### ${number}\\. GET (.*)$`, 'm'))
    expect(/^### \d+\. GET (.*)$/m.exec(endpoint(number))?.[1]).toBe(SPECIFIED[id]?.path)
  })

  test.each(numbered)('have the parameters of operation %i, %s', (number, id) => {
    expect([...statementsOf(number).keys()].toSorted()).toEqual(
      Object.keys(SPECIFIED[id]?.parameters ?? {}).toSorted(),
    )
  })

  test.each(numbered)(
    'state no other type, bound, value or default of the parameters of %i, %s',
    (number, id) => {
      for (const [name, text] of statementsOf(number)) {
        const facts = SPECIFIED[id]?.parameters[name] ?? ''
        // The type or the values, which may have blanks, and then the rest.
        const [, type = '', rest = ''] = /^(?:\[\])?(.*?)(?=!|$| [<>=!])(.*)$/.exec(facts) ?? []
        const known = [type, ...rest.trim().split(' ')].map(inAnyOrder)
        for (const fact of factsIn(text)) expect(known, `${name}: ${text}`).toContain(inAnyOrder(fact))
      }
    },
  )

  test('state enough of parameters to be worth comparing', () => {
    const stated = numbered.flatMap(([number]) => [...statementsOf(number).values()].flatMap(factsIn))
    expect(stated.length).toBeGreaterThan(200)
    expect(decisionsOn(1)).toContain('opex_only')
  })

  test.each(ids)('have the same fields in the same order, with the same types: %s', id => {
    const answer = specifiedAnswer(id)
    const table = answerFacts(id)
    expect([...table.keys()]).toEqual([...answer.keys()])
    for (const [at, fields] of answer) {
      const facts = table.get(at) ?? []
      expect(
        facts.map(({ name }) => name),
        at,
      ).toEqual(fields.map(({ name }) => name))
      for (const [index, { name, type, nullable }] of fields.entries()) {
        const own = facts[index]
        if (type === 'array') expect(own?.type, name).toMatch(/^array of /)
        else if (type !== undefined) expect(own?.type, name).toBe(type)
        if (nullable) expect(own?.nullable, name).toBe(true)
      }
    }
  })

  test('have a type for every field of a record that the specification shows', () => {
    const untyped = ids.flatMap(id =>
      [...specifiedAnswer(id)].flatMap(([at, fields]) =>
        fields.filter(({ type }) => type === undefined).map(({ name }) => `${id} ${at}.${name}`),
      ),
    )
    // Only the decisions describe these, by name: the screener's record, and parts "not shown".
    const decided =
      /^(screener-option|option-stance data|analytics-window data\.|economy data\.data|cash-flows|prediction-liquidity data\.)/
    expect(untyped.filter(name => !decided.test(name))).toEqual([])
  })
})
