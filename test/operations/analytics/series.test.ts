import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { arrowTable } from '../../../src/engine/arrow/arrow.ts'
import { seriesOf } from '../../../src/operations/analytics/compute.ts'

const ROWS = 1500
const DAY_MS = 86_400_000

// A batch has 2,048 rows: those of B and C are in two of them. C has the times of the others, a day later from its 1,000th row on.
test('rows of a symbol in several batches are its series, and symbols share equal times', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const result = await connection.run(`
    SELECT
      symbol,
      (place * 10000 + i + 1)::DOUBLE AS price,
      make_timestamp((i + if(symbol = 'C' AND i >= 1000, 1, 0)) * ${DAY_MS} * 1000) AS time,
      NULL::TIMESTAMP AS period,
      1::UTINYINT AS is_adjusted,
      NULL::DOUBLE AS split_ratio,
      NULL::DOUBLE AS dividend_ratio,
      NULL::VARCHAR AS suspected_split
    FROM (VALUES (1, 'A'), (2, 'B'), (3, 'C')) symbols(place, symbol), range(${ROWS}) days(i)
    ORDER BY place, i`)
  const series = seriesOf(arrowTable(result), ['C', 'A', 'B'])
  connection.closeSync()
  instance.closeSync()

  expect(series.map(({ symbol }) => symbol)).toEqual(['C', 'A', 'B'])
  const prices = (place: number) => Array.from({ length: ROWS }, (_, i) => place * 10_000 + i + 1)
  expect(series.map(each => [...each.prices])).toEqual([prices(3), prices(1), prices(2)])
  const times = (later: number) =>
    Array.from({ length: ROWS }, (_, i) => (i + (i >= 1000 ? later : 0)) * DAY_MS)
  expect(series.map(each => [...each.times])).toEqual([times(1), times(0), times(0)])
  expect(series[2]?.times).toBe(series[1]?.times)
})
