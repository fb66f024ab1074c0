import { describe, expect, test } from 'vitest'
import { answered } from './answered.ts'
import { importingFormat } from './formats.ts'

const SAMPLES = 'data/samples/tickers'

async function imported(
  content: readonly string[] | string,
  name: string,
  options: Record<string, string> = {},
) {
  const at = importingFormat('tickers')
  const report = await at.import([at.file(name, content)], { options })
  const rows = (columns: string, where = 'true') =>
    at.rows(`SELECT ${columns} FROM bars WHERE ${where} ORDER BY ticker, date`, 'tickers')
  return { at, report, rows }
}

/** An overview as Alpha Vantage writes it, by the members that differ from those of a good one. */
const overview = (more: Record<string, unknown> = {}) => ({
  Symbol: 'ACME',
  AssetType: 'Common Stock',
  Name: 'Acme Incorporated',
  Currency: 'USD',
  Sector: 'TECHNOLOGY',
  Industry: 'ANVILS',
  LatestQuarter: '2023-12-31',
  MarketCapitalization: '1000',
  SharesOutstanding: '10',
  ExDividendDate: 'None',
  ...more,
})
const overviews = (...all: Record<string, unknown>[]) =>
  imported(JSON.stringify(all.map(overview)), 'overviews.json')

describe('the samples', () => {
  test('are imported: overviews from their quarter on, and without size and dates from 1900 on', async () => {
    const at = importingFormat('tickers')
    const report = await at.import([SAMPLES])
    expect(report).toMatchObject({ files: 3, rows: 9, rejected: 0, notes: [] })
    expect(await at.rows('SELECT * FROM bars ORDER BY ticker, date', 'tickers')).toEqual([
      'ACME 1900-01-01 Acme Incorporated - Industrials Construction Machinery & Equip Common Stock - - - - - -',
      'ACME 2023-12-31 Acme Incorporated - Industrials Construction Machinery & Equip Common Stock 12500000000.00 125000000.00 - - 2024-03-14 -',
      'BRASS 2024-01-02 Brass Corporation - Industrials Metal Fabrication Common Stock 3200000000.00 66666667.00 2024-02-08 postmarket - true',
      'BRASS 2024-02-09 Brass Corporation - Industrials Metal Fabrication Common Stock 3450000000.00 66666667.00 2024-05-09 postmarket 2024-02-20 true',
      'CEDAR 1900-01-01 Cedar Group - Healthcare - Common Stock - - - - - -',
      'CEDAR 2024-03-31 Cedar Group - Healthcare - Common Stock - 40000000.00 - - - -',
      'HARBR 2024-01-02 Harbour Holdings plc ADR - Consumer Defensive Beverages ADR - - 2024-03-01 premarket - false',
      'HUNDR 2024-01-02 Hundred Index - - - Index - - - - - true',
      'WIDE 2024-01-02 Wide Market Exchange-Traded Fund - - - ETF 480000000000.00 - - - 2024-03-15 true',
    ])
  })
})

describe('the day from which a row is valid', () => {
  test('is that of --date, and no other then', async () => {
    const { rows } = await imported(JSON.stringify(overview()), 'a.json', { date: '2014-06-02' })
    expect(await rows('date, marketcap')).toEqual(['2014-06-02 1000.00'])
    const table = await imported(['ticker,name,date', 'ACME,Acme,2024-01-02'], 'a.csv', {
      date: '2014-06-02',
    })
    expect(await table.rows('date')).toEqual(['2014-06-02'])
  })

  test('is the same from a table as from an overview', async () => {
    const header = 'ticker,full_name,date,latest_quarter,short_name'
    const { at, rows } = await imported(
      [
        header,
        'ACME,Acme,,2023-12-31,Ac',
        'BRASS,Brass,2024-01-02,2023-12-31,',
        'CEDAR,Cedar,,1900-01-01,',
        'DELTA,Delta,None,-,',
      ],
      'a.csv',
    )
    expect(at.rejects()).toEqual(['5|date|missing|'])
    expect(await rows('ticker, date, short_name')).toEqual([
      'ACME 1900-01-01 Ac',
      'ACME 2023-12-31 Ac',
      'BRASS 2024-01-02 -',
      'CEDAR 1900-01-01 -',
    ])
  })

  test('lets operations on older trades use what seldom changes, and the rest with --date', {
    tags: 'slow',
  }, async () => {
    // The canonical trades are of 2024-01-03, the overview tells of a later quarter.
    const path = (at: ReturnType<typeof importingFormat>) =>
      at.file('a.json', JSON.stringify(overview({ LatestQuarter: '2024-03-31' })))
    const seen = async (options: Record<string, string>) => {
      const at = importingFormat('tickers')
      await at.import(['data/samples/canonical/option_trades.csv'], { format: 'csv-option_trades' })
      await at.import([path(at)], { options })
      const ask = await answered(at)
      const { data: screened } = await ask<{ data: Record<string, unknown>[] }>(
        '/api/screener/option-contracts?ticker_symbol=ACME&date=2024-01-03',
      )
      const { data: flow } = await ask<{ data: Record<string, unknown>[] }>(
        '/api/option-contract/ACME240119C00100000/flow?date=2024-01-03',
      )
      expect([screened.length, flow.length]).toEqual([2, 1])
      return [...screened, ...flow].map(
        ({ sector, issue_type, marketcap }) => `${sector} ${issue_type} ${marketcap}`,
      )
    }
    expect(await seen({})).toEqual(Array(3).fill('Technology Common Stock null'))
    expect(await seen({ date: '2023-06-30' })).toEqual(Array(3).fill('Technology Common Stock 1000.00'))
  })

  test('must be present, valid and not in the future', async () => {
    const { at } = await overviews(
      { Symbol: 'A', LatestQuarter: 'None' },
      { Symbol: 'B', LatestQuarter: '2023-13-31' },
      { Symbol: 'C', LatestQuarter: '2202-12-31' },
      ...['NA', 'NONE', 'NIL'].map(symbol => ({ Symbol: symbol })),
    )
    expect(at.rejects()).toEqual([
      '1|date|missing|',
      '2|date|not a date|2023-13-31',
      '3|date|before 1900 or in the future|2202-12-31',
    ])
    const tickers = importingFormat('tickers')
    const path = tickers.file('a.json', JSON.stringify(overview()))
    expect(await tickers.refusal([path], { options: { date: 'today' } })).toContain('date: not a date')
  })
})

describe('the sector', () => {
  const MEANT = [
    ['TECHNOLOGY', 'SERVICES-PREPACKAGED SOFTWARE', 'Technology'],
    ['TECHNOLOGY', 'CABLE & OTHER PAY TELEVISION SERVICES', 'Communication Services'],
    ['MANUFACTURING', 'BEVERAGES', 'Consumer Defensive'],
    ['TRADE & SERVICES', 'RETAIL-EATING PLACES', 'Consumer Cyclical'],
    ['TRADE & SERVICES', 'RETAIL-GROCERY STORES', 'Consumer Defensive'],
    ['ENERGY & TRANSPORTATION', 'NATURAL GAS TRANSMISSION', 'Energy'],
    ['ENERGY & TRANSPORTATION', 'NATURAL GAS TRANSMISISON & DISTRIBUTION', 'Utilities'],
    ['MANUFACTURING', 'Semiconductors & Related Devices', 'Technology'],
    ['LIFE SCIENCES', 'None', 'Healthcare'],
    ['consumer cyclical', 'Anvils', 'Consumer Cyclical'],
    ['Financials', '-', 'Financial Services'],
  ] as const

  test("is that of the industry's title, else that of the sector's name", async () => {
    const { report, rows } = await overviews(
      ...MEANT.map(([Sector, Industry], n) => ({ Symbol: `T${n}`, Sector, Industry })),
    )
    const found = await Promise.all(MEANT.map((_, n) => rows('DISTINCT sector', `ticker = 'T${n}'`)))
    expect(found).toEqual(MEANT.map(([, , sector]) => [sector]))
    expect(report.notes).toEqual([])
  })

  test('is imported as NULL and reported if it is none of the eleven', async () => {
    const { report, rows } = await overviews({ Sector: 'MANUFACTURING' }, { Symbol: 'B', Sector: 'None' })
    expect(await rows('ticker, date, sector')).toEqual([
      'ACME 1900-01-01 -',
      'ACME 2023-12-31 -',
      'B 1900-01-01 -',
      'B 2023-12-31 -',
    ])
    expect(report.notes).toEqual([{ fault: 'sector: unknown sector', rows: 1 }])
  })
})

test('words in capitals are converted to one capital each', async () => {
  const { rows } = await overviews(
    { Industry: 'SERVICES-PREPACKAGED SOFTWARE, NEC (X-RAY)' },
    { Symbol: 'B', Industry: "Drills of Men's choice" },
  )
  expect(await rows('industry_type', `date > '2000-01-01'`)).toEqual([
    'Services-Prepackaged Software, Nec (X-Ray)',
    "Drills of Men's choice",
  ])
})

test('kinds are issue types however they are spelled', { tags: 'slow' }, async () => {
  const kinds = [
    ['common stock', 'Common Stock'],
    ['Stock', 'Common Stock'],
    ['etf', 'ETF'],
    ['PREFERRED_STOCK', 'Preferred Stock'],
    ['Structured Product', 'Structured Product'],
  ] as const
  const { rows } = await overviews(...kinds.map(([AssetType], n) => ({ Symbol: `T${n}`, AssetType })))
  expect(await rows('issue_type', `date > '2000-01-01'`)).toEqual(kinds.map(([, issueType]) => issueType))
})

test('a row without ticker or name, or with broken syntax, is rejected', { tags: 'slow' }, async () => {
  const { at } = await imported(
    [
      '\ufeffsymbol,name,date',
      ',Acme,2024-01-02',
      '<a>ACME</a>,Acme,2024-01-02',
      'ACME,,2024-01-02',
      'ACME',
      ...['NA', 'NAN', 'NONE', 'AB'].map(ticker => `${ticker},None,2024-01-02`),
    ],
    'a.csv',
  )
  expect(at.rejects()).toEqual([
    '2|ticker|missing|',
    '3|ticker|not a ticker|<a>ACME</a>',
    '4|full_name|missing|',
    '5||too few fields|ACME',
  ])
})

test('an invalid value is imported as NULL, and reported once', async () => {
  const bad: [member: Record<string, unknown>, note: string][] = [
    [{ AssetType: 'Coin' }, 'issue_type: unknown issue type'],
    [{ Currency: 'EUR' }, 'marketcap: not in dollars'],
    [{ MarketCapitalization: '1.5e9x' }, 'marketcap: not a number'],
    [{ MarketCapitalization: '0' }, 'marketcap: not above zero'],
    [{ SharesOutstanding: '1,23' }, 'shares_outstanding: not a number'],
    [{ SharesOutstanding: '-5' }, 'shares_outstanding: not above zero'],
    [{ ExDividendDate: '0000-00-00' }, 'ex_dividend_date: not a date'],
    [{ ExDividendDate: '2202-01-01' }, 'ex_dividend_date: before 1900 or in the future'],
  ]
  const { report, rows } = await overviews(...bad.map(([member], n) => ({ Symbol: `T${n}`, ...member })))
  expect(report).toMatchObject({ rows: 2 * bad.length, rejected: 0 })
  for (const [n, [, note]] of bad.entries())
    expect(await rows(`${note.split(':')[0]} IS NULL`, `ticker = 'T${n}'`)).toEqual(['true', 'true'])
  // The report lists the five most common; each is one of one row.
  expect(report.notes.every(({ fault, rows }) => rows === 1 && bad.some(([, note]) => note === fault))).toBe(
    true,
  )
  expect(report.accounts[0]?.notes).toHaveLength(bad.length)
})

test('an unclear time of earnings or options is imported as NULL, and reported', async () => {
  const { report, rows } = await imported(
    [
      'ticker,name,date,er_time,next_earnings_date,has_options',
      'A,a,2024-01-02,Noon,2024-02-31,maybe',
      'B,b,2024-01-02,PREMARKET,2024-02-29,No',
      'C,c,2024-01-02,unknown,2202-02-28,1',
    ],
    'a.csv',
  )
  expect(await rows('ticker, er_time, next_earnings_date, has_options')).toEqual([
    'A - - -',
    'B premarket 2024-02-29 false',
    'C unknown - true',
  ])
  expect(report.notes.map(({ fault }) => fault).toSorted()).toEqual([
    'er_time: not premarket, postmarket or unknown',
    'has_options: neither yes nor no',
    'next_earnings_date: before 1900 or in the future',
    'next_earnings_date: not a date',
  ])
})
