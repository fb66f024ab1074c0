import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Pinned } from '../../src/operations/answering/answer.ts'
import { plainSql } from '../../src/operations/answering/plain-sql.ts'
import { operations } from '../../src/operations/index.ts'
import { recordsOf } from '../golden/cases.ts'
import {
  differences,
  plain,
  type Row,
  rowsOfArrow,
  rowsOfCsv,
  rowsOfNdjson,
  rowsOfParquet,
  untyped,
} from './format-rows.ts'
import { type AnsweredLake, openAnsweredLake } from './requests.ts'
import { isShaped } from './shaped.ts'

/** Every operation on a generated lake: plain SQL and every format return the same rows. */

let lake: AnsweredLake
beforeAll(async () => {
  lake = await openAnsweredLake()
}, 300_000)
afterAll(() => lake.close())

const ids = operations.map(({ id }) => id)
/** Operations whose template returns the records of the answer. */
const plainIds = operations.filter(operation => !isShaped(operation)).map(({ id }) => id)

const ndjson = async (id: string): Promise<Row[]> => rowsOfNdjson((await lake.read(id, 'ndjson')).toString())

describe('its SQL, as --sql prints it, in a plain DuckDB', () => {
  test.each(plainIds)('%s returns the rows of the answer', async id => {
    const sql = plainSql(lake.pinned.get(id) as Pinned, lake.engine)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    try {
      // A client's session may have any time zone, and nothing of what tapehouse sets up.
      await connection.run(`SET TimeZone = 'Asia/Tokyo'`)
      const rows = await (await connection.run(sql)).getRowObjectsJson()
      expect(rows.map(plain)).toEqual((await ndjson(id)).map(plain))
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  })
})

describe('the formats of', () => {
  test.each(plainIds)('%s: NDJSON has the records of the JSON', async id => {
    expect(await ndjson(id)).toEqual(recordsOf(JSON.parse((await lake.read(id, 'json')).toString())))
  })

  test.each(ids)('%s: CSV has the same rows', async id => {
    const records = rowsOfCsv((await lake.read(id, 'csv')).toString())
    expect(differences(await ndjson(id), records)).toEqual([])
  })

  test.each(ids)('%s: Arrow has the same rows, typed', async id => {
    const { rows, fields } = rowsOfArrow(await lake.read(id, 'arrow'))
    expect(rows).toEqual((await ndjson(id)).map(plain))
    expect(untyped(id, fields)).toEqual([])
  })

  test.each(ids)('%s: Parquet has the same rows, typed', async id => {
    const rows = await rowsOfParquet(await lake.read(id, 'parquet'))
    expect(differences(await ndjson(id), rows)).toEqual([])
  })
})
