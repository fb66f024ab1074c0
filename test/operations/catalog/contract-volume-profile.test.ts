import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { macros } from '../../../src/engine/macros.ts'
import { resources } from '../../../src/engine/resources.ts'
import { contractVolumeProfile } from '../../../src/operations/catalog/contract-volume-profile.ts'

/** All conditions of sale of the OPRA tape, as the import of trades lists them. */
const conditions = [
  ...resources.read('sql/import/option-trades.sql').matchAll(/\('\w', '(\w{4})', \d+, /g),
].map(([, code]) => code)

test.each([
  ['is_floor', 'floor_vol'],
  ['is_cross', 'cross_vol'],
  ['is_sweep', 'sweep_vol'],
])(
  'the macro %s is true of the conditions that the rule of %s lists, and of no others',
  async (name, field) => {
    const rule = contractVolumeProfile.fields.parts[0]?.fields.find(each => each.name === field)?.rule ?? ''
    const listed = conditions.filter(code => new RegExp(`\\b${code}\\b`).test(rule))
    expect(conditions).toHaveLength(33)
    expect(listed.length).toBeGreaterThan(0)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    for (const { sql } of macros()) await connection.run(sql)
    const values = conditions.map(code => `('${code}')`).join(', ')
    const found = await connection.runAndReadAll(
      `SELECT code FROM (VALUES ${values}) AS all_conditions (code) WHERE ${name}(code)`,
    )
    expect(found.getRowsJson().flat()).toEqual(listed)
    const unknown = await connection.runAndReadAll(`SELECT ${name}(NULL)`)
    expect(unknown.getRowsJson()).toEqual([[null]])
    connection.closeSync()
    instance.closeSync()
  },
)
