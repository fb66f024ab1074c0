import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { importing } from './importing.ts'

const STOCKS = '../shared/realdata/stocks_daily/djia_2006_2018'
const MINUTES = '../shared/realdata/stocks_intraday/lean_equity_minute_trade.csv.gz'

describe.skipIf(!existsSync(STOCKS))(`the real files in ${STOCKS}`, () => {
  test('are imported, each row accounted for, one file a year', async () => {
    const run = importing()
    const lines = readdirSync(STOCKS).flatMap(name =>
      readFileSync(join(STOCKS, name), 'utf8').trim().split('\n').slice(1),
    )
    const records = lines.map(line => line.trim().split(','))
    // One low is 0.0, which is no price; all others are blank or positive.
    const wrong = records.filter(record =>
      record.slice(1, 5).some(price => price !== '' && Number(price) <= 0),
    )
    expect([records.length, wrong]).toEqual([
      93_612,
      [['2009-04-17', '26.16', '26.47', '0.0', '26.1', '21671267', 'HD']],
    ])

    const report = await run.import([STOCKS])
    expect(report).toMatchObject({ files: 31, skipped: 0, rows: 93_611, rejected: 1, snapshot: 1 })
    expect(report.partitions).toEqual(Array.from({ length: 12 }, (_, index) => String(2006 + index)))
    expect(run.rejects().slice(1)).toEqual([
      [join(STOCKS, 'HD_2006-01-01_to_2018-01-01.csv'), '829', 'low', 'not above zero', '0.0'],
    ])

    // Read by hand from the CSVs.
    expect(
      await run.rows(
        `FROM bars WHERE (ticker, date) IN (('AAPL', '2006-01-03'), ('DIS', '2012-08-01'), ('AXP', '2017-07-31'), ('XOM', '2017-12-29')) ORDER BY date`,
      ),
    ).toEqual([
      'AAPL 2006-01-03 10.340000 10.680000 10.320000 10.680000 - 201853036',
      'DIS 2012-08-01 - - - 49.140000 - 0',
      'AXP 2017-07-31 - 85.700000 - 85.230000 - 3079797',
      'XOM 2017-12-29 84.000000 84.200000 83.640000 83.640000 - 8523411',
    ])
    const closes = new Map<string, string>()
    for (const [date, , , , close, , ticker] of records)
      closes.set(`${ticker} ${date}`, Number(close).toFixed(6))
    closes.delete('HD 2009-04-17')
    const stored = await run.rows('SELECT ticker, date, close FROM bars ORDER BY ticker, date')
    expect(stored).toEqual([...closes].map(([key, close]) => `${key} ${close}`).toSorted())

    expect(await run.import([STOCKS])).toMatchObject({
      files: 31,
      skipped: 31,
      snapshot: 1,
      published: false,
    })
  })
})

describe.skipIf(!existsSync(MINUTES))(`the real file ${MINUTES}`, () => {
  test('is imported whole, with its New York times as UTC', async () => {
    const run = importing()
    const records = gunzipSync(readFileSync(MINUTES)).toString('utf8').trim().split('\n').slice(1)
    expect(records.length).toBe(21_258)
    expect(await run.import([MINUTES], { format: 'minute-bars' })).toMatchObject({
      rows: 21_258,
      rejected: 0,
    })
    const first = await run.rows(
      `FROM bars WHERE ticker = 'AAPL' AND date = '2014-06-05' ORDER BY start LIMIT 1`,
      'stock_bars',
    )
    expect(first).toEqual([
      'AAPL 2014-06-05 2014-06-05 08:15:00 644.800000 644.800000 644.800000 644.800000 90',
    ])

    // The same times by another way: the platform's calendar of New York instead of DuckDB's.
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    const stored = await run.rows('SELECT ticker, date, epoch_ms(start), close FROM bars', 'stock_bars')
    const local = stored.map(row => {
      const [ticker, date, start, close] = row.split(' ')
      return `${ticker} ${date} ${clock.format(Number(start))} ${close}`
    })
    const expected = records.map(record => {
      const [ticker, date, since, , , , close] = record.split(',')
      const time = new Date(Number(since)).toISOString().slice(11, 19)
      return `${ticker} ${date} ${date} ${time} ${Number(close).toFixed(6)}`
    })
    expect(local.toSorted()).toEqual(expected.toSorted())
  })
})
