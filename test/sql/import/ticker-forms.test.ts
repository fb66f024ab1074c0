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
  const own = await at.import([canonical], { format: 'csv-daily_bars' })
  expect(own.renamed).toEqual({ number: 1, tickers: [{ written: 'BRK-B', ticker: 'BRK.B' }] })
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

test('a vendor decides what its hyphen means, and an import names the tickers that it stores in another form', async () => {
  const at = importingFormat('daily-bars')
  const columns = 'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol'
  const bar = (symbol: string) => `2024-01-02T00:00:00.000000000Z,35,2,1,5,5,5,5,1,${symbol}`
  const databento = at.file('xnas.csv', [columns, ...['AGM.A', 'AGM-A', 'BAC-L', 'AAPL'].map(bar)])
  const yahoo = at.file('yahoo.csv', [
    'Symbol,Date,Open,High,Low,Close,Volume',
    ...['AGM-A', 'BAC-PL', 'BAC-L', 'aapl.us'].map(symbol => `${symbol},2024-01-03,5,5,5,5,1`),
  ])
  expect((await at.import([databento])).renamed).toEqual({
    number: 2,
    tickers: [
      { written: 'AGM-A', ticker: 'AGM.PRA' },
      { written: 'BAC-L', ticker: 'BAC.PRL' },
    ],
  })
  expect((await at.import([yahoo])).renamed).toEqual({
    number: 2,
    tickers: [
      { written: 'AGM-A', ticker: 'AGM.A' },
      { written: 'BAC-PL', ticker: 'BAC.PRL' },
    ],
  })
  expect(await at.rows("SELECT ticker, strftime(date, '%d') FROM bars ORDER BY ALL", 'daily_bars')).toEqual([
    'AAPL 02',
    'AAPL 03',
    'AGM.A 02',
    'AGM.A 03',
    'AGM.PRA 02',
    'BAC-L 03',
    'BAC.PRL 02',
    'BAC.PRL 03',
  ])
})
