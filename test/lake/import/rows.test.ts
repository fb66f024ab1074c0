import { describe, expect, test } from 'vitest'
import { BARS, DAYS, goodDay, importing } from './importing.ts'

const tomorrow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/**
 * Imports rows among enough valid ones that the file is not rejected. Returns the rejects as `line column reason
 * value`.
 */
async function rejectsAmong(format: string, header: string, rows: readonly string[], good: string) {
  const run = importing()
  const path = run.file('a.csv', [header, ...rows, ...rows.map(() => good)])
  // A few bars do not show that they are of one minute.
  const options: Readonly<Record<string, string>> = format === 'minute-bars' ? { seconds: '60' } : {}
  const report = await run.import([path], { format, options })
  const [first, ...rejects] = run.rejects()
  expect(first?.join()).toBe(report.rejected > 0 ? 'file,line,column,reason,value' : undefined)
  expect(rejects.length).toBe(report.rejected)
  return { ...run, report, rejects: rejects.map(([, line, ...rest]) => [Number(line), ...rest].join('|')) }
}

describe('a daily bar', () => {
  const header = `${DAYS},Adj Close`

  test('is kept as is, in every notation', async () => {
    const same = '2024-01-02 1.000000 2.000000 1.000000 1.500000'
    const kept: [row: string, bar: string][] = [
      [
        '2024-01-02,1.5,2,1.25,1.75,100,PLAIN,1.7',
        'PLAIN 2024-01-02 1.500000 2.000000 1.250000 1.750000 1.700000 100',
      ],
      [' 2024-01-02 , 1 ,2, 1,1.5 ,10, BLANKS ,1.7', `BLANKS ${same} 1.700000 10`],
      ['"2024-01-02","1","2","1","1.5","10","QUOTES","1.7"', `QUOTES ${same} 1.700000 10`],
      ['2012-08-01,,,,49.14,,CLOSE,', 'CLOSE 2012-08-01 - - - 49.140000 - -'],
      ['2024-01-02 00:00:00,1,2,1,1.5,10,MIDNIGHT,', `MIDNIGHT ${same} - 10`],
      ['2024-01-02,1,2,1,1.5,10,brk.b,', `BRK.B ${same} - 10`],
      ['2024-01-02,1,2,1,1.5,123.0,DECIMAL,', `DECIMAL ${same} - 123`],
      ['2024-01-02,1,2,1,1.5,0,NOTRADES,', `NOTRADES ${same} - 0`],
      ['2024-01-02,1.0000000000,2,1,1.5,10,ZEROS,', `ZEROS ${same} - 10`],
      ['2024-01-02,1,2,1,1.5,10,EXTRA,,', `EXTRA ${same} - 10`],
      [
        '2024-01-02,1,999999999999.999999,1,1,9223372036854775807,A234567890,',
        'A234567890 2024-01-02 1.000000 999999999999.999999 1.000000 1.000000 - 9223372036854775807',
      ],
      [
        '1900-01-01,0.000001,0.000001,0.000001,0.000001,0,A,0.0000006',
        'A 1900-01-01 0.000001 0.000001 0.000001 0.000001 0.000001 0',
      ],
      [
        `${tomorrow(1)},1,2,1,1.5,10,TOMORROW,`,
        `TOMORROW ${tomorrow(1)} 1.000000 2.000000 1.000000 1.500000 - 10`,
      ],
    ]
    const run = importing()
    const report = await run.import([run.file('a.csv', [header, ...kept.map(([row]) => row)])])
    expect(report).toMatchObject({ rows: kept.length, rejected: 0 })
    expect(await run.rows('FROM bars ORDER BY ticker')).toEqual(kept.map(([, bar]) => bar).toSorted())
  })

  test('keeps six decimals of an adjusted close, rounded, ties to even', async () => {
    const run = importing()
    const closes = ['185.639999389648437', '1.0000005', '1.0000015', '1.00000049999999999999999999999']
    const rows = closes.map((close, index) => `2024-01-0${index + 2},1,2,1,1.5,10,AA,${close}`)
    await run.import([run.file('a.csv', [header, ...rows])])
    expect(await run.rows('SELECT adjusted_close FROM bars ORDER BY date')).toEqual([
      '185.639999',
      '1.000000',
      '1.000002',
      '1.000000',
    ])
  })

  test('keeps six decimals of every price: the digits of a binary float beyond them were never traded', async () => {
    const run = importing()
    const row = '2024-01-02,465.864013671875,468.17401123046875,452.4219970703125,457.3340148925781,10,AA,'
    await run.import([run.file('a.csv', [header, row])])
    expect(await run.rows('SELECT open, high, low, close FROM bars')).toEqual([
      '465.864014 468.174011 452.421997 457.334015',
    ])
  })

  test('has the date in New York of an instant, and whole shares, half to even', async () => {
    const run = importing()
    const bars: [row: string, bar: string][] = [
      ['2024-01-02T00:00:00Z,1,2,1,1.5,10.5,AA,', 'AA 2024-01-02 10'],
      ['2024-01-03T05:00:00Z,1,2,1,1.5,11.5,AA,', 'AA 2024-01-03 12'],
      ['1704378600,1,2,1,1.5,12.51,AA,', 'AA 2024-01-04 13'],
      // The last trade of a session that has just ended, after midnight in UTC.
      ['2024-01-06T00:59:59Z,1,2,1,1.5,98811715.348793,AA,', 'AA 2024-01-05 98811715'],
    ]
    await run.import([run.file('a.csv', [header, ...bars.map(([row]) => row)])])
    expect(await run.rows('SELECT ticker, date, volume FROM bars ORDER BY date')).toEqual(
      bars.map(([, bar]) => bar),
    )
  })

  test('that does not fit is rejected with its line, column, reason and value', async () => {
    const faults: [row: string, reject: string][] = [
      ['2024-01-02,1,2,1,1.5,10,,', 'ticker|missing|'],
      ['2024-01-02,1,2,1,1.5,10,=1+1,', 'ticker|not a ticker|=1+1'],
      ['2024-01-02,1,2,1,1.5,10,1AA,', 'ticker|not a ticker|1AA'],
      ['2024-01-02,1,2,1,1.5,10,A2345678901,', 'ticker|not a ticker|A2345678901'],
      [',1,2,1,1.5,10,AA,', 'date|missing|'],
      ['01/02/2024,1,2,1,1.5,10,AA,', 'date|not a date YYYY-MM-DD|01/02/2024'],
      ['2024-01-02 09:30:00,1,2,1,1.5,10,AA,', 'date|not a date YYYY-MM-DD|2024-01-02 09:30:00'],
      ['infinity,1,2,1,1.5,10,AA,', 'date|not a date YYYY-MM-DD|infinity'],
      ['2023-02-29,1,2,1,1.5,10,AA,', 'date|invalid date|2023-02-29'],
      ['1899-12-31,1,2,1,1.5,10,AA,', 'date|before 1900 or in the future|1899-12-31'],
      [`${tomorrow(3)},1,2,1,1.5,10,AA,`, `date|before 1900 or in the future|${tomorrow(3)}`],
      ['2024-01-02,1e3x,2,1,1.5,10,AA,', 'open|not a plain decimal number|1e3x'],
      ['2024-01-02,1,0x10,1,1.5,10,AA,', 'high|not a plain decimal number|0x10'],
      ['2024-01-02,1,2,1_000,1.5,10,AA,', 'low|not a plain decimal number|1_000'],
      ['2024-01-02,1,2,1,NaN,10,AA,', 'close|not a plain decimal number|NaN'],
      ['2024-01-02,1,2,1,+1,10,AA,', 'close|not a plain decimal number|+1'],
      ['2024-01-02,1,2,1,.5,10,AA,', 'close|not a plain decimal number|.5'],
      ['2024-01-02,1,2,1,"1,5",10,AA,', 'close|not a plain decimal number|1,5'],
      ['2024-01-02,1,2,1,,10,AA,', 'close|missing|'],
      ['2024-01-02,1,1000000000000,1,1.5,10,AA,', 'high|too large|1000000000000'],
      ['2024-01-02,1,2,0.0,1.5,10,AA,', 'low|not above zero|0.0'],
      ['2024-01-02,-1,2,1,1.5,10,AA,', 'open|not above zero|-1'],
      ['2024-01-02,1,2,1,1.5,10,AA,1e3x', 'adjusted_close|not a plain decimal number|1e3x'],
      ['2024-01-02,1,2,1,1.5,10,AA,0.0000004', 'adjusted_close|not above zero|0.0000004'],
      ['2024-01-02,1,2,1,1.5,10,AA,1234567890123', 'adjusted_close|too large|1234567890123'],
      ['2024-01-02,1,2,1,1.5,ten,AA,', 'volume|not a plain decimal number|ten'],
      [
        '2024-01-02T15:31:00Z,1,2,1,1.5,10,AA,',
        'date|a time within the day, as bars of minutes have|2024-01-02T15:31:00Z',
      ],
      ['2024-01-02,1,2,1,1.5,9223372036854775808,AA,', 'volume|too large|9223372036854775808'],
      ['2024-01-02,1,1,2,1.5,10,AA,', 'high|below the low|1'],
      ['2024-01-02,x,y,z,,-1,,', 'ticker|missing|'],
    ]
    const rows = faults.map(([row]) => row)
    const { report, rejects } = await rejectsAmong('daily-bars', header, rows, `${goodDay('AA')},`)
    expect(rejects).toEqual(faults.map(([, reject], index) => `${index + 2}|${reject}`))
    expect(report).toMatchObject({ rejected: faults.length, rows: 1, published: true })
  })
})

describe('a minute bar', () => {
  test('of five minutes is rejected, where its start is an instant too', async () => {
    const run = importing()
    const starts = ['2024-01-02T14:30:00Z', '2024-01-02T14:35:00Z', '2024-01-02T14:40:00Z']
    const path = run.file('a.csv', [
      'ticker,start,open,high,low,close,volume',
      ...starts.map(start => `AA,${start},1,2,1,1.5,10`),
    ])
    expect(await run.refusal([path], { format: 'minute-bars' })).toMatch(
      /3 of 3 rows .* longer than a minute: specify --seconds 60/,
    )
  })

  test('starts at its UTC time and belongs to its New York day', async () => {
    const kept: [row: string, bar: string][] = [
      ['SUMMER,2014-06-05,15300000,644.8,644.8,644.8,644.8,90', 'SUMMER 2014-06-05 2014-06-05 08:15:00'],
      ['WINTER,2023-01-03,34200000,1,1,1,1,', 'WINTER 2023-01-03 2023-01-03 14:30:00'],
      ['FIRST,2023-01-03,0,1,1,1,1,', 'FIRST 2023-01-03 2023-01-03 05:00:00'],
      ['LAST,2023-01-03,86340000,1,1,1,1,', 'LAST 2023-01-03 2023-01-04 04:59:00'],
      ['FORWARD1,2024-03-10,7140000,1,1,1,1,', 'FORWARD1 2024-03-10 2024-03-10 06:59:00'],
      ['FORWARD2,2024-03-10,10800000,1,1,1,1,', 'FORWARD2 2024-03-10 2024-03-10 07:00:00'],
      ['BACK1,2024-11-03,3540000,1,1,1,1,', 'BACK1 2024-11-03 2024-11-03 04:59:00'],
      // This hour comes twice: standard time is meant.
      ['BACK2,2024-11-03,5400000,1,1,1,1,', 'BACK2 2024-11-03 2024-11-03 06:30:00'],
      ['BACK3,2024-11-03,7200000,1,1,1,1,', 'BACK3 2024-11-03 2024-11-03 07:00:00'],
    ]
    const run = importing()
    const path = run.file('a.csv', [BARS, ...kept.map(([row]) => row)])
    expect(await run.import([path], { format: 'minute-bars', options: { seconds: '60' } })).toMatchObject({
      rows: kept.length,
      rejected: 0,
    })
    expect(await run.rows('SELECT ticker, date, start FROM bars ORDER BY ticker', 'stock_bars')).toEqual(
      kept.map(([, bar]) => bar).toSorted(),
    )
  })

  test('that does not fit is rejected with its line, column, reason and value', async () => {
    const time = 'not a time of day in milliseconds'
    const faults: [row: string, reject: string][] = [
      ['AA,2024-01-02,,1,1,1,1,1', 'ms_since_midnight_et|missing|'],
      ['AA,2024-01-02,09:30,1,1,1,1,1', `ms_since_midnight_et|${time}|09:30`],
      ['AA,2024-01-02,-60000,1,1,1,1,1', `ms_since_midnight_et|${time}|-60000`],
      ['AA,2024-01-02,6e4,1,1,1,1,1', `ms_since_midnight_et|${time}|6e4`],
      ['AA,2024-01-02,86400000,1,1,1,1,1', `ms_since_midnight_et|${time}|86400000`],
      ['AA,2024-01-02,99999999999999999999,1,1,1,1,1', `ms_since_midnight_et|${time}|99999999999999999999`],
      ['AA,2024-01-02,34200001,1,1,1,1,1', 'ms_since_midnight_et|not at the start of a minute|34200001'],
      [
        'AA,2024-03-10,9000000,1,1,1,1,1',
        'ms_since_midnight_et|no such time in New York on that date (daylight saving time)|9000000',
      ],
      ['AA,2024-01-02,34200000,,1,1,1,1', 'open|missing|'],
      ['AA,2024-01-02,34200000,1,,1,1,1', 'high|missing|'],
      ['AA,2024-01-02,34200000,1,1,,1,1', 'low|missing|'],
      ['AA,2024-01-02,34200000,1,1,1,,1', 'close|missing|'],
      ['AA,2024-01-02,34200000,0,1,1,1,1', 'open|not above zero|0'],
      ['AA,2024-01-02,34200000,1,1,2,1,1', 'high|below the low|1'],
      ['A A,2024-01-02,34200000,1,1,1,1,1', 'ticker|not a ticker|A A'],
      ['AA,20240102,34200000,1,1,1,1,1', 'date|not a date YYYY-MM-DD|20240102'],
    ]
    const rows = faults.map(([row]) => row)
    const { report, rejects } = await rejectsAmong(
      'minute-bars',
      BARS,
      rows,
      'AA,2024-01-02,34200000,1,1,1,1,1',
    )
    expect(rejects).toEqual(faults.map(([, reject], index) => `${index + 2}|${reject}`))
    expect(report).toMatchObject({ rejected: faults.length, rows: 1 })
  })
})

test('the sample files are imported whole', async () => {
  const run = importing()
  expect(await run.import(['data/samples/daily-bars/daily-bars.csv'])).toMatchObject({
    rows: 40,
    rejected: 0,
  })
  expect(
    await run.import(['data/samples/minute-bars/minute-bars.csv'], { format: 'minute-bars' }),
  ).toMatchObject({
    rows: 40,
    rejected: 0,
  })
})
