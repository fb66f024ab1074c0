import { describe, expect, test } from 'vitest'
import { type Column, datasets } from '../../../src/lake/store/datasets.ts'
import { derivations, inputsOf } from '../../../src/lake/store/derivation.ts'
import { ELSEWHERE, INTERNAL } from '../../../src/operations/fields/elsewhere.ts'
import { datasetsOf, type Field } from '../../../src/operations/fields/notation.ts'
import { RECORD_FIELDS } from '../../../src/operations/fields/record-fields.ts'
import {
  answerTold,
  chainFragTold,
  idsTold,
  operationTold,
  parametersTold,
  present,
} from './specification.ts'

const columnsOf = (name: string) => datasets().get(name)?.columns ?? []
const column = (reference: string): Column | undefined => {
  const [dataset = '', name] = reference.split('.')
  return columnsOf(dataset).find(each => each.name === name)
}
const shownIn = (id: string) => RECORD_FIELDS.find(each => each.id === id)?.parts ?? []
const fieldsAt = (id: string, at: string) => shownIn(id).find(part => part.at === at)?.fields ?? []
const referencesOf = (field: Field) => (typeof field.from === 'string' ? [] : field.from)

/** Every field and parameter, with a name that a failure can be found by. */
const everything = RECORD_FIELDS.flatMap(({ id, dating, parts, parameters }) => [
  ...parts.flatMap(({ at, fields }) =>
    fields.map(field => ({ where: `${id} ${at}.${field.name}`, dating, field, shown: true })),
  ),
  ...parameters.map(field => ({ where: `${id} ?${field.name}`, dating, field, shown: false })),
])

/** What the columns of a type may be shown as without any rule. */
const SHOWN_AS: Readonly<Record<string, readonly string[]>> = {
  VARCHAR: ['string', 'string(URL)'],
  'VARCHAR[]': ['array of string', 'array of string(URL)'],
  'BIGINT[]': ['array of integer'],
  UUID: ['string(UUID)'],
  BOOLEAN: ['boolean'],
  DATE: ['date'],
  TIMESTAMP: ['ts', 'ts(ms)', 'ts(us)'],
  INTEGER: ['integer', 'number'],
  BIGINT: ['integer', 'number', 'string(dec)'],
  DECIMAL: ['number', 'string(dec)'],
  DOUBLE: ['number'],
}

describe('the table of fields', () => {
  test('names columns that there are', () => {
    expect(everything.length).toBeGreaterThan(400)
    const strays = everything.flatMap(({ where, field }) =>
      referencesOf(field)
        .filter(reference => column(reference) === undefined)
        .map(reference => `${where}: ${reference}`),
    )
    expect(strays).toEqual([])
    for (const { dating } of RECORD_FIELDS)
      for (const name of dating) expect([...datasets().keys()]).toContain(name)
  })

  test('says once in each part what a field is', () => {
    for (const { id, parts, parameters } of RECORD_FIELDS)
      for (const { at, fields } of [...parts, { at: '?', fields: parameters }])
        expect(new Set(fields.map(({ name }) => name)).size, `${id} ${at}`).toBe(fields.length)
  })

  test('has a rule wherever a field is not just one column', () => {
    const silent = everything.filter(({ field }) => referencesOf(field).length !== 1 && !field.rule)
    expect(silent.map(({ where }) => where)).toEqual([])
  })

  test('shows a column without a rule only in a type that fits it', () => {
    const unfit = everything
      .filter(({ field }) => field.rule === null)
      .filter(({ field }) => {
        const type = column(referencesOf(field)[0] ?? '')?.type.replace(/\(.*\)/, '') ?? ''
        return !SHOWN_AS[type]?.includes(field.type)
      })
    expect(unfit.map(({ where }) => where)).toEqual([])
  })

  test('says when a field is null that shows a column which may be, and of no other column of its own dataset', () => {
    const wrong = everything
      .filter(({ field, shown }) => shown && field.rule === null)
      .filter(({ field, dating }) => {
        const [reference = ''] = referencesOf(field)
        const joinedIn = !dating.includes(reference.split('.')[0] ?? '')
        return column(reference)?.nullable ? field.nullWhen === null : field.nullWhen !== null && !joinedIn
      })
    expect(wrong.map(({ where }) => where)).toEqual([])
  })

  test('shows counts of the screener as integers, prices and ratios as decimal strings', () => {
    const wrong = fieldsAt('screener-option-contracts', 'data[]').filter(({ from, type }) => {
      const stored = column(from[0] ?? '')?.type ?? ''
      return (
        /^(BIGINT|INTEGER)/.test(stored) !== (type === 'integer') ||
        /^DECIMAL/.test(stored) !== (type === 'string(dec)')
      )
    })
    expect(wrong).toEqual([])
  })

  test('has a part for every object and every array of objects', () => {
    for (const { id, parts } of RECORD_FIELDS) {
      const announced = parts.flatMap(({ at, fields }) =>
        fields
          .filter(({ from }) => from === 'nested')
          .map(
            ({ name, type }) => `${at === '' ? '' : `${at}.`}${name}${type.startsWith('array') ? '[]' : ''}`,
          ),
      )
      const described = parts.map(({ at }) => at).filter(at => at !== '' && !/(^|\.)data(\[\])?$/.test(at))
      expect(described.toSorted(), id).toEqual(announced.toSorted())
    }
  })
})

describe('the columns of the lake', () => {
  const used = new Set(everything.flatMap(({ field }) => referencesOf(field)))

  test('are shown, or keys, or have a reason to be there', () => {
    const idle = [...datasets().values()]
      .filter(({ name }) => !(name in INTERNAL))
      .flatMap(({ name, columns, key, partition }) =>
        columns
          .map(each => each.name)
          .filter(each => !key.includes(each) && each !== partition.column)
          .filter(each => !used.has(`${name}.${each}`) && ELSEWHERE[name]?.[each] === undefined)
          .map(each => `${name}.${each}`),
      )
    expect(idle).toEqual([])
  })

  test('have no reason that is not needed', () => {
    const stale = Object.entries(ELSEWHERE).flatMap(([name, reasons]) =>
      Object.keys(reasons)
        .filter(each => {
          const found = datasets().get(name)
          const known = found?.columns.some(({ name: is }) => is === each)
          return !known || used.has(`${name}.${each}`) || found?.key.includes(each)
        })
        .map(each => `${name}.${each}`),
    )
    expect(stale).toEqual([])
  })

  test('of internal datasets are shown by no answer', () => {
    const read = new Set(RECORD_FIELDS.flatMap(datasetsOf))
    for (const name of Object.keys(INTERNAL)) {
      expect(read.has(name), name).toBe(false)
      expect(datasets().has(name), name).toBe(true)
    }
  })

  test('that an internal dataset is said to make are derived from it, as far as their derivation is there', () => {
    for (const [name, purpose] of Object.entries(INTERNAL))
      for (const [made] of /are made of/.test(purpose) ? purpose.matchAll(/\w+_\w+/g) : []) {
        const derivation = derivations().get(made)
        if (derivation)
          expect(
            inputsOf(derivation).map(each => each.name),
            made,
          ).toContain(name)
      }
  })
})

describe.skipIf(!present)('the specification and the decisions in ../shared', () => {
  const ids = RECORD_FIELDS.map(({ id }) => id)

  test('have the same operations', () => {
    expect(ids).toEqual(idsTold())
    expect(ids).toHaveLength(29)
  })

  test.each(ids)('have the same fields in the same order, with the same types: %s', id => {
    const answer = answerTold(id)
    expect(shownIn(id).map(({ at }) => at)).toEqual([...answer.keys()])
    for (const [at, fields] of answer) {
      const table = fieldsAt(id, at)
      expect(
        table.map(({ name }) => name),
        at,
      ).toEqual(fields.map(({ name }) => name))
      for (const [index, { name, type, nullable }] of fields.entries()) {
        const shown = table[index]
        if (type === 'array') expect(shown?.type, name).toMatch(/^array of /)
        else if (type !== undefined) expect(shown?.type, name).toBe(type)
        if (nullable) expect(shown?.nullWhen, name).not.toBeNull()
      }
    }
  })

  test('tell the type of every field of a record that the specification shows', () => {
    const untyped = ids.flatMap(id =>
      [...answerTold(id)].flatMap(([at, fields]) =>
        fields.filter(({ type }) => type === undefined).map(({ name }) => `${id} ${at}.${name}`),
      ),
    )
    // What only the decisions tell has a name and no type: the screener's record, and parts "not shown".
    const decided =
      /^(screener-option|option-stance data|analytics-window data\.|economy data\.data|cash-flows|prediction-liquidity data\.)/
    expect(untyped.filter(name => !decided.test(name))).toEqual([])
  })

  test.each([
    [1, 'screener-option-contracts', []],
    // min_price is about the underlying, the field `price` about the contract.
    [23, 'flow-alerts', ['price']],
  ] as const)('have the same filters and orders beyond the fields: %i %s', (number, id, homonyms) => {
    const shown = fieldsAt(id, 'data[]').map(({ name }) => name)
    const told = [...parametersTold(number)].filter(
      name => !shown.includes(name) || homonyms.some(each => each === name),
    )
    const parameters = RECORD_FIELDS.find(each => each.id === id)?.parameters.map(({ name }) => name) ?? []
    expect(parameters.toSorted()).toEqual(told.toSorted())
  })

  test('name every parameter of the table', () => {
    const strays = RECORD_FIELDS.flatMap(({ id, parameters }, index) => {
      const text = operationTold(index + 1)
      return parameters
        .filter(({ name }) => !new RegExp(`\\b(min_|max_)?${name.replace('[]', '')}\\b`).test(text))
        .map(({ name }) => `${id} ?${name}`)
    })
    expect(strays).toEqual([])
  })

  test('have the fields of the streaming message ChainFrag in chain_frags, in their order', () => {
    const stored = columnsOf('chain_frags').map(({ name }) => name)
    // The day places the row; the underlying is the message's key.
    expect(stored.filter(name => name !== 'date' && name !== 'underlying_symbol')).toEqual(chainFragTold())
  })
})
