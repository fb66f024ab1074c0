import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { arrowTable } from '../../../src/engine/arrow/arrow.ts'
import { seriesOf } from '../../../src/operations/analytics/compute.ts'

const DAY_MS = 86_400_000
/** A batch has 2,048 rows: B and C are in two of them, D and E in the third one. */
const LENGTHS = { A: 1500, B: 1500, C: 1500, D: 600, E: 900 }
/** From this row on, the times of C are a day later than those of the others. */
const LATER = 1000

const pricesOf = (length: number, place: number) =>
  Array.from({ length }, (_, row) => place * 10_000 + row + 1)
const timesOf = (length: number, symbol: string) =>
  Array.from({ length }, (_, row) => (row + (symbol === 'C' && row >= LATER ? 1 : 0)) * DAY_MS)

test('rows of a symbol in several batches are its series, and symbols share equal times', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const symbols = Object.entries(LENGTHS).map(
    ([symbol, length], place) => `(${place}, '${symbol}', ${length})`,
  )
  const result = await connection.run(`
    SELECT
      symbol,
      (place * 10000 + i + 1)::DOUBLE AS price,
      make_timestamp((i + if(symbol = 'C' AND i >= ${LATER}, 1, 0)) * ${DAY_MS} * 1000) AS time,
      NULL::TIMESTAMP AS period,
      1::UTINYINT AS is_adjusted,
      NULL::DOUBLE AS split_ratio,
      NULL::DOUBLE AS dividend_ratio,
      NULL::VARCHAR AS suspected_split
    FROM (VALUES ${symbols}) symbols(place, symbol, length), range(1500) days(i)
    WHERE i < length
    ORDER BY place, i`)
  const series = seriesOf(arrowTable(result), ['E', 'D', 'C', 'B', 'A']).toReversed()
  connection.closeSync()
  instance.closeSync()

  expect(series.map(({ symbol }) => symbol)).toEqual(Object.keys(LENGTHS))
  expect(series.map(({ prices }) => [...prices])).toEqual(Object.values(LENGTHS).map(pricesOf))
  expect(series.map(({ times }) => [...times])).toEqual(
    Object.entries(LENGTHS).map(([symbol, length]) => timesOf(length, symbol)),
  )
  expect(series[1]?.times).toBe(series[0]?.times)
})
