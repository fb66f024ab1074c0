import { expect, test } from 'vitest'
import { answered } from './answered.ts'
import { importingFormat } from './formats.ts'

test('a share class is one ticker in files of every vendor and in requests', async () => {
  const at = importingFormat('daily-bars')
  const header = 'Symbol,Date,Open,High,Low,Close,Volume'
  const files = ['BRK-B', 'brk-b.us', 'BRK/B', 'BRK B'].map((ticker, n) =>
    at.file(`${n}.csv`, [header, `${ticker},2024-01-0${n + 2},5,5,5,${5 + n},1`]),
  )
  const canonical = at.file('own.csv', ['ticker,date,close', 'BRK-B,2024-01-08,10', 'BTC-USD,2024-01-08,10'])
  expect(await at.import(files)).toMatchObject({ rows: 4, rejected: 0 })
  await at.import([canonical], { format: 'csv-daily_bars' })
  expect(await at.rows('SELECT ticker, count(*) FROM bars GROUP BY 1 ORDER BY 1', 'daily_bars')).toEqual([
    'BRK.B 5',
    'BTC-USD 1',
  ])
  const ask = await answered(at)
  const returns = (symbols: string) =>
    ask(`/api/analytics/window?symbols=${symbols}&range=full&interval=DAILY&calculations=CUMULATIVE_RETURN`)
  const expected = { data: { payload: { RETURNS_CALCULATIONS: { CUMULATIVE_RETURN: { 'BRK.B': 1 } } } } }
  expect(await returns('BRK-B')).toMatchObject(expected)
  expect(await returns('brk.b,BRK-B')).toMatchObject(expected)
})
