import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatNames } from '../../src/operations/answering/formats.ts'
import type { Operation } from '../../src/operations/answering/operation.ts'
import { operations } from '../../src/operations/index.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { countCases } from '../fixtures/tier.ts'
import { openAnsweredLake } from '../operations/requests.ts'
import { isShaped } from '../operations/shaped.ts'

/** Other readers compare values and types of an answer in each format: the script shares nothing with the program. */

const tools = process.env.TAPEHOUSE_READER_TOOLS
const script = fileURLToPath(new URL('answers.py', import.meta.url))
const folder = temporaryFolder()
const run = promisify(execFile)

/** The documented type of each field of a record, and of the objects in it, by their paths in the record. */
function typesOf({ fields: { parts } }: Operation): Record<string, string> {
  const places = ['data.data[]', 'data[]', 'data']
  const records = parts.find(({ at }) => at === places.find(place => parts.some(part => part.at === place)))
  const own = parts.filter(({ at }) => records && (at === records.at || at.startsWith(`${records.at}.`)))
  return Object.fromEntries(
    own.flatMap(({ at, fields }) =>
      fields.map(({ name, type }) => [
        [at.slice(records?.at.length).replace(/^\./, ''), name].filter(Boolean).join('.'),
        type,
      ]),
    ),
  )
}

/** The columns of the rows of analytics-window, whose JSON is no list of records. */
const FIGURES = {
  calculation: 'string',
  symbol: 'string',
  other_symbol: 'string',
  bin: 'integer',
  lower_edge: 'number',
  upper_edge: 'number',
  start_time: 'ts',
  end_time: 'ts',
  value: 'number',
}

/** Differences by operation and reader. */
type Report = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const compare = async (ids: readonly string[]): Promise<Report> => {
  const python = join(tools ?? '', 'venv/bin/python')
  const { stdout } = await run(python, ['-B', script, folder, ...ids], { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

describe.skipIf(tools === undefined)('with the reader tools, the answer of each operation', () => {
  beforeAll(async () => {
    const lake = await openAnsweredLake()
    for (const operation of operations) {
      mkdirSync(join(folder, operation.id))
      const types = isShaped(operation) ? FIGURES : typesOf(operation)
      writeFileSync(join(folder, operation.id, 'types.json'), JSON.stringify(types))
      for (const format of formatNames)
        writeFileSync(join(folder, operation.id, `answer.${format}`), await lake.read(operation.id, format))
    }
    await lake.close()
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('has the same values, of the documented types, in each format for each reader', async () => {
    const report = await compare(operations.map(({ id }) => id))
    expect(Object.keys(report)).toEqual(operations.map(({ id }) => id))
    for (const [id, readers] of Object.entries(report)) {
      countCases(Object.keys(readers).length)
      expect(Object.keys(readers), id).toEqual(READERS)
      for (const [reader, differences] of Object.entries(readers))
        expect(differences, `${id}, ${reader}`).toEqual([])
    }
  })
})

const READERS = [
  'json',
  'ndjson',
  'csv by pyarrow',
  'arrow by pyarrow',
  'arrow by polars',
  'parquet by pyarrow',
  'parquet by duckdb',
]
