import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { literal, text } from '../../../../src/engine/bind.ts'
import { canonicalFormat, importable } from '../../../../src/lake/import/format/canonical.ts'
import { dataset } from '../../../../src/lake/store/datasets.ts'
import { amount, sampleOf } from '../../../fixtures/tier.ts'
import { readingOf, sampleSql } from '../canonical-files.ts'

const ROWS = 60
const DATASETS = amount({ test: 8, prove: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY })

describe('rows of every dataset come back as they were, whatever they are written in', () => {
  test.each(sampleOf(importable(), DATASETS))('%s', async name => {
    const run = await readingOf(name)
    const { columns, key } = dataset(name)
    await run.writer.run(`CREATE TABLE sample AS ${sampleSql(columns, key, ROWS)}`)
    const lists = columns.filter(({ type }) => type.endsWith('[]')).map(each => each.name)
    const asJson =
      lists.length === 0 ? '' : `REPLACE (${lists.map(each => `to_json("${each}") AS "${each}"`)})`
    const files = [
      ['csv', 'FROM sample', '(FORMAT csv, HEADER)'],
      ['csv', `SELECT * ${asJson} FROM sample`, `(FORMAT csv, HEADER, DELIM ';', COMPRESSION gzip)`],
      ['csv', `SELECT * ${asJson} FROM sample`, `(FORMAT csv, HEADER, FORCE_QUOTE (${columns[0]?.name}))`],
      ['ndjson', 'FROM sample', '(FORMAT json)'],
      ['parquet', 'FROM sample', '(FORMAT parquet)'],
      ['parquet', 'SELECT COLUMNS(*)::VARCHAR FROM sample', '(FORMAT parquet)'],
    ] as const
    for (const [index, [kind, select, how]] of files.entries()) {
      const path = join(run.folder, `${index}.${kind}${how.includes('gzip') ? '.gz' : ''}`)
      await run.writer.run(`COPY (${select}) TO ${literal(text(path))} ${how}`)
      expect(await run.read(kind, path), how).toBe(ROWS)
      expect(await run.rejects(), `${kind} ${how}`).toEqual([])
      expect(await run.differences('sample'), `${kind} ${how}`).toBe(0)
    }
    expect(run.unused).toEqual([])
  })
})

describe('a dataset', () => {
  test('that is unknown is rejected with the nearest one', () => {
    expect(() => canonicalFormat('csv', 'option_trade')).toThrow(
      /unknown dataset "option_trade": did you mean option_trades\? Datasets: .*, stock_trades/,
    )
  })

  test('that is derived from others is rejected with the datasets to import instead', () => {
    expect(() => canonicalFormat('csv', 'price_levels')).toThrow(
      'price_levels is derived from other datasets: import stock_trades instead',
    )
    expect(importable()).not.toContain('price_levels')
  })
})
