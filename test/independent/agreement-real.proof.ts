import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGREE, ALL, agree, imported, python } from './agree.ts'

const realdata = fileURLToPath(new URL('../../../shared/realdata/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tapehouse-agreement-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!python || !existsSync(realdata))('python3 agrees on the real data of ../shared', () => {
  const days = join(realdata, 'stocks_daily/djia_2006_2018')
  const csv = existsSync(days) ? readdirSync(days).map(name => join(days, name)) : []
  const bars = join(realdata, 'stocks_intraday/lean_equity_minute_trade.csv.gz')
  // A lake each: days that minute bars make would be the daily ones' newest.
  beforeAll(async () => {
    await imported('daily-bars', csv, join(folder, 'daily-bars'))
    await imported('minute-bars', [bars], join(folder, 'minute-bars'))
  })
  const daily: Record<string, string>[] = [
    { symbols: 'AAPL,MSFT,IBM', range: '2010-01-01', range_end: '2016-12-31' },
    { symbols: 'BA,CAT,DIS,NOPE', range: 'full', ohlc: 'open' },
    { symbols: 'GE,KO', range: '18month', range_end: '2012-10-31', ohlc: 'high', interval: 'WEEKLY' },
    { symbols: 'aabA,xom', range: '2008-09', ohlc: 'low' },
    { symbols: 'BA,JPM', range: '10year', interval: 'MONTHLY', ohlc: 'close' },
  ]
  test.each(daily)('$symbols $range $range_end $interval $ohlc', async query => {
    expect(await agree(join(folder, 'daily-bars'), { ...query, calculations: ALL }, csv)).toMatch(AGREE)
  })
  const intraday: Record<string, string>[] = [
    { symbols: 'AAPL', range: '2014-06-05', range_end: '2014-06-09', interval: '1min' },
    { symbols: 'AAPL,TWX', range: '2014-06', interval: '15min', ohlc: 'high' },
    {
      symbols: 'AAPL',
      range: '2014-06-05T14:00:00Z',
      range_end: '2014-06-06T15:30:00Z',
      interval: '60min',
      ohlc: 'open',
    },
  ]
  test.each(intraday)('$symbols $range $range_end $interval $ohlc', async query => {
    // Daily closes of AAPL in 2014 hold no adjustment: raw prices on both sides.
    expect(await agree(join(folder, 'minute-bars'), { ...query, calculations: ALL }, [bars])).toMatch(AGREE)
  })
})
