import fc from 'fast-check'
import {
  differences,
  plain,
  rowsOfArrow,
  rowsOfCsv,
  rowsOfNdjson,
  rowsOfParquet,
  untyped,
} from '../format-rows.ts'
import { isShaped } from '../shaped.ts'
import { filterTexts } from './candidates.ts'
import { filtersOf } from './filter-laws.ts'
import { broken, type Law, outcomeOf } from './law.ts'
import { changed } from './question.ts'
import { limitMax } from './whole.ts'

export const formatsLaw: Law = {
  name: 'formats',
  what: 'JSON, NDJSON, CSV, Arrow and Parquet have the same rows, and columns of the same types even without rows',
  weight: 2,
  divides: false,
  subjects: () => ['Accept'],
  check: async (base, _name, draw) => {
    const { lake, operation } = base
    const filters = filtersOf(operation).filter(name => !(name in base.question))
    const name = filters.length > 0 && draw(fc.boolean()) ? draw(fc.constantFrom(...filters)) : null
    const most = limitMax(operation)
    const all = most === null ? base.question : changed(base.question, { limit: String(most) })
    const question = changed(all, name === null ? {} : { [name]: draw(filterTexts(base, name)) })
    const lines = rowsOfNdjson((await lake.ask(operation, question, 'ndjson')).bytes.toString())
    const csv = rowsOfCsv((await lake.ask(operation, question, 'csv')).bytes.toString())
    const arrow = rowsOfArrow((await lake.ask(operation, question, 'arrow')).bytes)
    const parquet = await rowsOfParquet((await lake.ask(operation, question, 'parquet')).bytes)
    const unfiltered = rowsOfArrow((await lake.ask(operation, all, 'arrow')).bytes)
    const json = isShaped(operation) ? lines : (await lake.ask(operation, question)).rows
    const wrong: Readonly<Record<string, unknown[]>> = {
      json: differences(lines, json),
      csv: differences(lines, csv),
      arrow: differences(lines.map(plain) as typeof lines, arrow.rows),
      parquet: differences(lines, parquet),
      typesOfArrow: untyped(operation.id, arrow.fields),
      columns: String(arrow.fields) === String(unfiltered.fields) ? [] : [String(arrow.fields)],
    }
    const different = Object.entries(wrong).filter(([, found]) => found.length > 0)
    if (different.length > 0)
      throw broken(
        'the formats agree',
        base,
        question,
        different.map(each => JSON.stringify(each)),
        [],
      )
    return outcomeOf(lines.length, base.whole.texts.length)
  },
}
