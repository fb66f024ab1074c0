import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Lake, Row, Value } from '../lake.ts'
import type { Reader } from '../readers.ts'
import type { Random } from './random.ts'

/** Where the values of a request's parameters come from. */
export interface Source {
  /** A value of a parameter that occurs with the other values of the request; undefined if none is known. */
  readonly likely: (name: string) => Value | undefined
  /** A value of the parameter that occurs in the data. */
  readonly any: (name: string) => Value | undefined
}

/**
 * The values for one request: of a random sample, or of a random row of each dataset. Without a date they are, if such
 * values are found, of the default date.
 */
export type Sampling = (random: Random, isDated: boolean) => Source

const TRIES = 10

export function samplingOf(operation: Operation, reader: Reader, lake: Lake): Sampling {
  const samples = reader.samples?.(lake) ?? []
  const columns = columnsOf(operation)
  const date = lake.closedDate(operation.fields.dating)
  const draw = (random: Random): Source => {
    const rows = new Map<string, Row | undefined>()
    const anyRow = (dataset: string) => pick(random, lake.rows(dataset))
    const ofColumn = (name: string, rowOf: (dataset: string) => Row | undefined) => {
      const [dataset = '', column = ''] = (columns.get(name) ?? '').split('.')
      return rowOf(dataset)?.[column]
    }
    const likelyRow = (dataset: string) => {
      if (!rows.has(dataset)) rows.set(dataset, anyRow(dataset))
      return rows.get(dataset)
    }
    const sample = pick(random, samples)
    return {
      likely: name => sample?.[name] ?? ofColumn(name, likelyRow),
      any: name => pick(random, samples)?.[name] ?? ofColumn(name, anyRow),
    }
  }
  return (random, isDated) => {
    for (let tries = 1; !isDated && tries < TRIES; tries += 1) {
      const source = draw(random)
      if (source.likely('date') === date) return source
    }
    return draw(random)
  }
}

const pick = <T>(random: Random, values: readonly T[]): T | undefined =>
  values.length === 0 ? undefined : random.of(values)

/** The column, `dataset.column`, that a parameter, or the stem of its bounds, compares with first. */
function columnsOf({ fields }: Operation): ReadonlyMap<string, string> {
  const [dated = ''] = fields.dating
  const columns = new Map([['date', `${dated}.date`]])
  for (const { name, from } of [...fields.parts.flatMap(part => part.fields), ...fields.parameters]) {
    const [first] = typeof from === 'string' ? [] : from
    if (first !== undefined) columns.set(name, first)
  }
  return columns
}
