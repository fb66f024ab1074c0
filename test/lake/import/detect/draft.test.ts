import { describe, expect, test } from 'vitest'
import { draftLayout } from '../../../../src/lake/import/detect/draft.ts'
import { formOf } from '../../../../src/lake/import/detect/value-forms.ts'

/** Columns by name, as the sample of a file has them. */
const draft = (fileName: string, columns: Readonly<Record<string, readonly string[]>>, only?: string) => {
  const found = draftLayout(
    fileName,
    { file: { kind: 'csv' }, names: Object.keys(columns), values: Object.values(columns) },
    only,
  )
  if (found === null) throw new Error('no draft')
  return found
}

describe('the form of the values of a column', () => {
  test.each<[readonly string[], string, object]>([
    [['2024-01-31'], 'date', {}],
    [['31/01/2024', '01/02/2024'], 'date', { date: '%d/%m/%Y' }],
    [['01/31/2024', '02/01/2024'], 'date', { date: '%m/%d/%Y' }],
    [['29/04/2013 23:59', '30/04/2013 23:59'], 'date', { date: '%d/%m/%Y %H:%M' }],
    [['29/04/2013 10:00', '30/04/2013 11:00'], 'time', { time: '%d/%m/%Y %H:%M' }],
    [['26JAN24'], 'date', { date: '%d%b%y' }],
    [['2 Dec2024'], 'date', { date: '%d %b%Y' }],
    [['20240131 093000', '20240131 093100'], 'time', { time: '%Y%m%d %H%M%S' }],
    [['1704712781414'], 'time', { time: 'unix' }],
    [['11:00', '12:00'], 'clock', {}],
    [['1.234,50', '38,97'], 'number', { number: 'eu' }],
    [['118,93M'], 'number', { number: 'eu' }],
    [['$1,234.50', '(12)'], 'number', { number: 'us' }],
    [['55.47M'], 'number', { number: 'us' }],
    [['1e-05', '-3.5'], 'number', {}],
    [['-', '3'], 'number', { null: ['-'] }],
    [['SPY', 'BRK.B'], 'ticker', {}],
    [['BTC-USD'], 'pair', {}],
    [['AAPL  240119C00190000'], 'contract', {}],
    [['days38'], 'text', {}],
  ])('%j', (values, kind, conversions) => {
    expect(formOf('x', values)).toMatchObject({ kind, conversions })
    expect(formOf('x', values).conversions).toEqual(conversions)
  })

  test('a text of many megabytes is no number, whatever its characters', () => {
    expect(formOf('x', [`1${',234'.repeat(6_000_000)}`])).toMatchObject({ kind: 'text' })
  })

  test('asks for the order of day and month, and for the zone', () => {
    expect(formOf('Date', ['01/02/2024']).questions).toEqual([
      'Is Date month first (%m/%d/%Y) or day first (%d/%m/%Y)? 01/02/2024 may be both.',
    ])
    expect(formOf('Time', ['2024-01-31 09:30', '2024-01-31 09:31']).questions).toEqual([
      'In which time zone is Time? Set "zone" of its rule, such as "America/New_York" or "UTC".',
    ])
  })
})

describe('a draft of a layout', () => {
  test('of Portuguese names, with the ticker in the name of the file', () => {
    const found = draft('PETR4 2024.csv', {
      Data: ['04.04.2024', '03.04.2024'],
      Último: ['38,97', '38,42'],
      Abertura: ['38,49', '38,69'],
      Máxima: ['39,47', '38,81'],
      Mínima: ['37,46', '38,22'],
      'Vol.': ['118,93M', '31,38M'],
      'Var%': ['1,43%', '-0,52%'],
    })
    expect(found.format).toBe('daily-bars')
    expect(found.columns).toEqual({
      ticker: { option: 'ticker', or: { file: expect.any(String) } },
      date: { from: 'Data', date: '%d.%m.%Y' },
      open: { from: 'Abertura', number: 'eu' },
      high: { from: 'Máxima', number: 'eu' },
      low: { from: 'Mínima', number: 'eu' },
      close: { from: 'Último', number: 'eu' },
      volume: { from: 'Vol.', number: 'eu' },
    })
    expect(found.questions).toContainEqual(expect.stringContaining("Is it in the file's name, PETR4?"))
    expect(found.questions).toContainEqual(
      expect.stringContaining('No rule reads Var% (numbers such as 1,43%)'),
    )
  })

  test('of a date and a time of day in two columns, and a number that is named like a date elsewhere', () => {
    const found = draft('export.csv', {
      '<TICKER>': ['IMOEX', 'IMOEX'],
      '<PER>': ['60', '60'],
      '<DATE>': ['20220103', '20220103'],
      '<TIME>': ['11:00', '12:00'],
      '<OPEN>': ['3824.45', '3854'],
      '<HIGH>': ['3861.9', '3866.1'],
      '<LOW>': ['3824.29', '3852.16'],
      '<CLOSE>': ['3854.08', '3855.5'],
      '<VOL>': ['11733696859', '9187850231'],
    })
    expect(found.format).toBe('minute-bars')
    expect(found.columns.time).toEqual({ join: ['<DATE>', '<TIME>'], time: '%Y%m%d %H:%M' })
    expect(found.questions).toContainEqual(
      expect.stringContaining('In which time zone are <DATE> and <TIME>?'),
    )
  })

  test('of a date and a time of day of trades, whose format has no date alone', () => {
    const found = draft('flow.csv', {
      date: ['2024-01-02', '2024-01-02'],
      time: ['09:45:12', '09:46:00'],
      ticker: ['ACME', 'ACME'],
      strike: ['190', '185'],
      type: ['call', 'put'],
      expiry: ['2024-01-19', '2024-01-19'],
      price: ['1.55', '1.5'],
      size: ['100', '7'],
    })
    expect(found.format).toBe('option-trades')
    expect(found.columns.time).toEqual({ join: ['date', 'time'], time: '%Y-%m-%d %H:%M:%S' })
    expect(found.questions).toContainEqual(expect.stringContaining('In which time zone are date and time?'))
  })

  test('of option contracts by root, expiry, type and strike', () => {
    const found = draft('options.csv', {
      asof: ['2026-06-26'],
      ticker: ['SPY'],
      expiry: ['2026-07-17'],
      type: ['put'],
      strike: ['620.0'],
      bid: ['0.39'],
      ask: ['0.4'],
      open_interest: ['24299'],
    })
    expect(found).toMatchObject({
      format: 'option-chain',
      columns: {
        option_symbol: { optional: true },
        root: 'ticker',
        expiration: 'expiry',
        option_type: 'type',
      },
    })
  })

  test('of calls and puts beside each other', () => {
    const found = draft('vix.csv', {
      Expiration: ['20090110'],
      Strike: ['200'],
      'Call Bid': ['717.6'],
      'Call Ask': ['722.8'],
      'Put Bid': ['0'],
      'Put Ask': ['0.05'],
    })
    expect(found).toMatchObject({
      format: 'option-chain',
      unpivot: '^(?<side>Call|Put) (?<field>.+)$',
      columns: { option_type: { from: 'side', words: { Call: 'call', Put: 'put' } }, bid: 'Bid', ask: 'Ask' },
    })
  })

  test('of trades with words that the format does not read', () => {
    const found = draft(
      'trades.csv',
      {
        Politician: ['Jane Doe House'],
        Issuer: ['Acme Corp'],
        PublishedDate: ['10 Jan2025'],
        TradedDate: ['2 Dec2024'],
        Type: ['sell', 'buy'],
        SizeRange: ['1K–15K'],
      },
      'congress-house',
    )
    expect(found.columns).toMatchObject({
      transaction_date: { from: 'TradedDate', date: '%d %b%Y' },
      disclosure_date: { from: 'PublishedDate', date: '%d %b%Y' },
      amount: 'SizeRange',
    })
    expect(found.questions).toContainEqual(expect.stringContaining('Type has sell, buy.'))
  })

  test('is none of a file that resembles no format', () => {
    expect(
      draftLayout('a.csv', { file: { kind: 'csv' }, names: ['foo'], values: [['bar']] }, undefined),
    ).toBeNull()
  })
})
