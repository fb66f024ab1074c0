import { describe, expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

async function imported(lines: readonly string[], options: Readonly<Record<string, string>> = {}) {
  const at = importingFormat('fx-rates')
  const report = await at.import([at.file('rates.csv', lines)], { options })
  const rows = (columns: string) => at.rows(`SELECT ${columns} FROM bars ORDER BY ALL`, 'fx_quotes')
  return { at, report, rows }
}

/** Rates of the yen that nothing is wrong with, so that bad lines are not most of a file. */
const good = (number: number, line: (day: string) => string) =>
  Array.from({ length: number }, (_, n) => line(`2024-01-${String(n + 1).padStart(2, '0')}`))

describe('the samples', () => {
  test('of the ECB becomes one rate per currency and day at 15:00 UTC, blanks excluded', async () => {
    const at = importingFormat('fx-rates')
    const report = await at.import(['data/samples/fx-rates/eurofxref-hist.csv'])
    // 5 days of 6 currencies; three days without the kuna are 27.
    expect(report).toMatchObject({ rows: 27, rejected: 0, notes: [] })
    expect(await at.rows(`SELECT * FROM bars WHERE date = '2024-03-05' ORDER BY quote`, 'fx_quotes')).toEqual(
      [
        'EUR BGN 2024-03-05 2024-03-05 15:00:00 1.9500000000 - -',
        'EUR GBP 2024-03-05 2024-03-05 15:00:00 0.8125000000 - -',
        'EUR JPY 2024-03-05 2024-03-05 15:00:00 160.5000000000 - -',
        'EUR TRY 2024-03-05 2024-03-05 15:00:00 30.2573000000 - -',
        'EUR USD 2024-03-05 2024-03-05 15:00:00 1.2500000000 - -',
      ],
    )
    expect(await at.rows(`SELECT date, rate FROM bars WHERE quote = 'HRK' ORDER BY 1`, 'fx_quotes')).toEqual([
      '2022-12-29 7.5000000000',
      '2022-12-30 7.5000000000',
    ])
  })

  test('of quotes becomes rates at the midpoint of bid and ask', async () => {
    const at = importingFormat('fx-rates')
    expect(await at.import(['data/samples/fx-rates/quotes.csv'])).toMatchObject({ rows: 4, notes: [] })
    // (1.2399 + 1.2402) / 2 = 1.24005; 16:00 five hours behind UTC is 21:00.
    expect(await at.rows('SELECT * FROM bars ORDER BY base, quote', 'fx_quotes')).toEqual([
      'EUR USD 2024-03-04 2024-03-04 21:00:00 1.2400500000 1.2399000000 1.2402000000',
      'GBP USD 2024-03-04 2024-03-04 21:00:00 1.5500000000 1.5499000000 1.5501000000',
      'USD CAD 2024-03-04 2024-03-04 15:00:00 1.3625000000 - -',
      'USD JPY 2024-03-04 2024-03-04 21:00:00 129.2500000000 - -',
    ])
  })
})

test("a column for each currency may be for another base, and have the day's name in words", async () => {
  // The ECB's file of the day has blanks after its commas.
  const { rows } = await imported(['Date, EUR, JPY', '04 March 2024, 0.8, 129.5', '2024-03-05, 0.81, -'], {
    base: 'usd',
  })
  expect(await rows('base, quote, date, rate')).toEqual([
    'USD EUR 2024-03-04 0.8000000000',
    'USD EUR 2024-03-05 0.8100000000',
    'USD JPY 2024-03-04 129.5000000000',
  ])
})

test("the column names of the ECB's data portal are read", async () => {
  const { rows } = await imported([
    'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,TIME_PERIOD,OBS_VALUE',
    'EXR.D.NOK.EUR.SP00.A,D,NOK,EUR,SP00,2024-03-04,11.5',
  ])
  expect(await rows('*')).toEqual(['EUR NOK 2024-03-04 2024-03-04 15:00:00 11.5000000000 - -'])
})

describe('in columns of currencies', () => {
  test('each invalid cell is rejected alone, an invalid day once, and the rest of the row is imported', async () => {
    const bad: [line: string, ...faults: string[]][] = [
      ['2024-02-30,1.1,150', 'date|not a date|2024-02-30'],
      ['2202-03-04,1.1,150', 'date|before 1900 or in the future|2202-03-04'],
      [',1.1,150', 'date|missing|'],
      ['2024-03-04,"1,234.5",0', 'jpy|not above zero|0', 'usd|not a plain decimal number|1,234.5'],
      ['2024-03-05,-1.1,100000000', 'jpy|too large|100000000', 'usd|not above zero|-1.1'],
      ['2024-03-06,1.1,1e2x', 'jpy|not a plain decimal number|1e2x'],
      ['2024-03-07,,', 'rate|missing|'],
      ['2024-03-08,1.1', '|too few fields|2024-03-08,1.1'],
    ]
    const { at, report, rows } = await imported([
      '\ufeffDate,USD,JPY',
      ...bad.map(([line]) => line),
      ...good(9, day => `${day},N/A,150`),
    ])
    expect(report).toMatchObject({ rows: 10, rejected: 10 })
    expect(at.rejects().toSorted()).toEqual(
      bad.flatMap(([, ...faults], n) => faults.map(fault => `${n + 2}|${fault}`)).toSorted(),
    )
    expect((await rows('date, quote, rate')).at(-1)).toEqual('2024-03-06 USD 1.1000000000')
  })

  test('a rate of a currency in itself is rejected', async () => {
    const { at } = await imported(['Date,EUR,USD,JPY', '2024-03-04,1,1.1,150'])
    expect(at.rejects()).toEqual(['2|quote|the same as the base|EUR'])
  })

  test('a base that is not a currency is rejected', async () => {
    const at = importingFormat('fx-rates')
    const path = at.file('rates.csv', ['Date,USD', '2024-03-04,1.1'])
    expect(await at.refusal([path], { options: { base: 'EURO' } })).toContain('base: not a currency code')
  })
})

test('invalid rows of files with one row per pair are rejected with line, column and reason', async () => {
  const bad: [line: string, fault: string][] = [
    ['EUR,,2024-03-04,1.1,,', 'quote|missing|'],
    ['EUR,US,2024-03-04,1.1,,', 'quote|not a currency code|US'],
    ['€,USD,2024-03-04,1.1,,', 'base|not a currency code|€'],
    ['USD,USD,2024-03-04,1.1,,', 'quote|the same as the base|USD'],
    ['EUR,USD,2024-03-04 25:00:00,1.1,,', 'time|not a date|2024-03-04 25:00:00'],
    // A date and a time, not milliseconds of 1976.
    ['EUR,USD,202403041530,1.1,,', 'time|not a date|202403041530'],
    ['EUR,USD,2024-03-04,N/A,,', 'rate|missing|'],
    ['EUR,USD,2024-03-04,abc,,', 'rate|not a plain decimal number|abc'],
    ['EUR,USD,2024-03-04,,1.2,1.1', 'bid|above the ask|1.2'],
    ['EUR,USD,2024-03-04,,1.2,', 'bid|without an ask|1.2'],
  ]
  const { at } = await imported([
    'base,quote,time,rate,bid,ask',
    ...bad.map(([line]) => line),
    ...good(10, day => `usd,jpy,${day},150,,`),
  ])
  expect(at.rejects()).toEqual(bad.map(([, fault], n) => `${n + 2}|${fault.replace('time|', 'date|')}`))
})

test('a rate is imported without an invalid bid and ask, which are reported', async () => {
  const { report, rows } = await imported([
    'base,quote,time,rate,bid,ask',
    'EUR,AUD,2024-03-04,1.6,1.5,',
    'EUR,CAD,2024-03-04,1.4,,1.5',
    'EUR,CHF,2024-03-04,0.9,0.95,0.94',
    'EUR,GBP,2024-03-04,0.8,x,0.81',
    'EUR,SEK,2024-03-04,11,10.9,0',
  ])
  expect(report.rejected).toBe(0)
  expect(await rows('quote, rate, bid, ask')).toEqual([
    'AUD 1.6000000000 - -',
    'CAD 1.4000000000 - -',
    'CHF 0.9000000000 - -',
    'GBP 0.8000000000 - -',
    'SEK 11.0000000000 - -',
  ])
  expect(report.notes.map(({ fault }) => fault).toSorted()).toEqual([
    'ask: not above zero',
    'ask: without a bid',
    'bid: above the ask',
    'bid: not a plain decimal number',
    'bid: without an ask',
  ])
})

test('the midpoint of bid and ask takes precedence over a rate, which is reported unless it is between them', async () => {
  const { report, rows } = await imported([
    'base,quote,time,rate,bid,ask',
    'EUR,GBP,2024-03-04,0.81,0.8,0.81',
    'EUR,USD,2024-03-04,1.3,1.1,1.2',
  ])
  expect(await rows('quote, rate')).toEqual(['GBP 0.8050000000', 'USD 1.1500000000'])
  expect(report.notes).toEqual([{ fault: 'rate: not between bid and ask', rows: 1 }])
})

test('a quote at midnight is of midnight, unless all quotes of the file are, which then are of the dates', async () => {
  const at = importingFormat('fx-rates')
  const header = 'base,quote,time,rate'
  const times = at.file('times.csv', [
    header,
    'EUR,USD,2024-03-04 00:00:00,1.5',
    'EUR,USD,2024-03-04 15:00:00,1.25',
    'EUR,USD,2024-03-05T00:00:00Z,1.125',
    'EUR,USD,2024-03-06,1',
  ])
  const dates = at.file('dates.csv', [
    header,
    'EUR,GBP,2024-03-04 00:00:00,0.5',
    'EUR,GBP,2024-03-05 00:00:00,0.75',
  ])
  const wide = at.file('wide.csv', ['Date,JPY', '2024-03-04 00:00:00,150', '2024-03-05 00:00:00,1.5E+2'])
  expect(await at.import([times, dates, wide])).toMatchObject({ rows: 8, rejected: 0 })
  expect(
    await at.rows('SELECT quote, time, rate::DECIMAL(9, 3) FROM bars ORDER BY quote, time', 'fx_quotes'),
  ).toEqual([
    'GBP 2024-03-04 15:00:00 0.500',
    'GBP 2024-03-05 15:00:00 0.750',
    'JPY 2024-03-04 15:00:00 150.000',
    'JPY 2024-03-05 15:00:00 150.000',
    'USD 2024-03-04 00:00:00 1.500',
    'USD 2024-03-04 15:00:00 1.250',
    'USD 2024-03-05 00:00:00 1.125',
    'USD 2024-03-06 15:00:00 1.000',
  ])
})

test('the XML of the ECB becomes the same rates, of one day or of several', async () => {
  const at = importingFormat('fx-rates')
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
	<Cube>
		<Cube time='2024-04-17'>
			<Cube currency='USD' rate='1.0639'/>
			<Cube currency='JPY' rate='164.31'/>
		</Cube>
		<Cube time='2024-04-16'>
			<Cube currency='USD' rate='1.0637'/>
			<Cube currency='JPY' rate='-1'/>
		</Cube>
	</Cube>
</gesmes:Envelope>
`
  expect(await at.import([at.file('eurofxref-hist-90d.xml', text)])).toMatchObject({ rows: 3 })
  expect(await at.rows('SELECT base, quote, time, rate FROM bars ORDER BY ALL', 'fx_quotes')).toEqual([
    'EUR JPY 2024-04-17 15:00:00 164.3100000000',
    'EUR USD 2024-04-16 15:00:00 1.0637000000',
    'EUR USD 2024-04-17 15:00:00 1.0639000000',
  ])
  expect(at.rejects()).toEqual(['1|rate|not above zero|-1'])
})
