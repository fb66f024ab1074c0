import { join } from 'node:path'
import { expect, test } from 'vitest'
import { literal, text } from '../../../../src/engine/bind.ts'
import { draftFrom } from '../../../../src/lake/import/detect/detect.ts'
import type { ColumnRule, Layout } from '../../../../src/lake/import/layout/layout.ts'
import { sharedWriter } from '../../../fixtures/shared-writer.ts'
import { importing } from '../importing.ts'

/** Parquet files whose columns have the types that other programs write. 14:30 UTC is 09:30 in New York. */
const ROW = `SELECT
  'BRK-B'::ENUM('ACME', 'BRK-B') AS sym,
  DATE '2024-01-02' AS day,
  TIMESTAMPTZ '2024-01-02 14:30:00+00' AS zoned,
  TIMESTAMP '2024-01-02 09:30:00' AS local,
  TIMESTAMP_NS '2024-01-02 09:30:00' AS local_ns,
  1704205800::BIGINT AS seconds,
  1704205800000::BIGINT AS millis,
  1704205800000000000::BIGINT AS nanos,
  5.125::DECIMAL(18, 4) AS o,
  6.1::DOUBLE AS h,
  1e-6::DOUBLE AS l,
  5.1::FLOAT AS c,
  100::UBIGINT AS v,
  {'close': 5.0} AS prices`

async function written(folder: string): Promise<string> {
  const path = join(folder, 'vendor.parquet')
  await (await sharedWriter()).run(`COPY (${ROW}) TO ${literal(text(path))} (FORMAT parquet)`)
  return path
}

const layout = (columns: Layout['columns']): Layout => ({
  name: 'vendor',
  title: 'Files of a vendor',
  file: { kind: 'parquet' },
  columns: { ticker: 'sym', open: 'o', high: 'h', low: 'l', close: 'c', volume: 'v', ...columns },
})

const LOCAL = { time: 'iso', zone: 'America/New_York' } as const
const TIMES: readonly ColumnRule[] = [
  { from: 'zoned' },
  { from: 'local', ...LOCAL },
  { from: 'local_ns', ...LOCAL },
  { from: 'seconds' },
  { from: 'millis', time: 'unix' },
  { from: 'nanos', time: 'unix' },
]

test('columns of any type are values of a layout, with and without a zone', { tags: 'slow' }, async () => {
  const run = importing()
  const path = await written(run.folder)
  for (const time of TIMES) {
    const more = { format: 'minute-bars', options: { seconds: '60' }, layout: layout({ time }) }
    expect(await run.import([path], { ...more, isForced: true }), time.from?.toString()).toMatchObject({
      rows: 1,
    })
    expect(await run.rows('FROM bars', 'stock_bars')).toEqual([
      'BRK.B 2024-01-02 2024-01-02 14:30:00 5.125000 6.100000 0.000001 5.100000 100',
    ])
  }
  await run.import([path], { layout: layout({ date: 'day' }) })
  expect(await run.rows('SELECT ticker, date, close, volume FROM bars')).toEqual([
    'BRK.B 2024-01-02 5.100000 100',
  ])
})

test('a nested column is refused by its name, and a time without a zone is no time', async () => {
  const run = importing()
  const path = await written(run.folder)
  expect(await run.refusal([path], { layout: layout({ date: 'day', close: 'prices' }) })).toContain(
    'vendor.parquet: the column prices is nested, STRUCT("close" DECIMAL(2,1)): write each of its values as a column',
  )
  const withoutZone = { format: 'minute-bars', layout: layout({ time: 'local' }) }
  expect(await run.refusal([path], withoutZone)).toContain('time: without a zone')
})

test('a draft has the columns of the schema, and asks which of its times counts', async () => {
  const path = await written(importing().folder)
  const drafted = await draftFrom(path, 'minute-bars')
  expect(drafted).toMatchObject({
    file: { kind: 'parquet' },
    columns: { ticker: 'sym', open: 'o', high: 'h', low: 'l', close: 'c', volume: 'v' },
  })
  expect(drafted.questions).toContain(
    'No column is the time or date, ms_since_midnight_et, which minute-bars needs: add the rules of one alternative.',
  )
  expect(drafted.questions.join()).toContain('zoned (times such as 2024-01-02 14:30:00+00)')
})
