import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { arrowTable } from '../../../src/engine/arrow/arrow.ts'
import { openConnection } from '../encode/answers.ts'
import { readColumn } from './read-arrow.ts'

/** Texts around the 12 bytes that are stored in a vector itself, some equal, some null, some with more than one byte per letter. */
const ROWS = `
  SELECT
    i,
    CASE WHEN i % 11 <> 0 THEN left('ACME241220C00190000 and more than that ж', (hash(i) % 40)::BIGINT) END AS mixed,
    CASE WHEN i % 13 <> 0 THEN 'ACME241220C' || lpad((i % 50)::VARCHAR, 8, '0') END AS repeated,
    'contract number ' || i::VARCHAR AS long,
    (i % 100)::VARCHAR AS short,
    CASE WHEN i % 5 <> 0 THEN ['a text of some length ' || i::VARCHAR, NULL, 'short'] END AS several
  FROM range(20000) AS numbers (i)`

const SOURCES: Readonly<Record<string, (file: string) => string>> = {
  'as they are made': () => ROWS,
  'as a sort leaves them': () => `FROM (${ROWS}) ORDER BY hash(i)`,
  'as they are read from Parquet': file => `FROM read_parquet('${file}')`,
  'as a sort of a file leaves them': file => `FROM read_parquet('${file}') ORDER BY repeated, long`,
  'as an aggregate leaves them': file =>
    `SELECT min(i) AS i, mixed, repeated, max(long) AS long, short, min(several) AS several
     FROM read_parquet('${file}') GROUP BY mixed, repeated, short`,
}

test.each(Object.entries(SOURCES))(
  'texts %s are what the client reads',
  { tags: 'slow' },
  async (_, source) => {
    const folder = mkdtempSync(join(tmpdir(), 'tapehouse-texts-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const connection = await openConnection()
    const file = join(folder, 'rows.parquet')
    await connection.run(`COPY (${ROWS}) TO '${file}'`)
    await connection.run(`CREATE TABLE answer AS ${source(file)}`)
    for (const query of [source(file), 'FROM answer']) {
      const result = await connection.run(query)
      const table = arrowTable(result)
      const columns = await result.getColumnsJson()
      for (const [index, name] of result.columnNames().entries()) {
        if (name !== 'i') expect(readColumn(table.getChild(name))).toEqual(columns[index])
      }
    }
  },
)
