import { describe, expect, test } from 'vitest'
import { type Column, datasets } from '../../../src/lake/store/datasets.ts'
import { derivations, inputsOf } from '../../../src/lake/store/derivation.ts'
import { ELSEWHERE, INTERNAL } from '../../../src/operations/fields/elsewhere.ts'
import { datasetsOf, type Field, type OperationFields } from '../../../src/operations/fields/notation.ts'
import { operations } from '../../../src/operations/index.ts'
import { chainFragNames, present } from '../specification/documents.ts'
import { SPECIFIED } from '../specification/parameters.ts'

/** Where each field of each answer comes from, against the columns of the datasets. */

const columnsOf = (name: string) => datasets().get(name)?.columns ?? []
const column = (reference: string): Column | undefined => {
  const [dataset = '', name] = reference.split('.')
  return columnsOf(dataset).find(each => each.name === name)
}
const fieldsOf = (id: string): OperationFields =>
  operations.find(each => each.id === id)?.fields ?? { dating: [], parts: [], parameters: [] }
const recordOf = (id: string) => fieldsOf(id).parts.find(part => part.at === 'data[]')?.fields ?? []
const referencesOf = (field: Field) => (typeof field.from === 'string' ? [] : field.from)

interface Entry {
  readonly id: string
  /** The file and the field, by which a failure is found. */
  readonly where: string
  readonly dating: readonly string[]
  readonly field: Field
  readonly shown: boolean
}

/** Every field and parameter. */
const everything: readonly Entry[] = operations.flatMap(({ id, fields: { dating, parts, parameters } }) => {
  const file = `src/operations/catalog/${id}.ts`
  return [
    ...parts.flatMap(({ at, fields }) =>
      fields.map(field => ({ id, where: `${file}: field ${at}.${field.name}`, dating, field, shown: true })),
    ),
    ...parameters.map(field => ({
      id,
      where: `${file}: parameter ${field.name}`,
      dating,
      field,
      shown: false,
    })),
  ]
})
const specified = everything.filter(({ id }) => id in SPECIFIED)

/** The types of fields that a column of a type can be without a rule. */
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

describe('the fields of the catalog', () => {
  test('come from columns of datasets that exist', () => {
    expect(specified.length).toBeGreaterThan(400)
    const strays = everything.flatMap(({ where, field }) =>
      referencesOf(field)
        .filter(reference => column(reference) === undefined)
        .map(reference => `${where} comes from ${reference}, which is not a column in sql/schema`),
    )
    expect(strays).toEqual([])
  })

  test('are dated by datasets that exist', () => {
    const strays = operations.flatMap(({ id, fields: { dating } }) =>
      (dating.length === 0 ? ['none'] : dating.filter(name => !datasets().has(name))).map(
        name => `src/operations/catalog/${id}.ts: dating: ${name} is not a dataset in sql/schema`,
      ),
    )
    expect(strays).toEqual([])
  })

  test('document parameters and orders that the operation has', () => {
    const strays = operations.flatMap(({ id, fields, parameters }) => {
      const { enum: orders = [] }: { enum?: readonly string[] } = parameters.order?.schema ?? {}
      const stems = Object.keys(parameters).map(name => name.replace(/^(min|max)_/, ''))
      // The owner comes with the token.
      const names = [...stems, ...orders, 'owner']
      return fields.parameters
        .filter(({ name }) => !names.includes(name) && !(name in parameters))
        .map(({ name }) => `src/operations/catalog/${id}.ts: it has no parameter or order ${name}`)
    })
    expect(strays).toEqual([])
  })

  test.each([
    ['screener-option-contracts', []],
    // min_price is about the underlying, the field `price` about the contract.
    ['flow-alerts', ['price']],
  ] as const)('document every filter and order of %s that is not a field of its record', (id, homonyms) => {
    const shown = recordOf(id).map(({ name }) => name)
    const { order = '', ...filters } = SPECIFIED[id]?.parameters ?? {}
    const names = [
      ...Object.keys(filters).map(name => name.replace(/^(min|max)_/, '')),
      ...order.replace(/ .*/, '').split('|'),
    ].filter(name => name !== '' && !['order_direction', 'limit', 'page'].includes(name))
    const expected = names.filter(name => !shown.includes(name) || homonyms.some(each => each === name))
    const found = fieldsOf(id).parameters.map(({ name }) => name)
    expect(found.toSorted()).toEqual([...new Set(expected)].toSorted())
  })

  test('are in each part once', () => {
    for (const {
      id,
      fields: { parts, parameters },
    } of operations)
      for (const { at, fields } of [...parts, { at: '?', fields: parameters }])
        expect(new Set(fields.map(({ name }) => name)).size, `${id} ${at}`).toBe(fields.length)
  })

  test('have a rule unless they are one column', () => {
    const silent = everything.filter(({ field }) => referencesOf(field).length !== 1 && !field.rule)
    expect(silent.map(({ where }) => where)).toEqual([])
  })

  test('have the type of their column unless they have a rule', () => {
    const unfit = everything
      .filter(({ field }) => field.rule === null)
      .filter(({ field }) => {
        const type = column(referencesOf(field)[0] ?? '')?.type.replace(/\(.*\)/, '') ?? ''
        return !SHOWN_AS[type]?.includes(field.type)
      })
    expect(unfit.map(({ where }) => where)).toEqual([])
  })

  test('document when they are null if their column may be, and only then unless the dataset is joined', () => {
    const wrong = everything
      .filter(({ field, shown }) => shown && field.rule === null)
      .filter(({ field, dating }) => {
        const [reference = ''] = referencesOf(field)
        const joinedIn = !dating.includes(reference.split('.')[0] ?? '')
        return column(reference)?.nullable ? field.nullWhen === null : field.nullWhen !== null && !joinedIn
      })
    expect(wrong.map(({ where }) => where)).toEqual([])
  })

  test('of the screener are integers for counts, decimal strings for prices and ratios', () => {
    const wrong = recordOf('screener-option-contracts').filter(({ from, type }) => {
      const stored = column(from[0] ?? '')?.type ?? ''
      return (
        /^(BIGINT|INTEGER)/.test(stored) !== (type === 'integer') ||
        /^DECIMAL/.test(stored) !== (type === 'string(dec)')
      )
    })
    expect(wrong).toEqual([])
  })

  test('have a part for every object and every array of objects', () => {
    for (const {
      id,
      fields: { parts },
    } of operations) {
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
  // Operations beyond the specification may use any column, without an edit of src/operations/fields/elsewhere.ts.
  const usedAsSpecified = new Set(specified.flatMap(({ field }) => referencesOf(field)))

  test('are used, or keys, or have a reason in src/operations/fields/elsewhere.ts', () => {
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

  test('have no reason there that is not needed', () => {
    const stale = Object.entries(ELSEWHERE).flatMap(([name, reasons]) =>
      Object.keys(reasons)
        .filter(each => {
          const found = datasets().get(name)
          const known = found?.columns.some(({ name: is }) => is === each)
          return !known || usedAsSpecified.has(`${name}.${each}`) || found?.key.includes(each)
        })
        .map(each => `${name}.${each}`),
    )
    expect(stale).toEqual([])
  })

  test('of internal datasets are used by no specified operation', () => {
    const read = new Set(
      operations.filter(({ id }) => id in SPECIFIED).flatMap(({ fields }) => datasetsOf(fields)),
    )
    for (const name of Object.keys(INTERNAL)) {
      expect(read.has(name), name).toBe(false)
      expect(datasets().has(name), name).toBe(true)
    }
  })

  test('that an internal dataset is documented to make are derived from it, if their derivation exists', () => {
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
  test('have the fields of the streaming message ChainFrag in chain_frags, in their order', () => {
    const stored = columnsOf('chain_frags').map(({ name }) => name)
    // The day places the row; the underlying is the message's key.
    expect(stored.filter(name => name !== 'date' && name !== 'underlying_symbol')).toEqual(chainFragNames())
  })
})
