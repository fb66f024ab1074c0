import { describe, expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

type Said = Readonly<Record<string, string>>

async function imported(lines: readonly string[], options: Said = {}, name = 'series.csv') {
  const at = importingFormat('fred')
  const report = await at.import([at.file(name, lines)], { options })
  const rows = (columns: string) => at.rows(`SELECT ${columns} FROM bars ORDER BY ALL`, 'economic_points')
  return { at, report, rows }
}

async function refusal(lines: readonly string[], options: Said = {}, name = 'series.csv'): Promise<string> {
  const at = importingFormat('fred')
  return at.refusal([at.file(name, lines)], { options })
}

test('the samples are imported under the indicators of the API, blanks as dates without a value', async () => {
  const at = importingFormat('fred')
  const report = await at.import(['data/samples/fred'])
  // 10 days, 4 quarters, and 3 months of two series.
  expect(report).toMatchObject({ files: 3, rows: 20, rejected: 0, notes: [] })
  expect(await at.rows('SELECT * FROM bars ORDER BY indicator, date', 'economic_points')).toEqual([
    'cpi  monthly 2024-01-01 301.500000',
    'cpi  monthly 2024-02-01 302.250000',
    'cpi  monthly 2024-03-01 303.123000',
    'gdp  quarterly 2023-01-01 20100.500000',
    'gdp  quarterly 2023-04-01 20200.250000',
    'gdp  quarterly 2023-07-01 20450.125000',
    'gdp  quarterly 2023-10-01 20600.000000',
    'treasury-yield 10year daily 2024-02-26 4.100000',
    'treasury-yield 10year daily 2024-02-27 4.150000',
    'treasury-yield 10year daily 2024-02-28 4.120000',
    'treasury-yield 10year daily 2024-02-29 4.050000',
    'treasury-yield 10year daily 2024-03-01 3.990000',
    'treasury-yield 10year daily 2024-03-04 4.020000',
    'treasury-yield 10year daily 2024-03-05 -',
    'treasury-yield 10year daily 2024-03-06 -',
    'treasury-yield 10year daily 2024-03-07 3.890000',
    'treasury-yield 10year daily 2024-03-08 3.890000',
    'unemployment  monthly 2024-01-01 4.400000',
    'unemployment  monthly 2024-02-01 -',
    'unemployment  monthly 2024-03-01 4.500000',
  ])
})

// By their titles in FRED.
const SERIES = [
  ['GDPC1', 'gdp  quarterly'],
  ['GDPCA', 'gdp  annual'],
  ['A939RX0Q048SBEA', 'gdp-per-capita  quarterly'],
  ['DGS1MO', 'treasury-yield 1month daily'],
  ['DGS3MO', 'treasury-yield 3month daily'],
  ['DGS6MO', 'treasury-yield 6month daily'],
  ['DGS1', 'treasury-yield 1year daily'],
  ['DGS2', 'treasury-yield 2year daily'],
  ['DGS3', 'treasury-yield 3year daily'],
  ['DGS5', 'treasury-yield 5year daily'],
  ['DGS7', 'treasury-yield 7year daily'],
  ['DGS10', 'treasury-yield 10year daily'],
  ['DGS20', 'treasury-yield 20year daily'],
  ['DGS30', 'treasury-yield 30year daily'],
  ['WGS3MO', 'treasury-yield 3month weekly'],
  ['WGS2YR', 'treasury-yield 2year weekly'],
  ['WGS5YR', 'treasury-yield 5year weekly'],
  ['WGS7YR', 'treasury-yield 7year weekly'],
  ['WGS10YR', 'treasury-yield 10year weekly'],
  ['WGS30YR', 'treasury-yield 30year weekly'],
  ['GS3M', 'treasury-yield 3month monthly'],
  ['GS2', 'treasury-yield 2year monthly'],
  ['GS5', 'treasury-yield 5year monthly'],
  ['GS7', 'treasury-yield 7year monthly'],
  ['GS10', 'treasury-yield 10year monthly'],
  ['GS30', 'treasury-yield 30year monthly'],
  ['DFF', 'fed-funds  daily'],
  ['FF', 'fed-funds  weekly'],
  ['FEDFUNDS', 'fed-funds  monthly'],
  ['CPIAUCSL', 'cpi  monthly'],
  ['CPIAUCNS', 'cpi  monthly'],
  ['CUUS0000SA0', 'cpi  semiannual'],
  ['FPCPITOTLZGUSA', 'inflation  annual'],
  ['RSXFS', 'retail-sales  monthly'],
  ['RSXFSN', 'retail-sales  monthly'],
  ['DGORDER', 'durables  monthly'],
  ['UMDMNO', 'durables  monthly'],
  ['UNRATE', 'unemployment  monthly'],
  ['UNRATENSA', 'unemployment  monthly'],
  ['PAYEMS', 'payrolls  monthly'],
  ['PAYNSA', 'payrolls  monthly'],
] as const

test('each known series is imported under its indicator, maturity and interval', async () => {
  const at = importingFormat('fred')
  // A year of its own for each, so that those for the same indicator do not replace each other.
  const files = SERIES.map(([series], n) =>
    at.file(`${n}.csv`, [`observation_date,${series}`, `${1970 + n}-01-01,${n}`]),
  )
  expect(await at.import(files)).toMatchObject({ rows: SERIES.length, rejected: 0 })
  const rows = await at.rows(
    'SELECT indicator, maturity, interval, value::INTEGER AS n FROM bars ORDER BY date',
    'economic_points',
  )
  expect(rows).toEqual(SERIES.map(([, where], n) => `${where} ${n}`))
})

describe('which series it is', () => {
  const POINT = '2020-01-01,1.5'

  test('is determined by the header, then --indicator, then the name of the file', async () => {
    const named = await imported(['DATE,VALUE', POINT], {}, 'unrate.csv')
    expect(await named.rows('indicator')).toEqual(['unemployment'])
    const specified = await imported(['date,value', POINT], { indicator: 'dff' }, 'UNRATE.csv')
    expect(await specified.rows('indicator, interval')).toEqual(['fed-funds daily'])
    const inHeader = await imported(['date,PAYEMS', POINT], { indicator: 'DFF' }, 'UNRATE.csv')
    expect(await inHeader.rows('indicator')).toEqual(['payrolls'])
    const known = await imported(['date,UNRATE', POINT], { indicator: 'gdp', interval: 'annual' })
    expect(await known.rows('indicator, interval')).toEqual(['unemployment monthly'])
  })

  test('is that of --indicator and --interval for an unknown series', async () => {
    const gdp = await imported(['date,GDPC96', POINT], {
      indicator: 'gdp',
      interval: 'quarterly',
      maturity: '2year',
    })
    expect(await gdp.rows('indicator, maturity, interval')).toEqual(['gdp  quarterly'])
    const yields = await imported(['date,DGS10_2024', POINT], {
      indicator: 'Treasury-Yield',
      interval: 'daily',
      maturity: '10year',
    })
    expect(await yields.rows('indicator, maturity, interval')).toEqual(['treasury-yield 10year daily'])
  })

  test('is rejected with a hint if nothing determines it', { tags: 'slow' }, async () => {
    const unknown = 'series: unknown series: specify it with --indicator'
    expect(await refusal(['date,GDP', POINT])).toContain(unknown)
    expect(await refusal(['date,value', POINT], {}, 'download.csv')).toContain(unknown)
    expect(await refusal(['date,value', POINT], { indicator: 'gold' })).toContain(unknown)
    const none = 'series: not a column of one known series: specify it with --indicator'
    expect(await refusal(['date,GDP,GNP', POINT.concat(',2')])).toContain(none)
    expect(await refusal(['date', '2020-01-01'])).toContain(none)
  })

  test('needs a valid interval and, for a yield, a valid maturity', async () => {
    const with_ = (options: Said) => refusal(['date,value', POINT], options)
    const yields = { indicator: 'treasury-yield', interval: 'daily' }
    expect(await with_({ indicator: 'gdp' })).toContain('interval: unknown: specify it with --interval')
    expect(await with_({ indicator: 'gdp', interval: 'hourly' })).toContain('interval: not an interval')
    expect(await with_(yields)).toContain('maturity: unknown: specify it with --maturity')
    expect(await with_({ ...yields, maturity: '4year' })).toContain('maturity: not a maturity')
  })

  test('known series of a file with several are imported', async () => {
    const { rows } = await imported(['observation_date,GDP,UNRATE,GNP,PAYEMS', '2020-01-01,1,2,3,4'])
    expect(await rows('indicator, value')).toEqual(['payrolls 4.000000', 'unemployment 2.000000'])
  })

  test('the first by name of two series for one indicator is imported and the other rejected', async () => {
    const { at, rows } = await imported(['observation_date,CPIAUCSL,CPIAUCNS,UNRATE', '2020-01-01,1,2,3'])
    expect(await rows('indicator, value')).toEqual(['cpi 2.000000', 'unemployment 3.000000'])
    expect(at.rejects()).toEqual(['2|series|duplicate series of its indicator|CPIAUCSL'])
  })
})

describe('a period', () => {
  test.each([
    ['UNRATE', ['2020-01-01', '2020-12-01'], ['2020-01-31', '2020-02-02']],
    ['GDPC1', ['2020-01-01', '2020-10-01'], ['2020-12-01', '2020-04-02']],
    ['CUUS0000SA0', ['2020-01-01', '2020-07-01'], ['2020-04-01', '2020-07-02']],
    ['GDPCA', ['1999-01-01', '2020-01-01'], ['2020-07-01', '2020-01-02']],
    ['WGS10YR', ['2020-01-03', '2020-01-10'], []],
    ['DGS10', ['2020-01-03', '2020-01-04'], []],
  ])('of %s is dated by its first day, or rejected', async (series, fit, unfit) => {
    const { at, rows } = await imported([`date,${series}`, ...[...fit, ...unfit].map(day => `${day},1`)])
    expect(await rows('date')).toEqual(fit)
    expect(at.rejects()).toEqual(
      unfit.map((day, n) => `${fit.length + n + 2}|date|not the first day of its period|${day}`),
    )
  })
})

test('invalid rows are rejected with line, column and reason', async () => {
  const bad: [line: string, ...faults: string[]][] = [
    [',1,2', 'date|missing|'],
    ['2020-02-30,1,2', 'date|not a date|2020-02-30'],
    ['1/2/2020,1,2', 'date|not a date|1/2/2020'],
    ['2202-01-01,1,2', 'date|before 1900 or in the future|2202-01-01'],
    [
      '2020-03-01,"1,234","2\n"',
      'dgs10|not a plain decimal number|1,234',
      'dgs2|not a plain decimal number|2\n',
    ],
    [
      '2020-03-02,1e3x,<b>2</b>',
      'dgs10|not a plain decimal number|1e3x',
      'dgs2|not a plain decimal number|<b>2</b>',
    ],
    ['2020-03-03,1234567890123,2', 'dgs10|too large|1234567890123'],
    ['2020-03-04,1', '|too few fields|2020-03-04,1'],
  ]
  const good = Array.from({ length: 9 }, (_, n) => `2020-01-0${n + 1},N/A,-0.5`)
  const { at, report } = await imported([
    '\ufeffobservation_date,DGS10,DGS2',
    ...good,
    ...bad.map(([l]) => l),
  ])
  // The newline within quotes is a line of its own in the count.
  const line = (n: number) => n + 11 + (n > 4 ? 1 : 0)
  expect(at.rejects().toSorted()).toEqual(
    bad.flatMap(([, ...faults], n) => faults.map(fault => `${line(n)}|${fault}`)).toSorted(),
  )
  // Of the lines with a broken cell, the other one of two stays.
  expect(report).toMatchObject({ rows: 19, rejected: 10 })
  expect(
    await at.rows(
      'SELECT maturity, count(*), count(value), sum(value) FROM bars GROUP BY 1 ORDER BY 1',
      'economic_points',
    ),
  ).toEqual(['10year 9 0 -', '2year 10 10 -2.500000'])
})

test('series of several frequencies in one file have their own dates, whatever the other columns have', async () => {
  const { report, rows } = await imported([
    'observation_date,DGS10,UNRATE,GDPC1,FF',
    // 30 and 31 December 2023 are a weekend.
    '2023-12-29,3.88,,,',
    '2023-12-30,,,,',
    '2024-01-01,,3.7,22.5,',
    '2024-01-02,3.95,,,',
    '2024-01-03,3.91,,,5.33',
    '2024-02-01,3.87,,,',
    '2024-02-07,4.09,,,5.33',
    '2024-03-01,4.19,3.8,,',
    '2024-04-01,4.33,3.9,23.25E+0,',
    '2024-05-01,,,,',
  ])
  expect(report).toMatchObject({ rejected: 0 })
  expect(await rows("date, coalesce(value::VARCHAR, 'none'), indicator")).toEqual([
    '2023-12-29 3.880000 treasury-yield',
    '2024-01-01 22.500000 gdp',
    '2024-01-01 3.700000 unemployment',
    '2024-01-01 none treasury-yield',
    '2024-01-02 3.950000 treasury-yield',
    '2024-01-03 3.910000 treasury-yield',
    '2024-01-03 5.330000 fed-funds',
    '2024-02-01 3.870000 treasury-yield',
    '2024-02-01 none unemployment',
    '2024-02-07 4.090000 treasury-yield',
    '2024-02-07 5.330000 fed-funds',
    '2024-03-01 3.800000 unemployment',
    '2024-03-01 4.190000 treasury-yield',
    '2024-04-01 23.250000 gdp',
    '2024-04-01 3.900000 unemployment',
    '2024-04-01 4.330000 treasury-yield',
  ])
})

test('the XML of the API is one series, named by the file; of several vintages one is stored', async () => {
  const at = importingFormat('fred')
  const seen = (from: string, day: string, value: string) =>
    `<observation realtime_start="${from}" realtime_end="9999-12-31" date="${day}" value="${value}"/>`
  const xml = at.file('GDPC1.xml', [
    '<?xml version="1.0" encoding="utf-8" ?>',
    '<observations realtime_start="2024-01-25" realtime_end="9999-12-31" units="lin" count="4">',
    seen('2024-01-25', '2023-10-01', '22672.859'),
    seen('2024-02-28', '2023-10-01', '22668.986'),
    seen('2024-03-28', '2023-10-01', '22679.255'),
    seen('2024-04-25', '2024-01-01', '.'),
    '</observations>',
  ])
  const points = () => at.rows('SELECT indicator, date, value FROM bars ORDER BY ALL', 'economic_points')
  await at.import([xml], { options: { vintage: 'first' } })
  expect(await points()).toEqual(['gdp 2023-10-01 22672.859000', 'gdp 2024-01-01 -'])
  await at.import([xml], { options: { vintage: '2024-03-01' } })
  expect(await points()).toEqual(['gdp 2023-10-01 22668.986000', 'gdp 2024-01-01 -'])
  await at.import([xml])
  expect(await points()).toEqual(['gdp 2023-10-01 22679.255000', 'gdp 2024-01-01 -'])
  expect(await at.refusal([xml], { options: { vintage: 'newest' } })).toContain(
    'vintage: --vintage is neither first, latest nor a date',
  )
})
