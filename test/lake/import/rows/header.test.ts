import { describe, expect, test } from 'vitest'
import { parseFormat } from '../../../../src/lake/import/format/format.ts'
import { importFormat, listFormats } from '../../../../src/lake/import/format/formats.ts'
import { readHeader } from '../../../../src/lake/import/rows/header.ts'
import { goodDay, importing } from '../importing.ts'

/** The only source of a format. */
function sourceOf(name: string) {
  const [source] = importFormat(name).sources
  if (source === undefined) throw new Error('no source')
  return source
}

const format = sourceOf('daily-bars')
const NAMES = ['ticker', 'date', 'open', 'high', 'low', 'close', 'volume', 'adjusted_close']

/** The positions of the raw columns, in the order of NAMES; `-` for a missing one. */
function positions(line: string): string {
  const header = readHeader('a.csv', line, format, 'see the help')
  return NAMES.map(name => header.positions.get(name) ?? '-').join(' ')
}

describe('a header', () => {
  test.each([
    ['as in the DJIA files', 'Date,Open,High,Low,Close,Volume,Name', '6 0 1 2 3 4 5 -'],
    ['in upper case', 'DATE,OPEN,HIGH,LOW,CLOSE,VOLUME,TICKER', '6 0 1 2 3 4 5 -'],
    ['in another order', 'symbol,volume,close,low,high,open,date', '0 6 5 4 3 2 1 -'],
    ['with quotes', '"Date","Open","High","Low","Close","Volume","Name"', '6 0 1 2 3 4 5 -'],
    ['with blanks', ' Date , Open,High ,Low, Close,Volume , Name ', '6 0 1 2 3 4 5 -'],
    ['with blanks and quotes', ' "Date" ," Open ",High,Low,Close,Volume,Name', '6 0 1 2 3 4 5 -'],
    ['with semicolons', 'Date;Open;High;Low;Close;Volume;Name', '6 0 1 2 3 4 5 -'],
    ['with tabs', 'Date\tOpen\tHigh\tLow\tClose\tVolume\tName', '6 0 1 2 3 4 5 -'],
    ['with a comma in a name', 'Date;Open;High;Low;Close;Volume;Name;"a,b,c,d,e,f,g,h"', '6 0 1 2 3 4 5 -'],
    ['with Adj Close', 'Date,Open,High,Low,Close,Adj Close,Volume,Name', '7 0 1 2 3 4 6 5'],
    ['with adjusted_close', 'ticker,date,open,high,low,close,adjusted_close,volume', '0 1 2 3 4 5 7 6'],
    ['with AdjClose', 'ticker,date,open,high,low,close,AdjClose,volume', '0 1 2 3 4 5 7 6'],
    ['with columns of no use', 'x,Date,Open,High,y,Low,Close,Volume,Name', '8 1 2 3 5 6 7 -'],
    ['with a nameless index', ',Date,Open,High,Low,Close,Volume,Name', '7 1 2 3 4 5 6 -'],
    ['with symbol and company', 'Name,Date,Open,High,Low,Close,Volume,Symbol', '7 1 2 3 4 5 6 -'],
  ])('%s names the columns', (_, line, expected) => {
    expect(positions(line)).toBe(expected)
  })

  test('determines the delimiter of the rows and the unused columns', () => {
    const header = readHeader(
      'a.csv',
      'Date;Open;High;Low;Close;Volume;Name;Split Factor;;x',
      format,
      'see the help',
    )
    expect(header).toMatchObject({ delimiter: ';', width: 10, unused: ['Split Factor', 'x'] })
  })

  test('without a required column is rejected with the missing and the found ones', () => {
    expect(() => readHeader('a.csv', 'Date,Open,High,Low,Close', format, 'see the help')).toThrow(
      'a.csv lacks the columns ticker (or symbol, name), volume (or vol): the first line must be the header, but is Date, Open, High, Low, Close: see the help',
    )
    expect(() => readHeader('a.csv', '2006-01-03,1,2,3,4,5,AAPL', format, 'see the help')).toThrow(
      'but is 2006-01-03, 1,',
    )
  })

  test('with a required column twice is rejected', () => {
    expect(() =>
      readHeader('a.csv', 'Date,Open,High,Low,Close,close,Volume,Name', format, 'see the help'),
    ).toThrow('a.csv: duplicate column close in the header')
  })
})

test('a file with byte order mark, CRLF, quotes and blank lines before the header is read', async () => {
  const { file, rows, ...run } = importing()
  const text =
    '\ufeff\r\n"DATE" ; Open;"High";low;CLOSE;"Volume";Symbol\r\n"2024-01-02";1;"2";1;1.5;10;"aa"\r\n'
  const report = await run.import([file('a.csv', Buffer.from(text))])
  expect(report).toMatchObject({ rows: 1, rejected: 0 })
  expect(await rows('FROM bars')).toEqual(['AA 2024-01-02 1.000000 2.000000 1.000000 1.500000 - 10'])
})

test('an unused column is reported once for all files that have it, and its content is not read', async () => {
  const { file, notices, ...run } = importing()
  const lines = (ticker: string) => [
    'Date,Open,High,Low,Close,Volume,Name,Note',
    `${goodDay(ticker)},"a ""note"", with; -- DROP"`,
  ]
  const inputs = [file('a.csv', lines('A')), file('b.csv', lines('B'))]
  expect(await run.import(inputs)).toMatchObject({ rows: 2, rejected: 0 })
  expect(notices()).toEqual([`columns of ${inputs[0]} that are not imported: Note`])
})

test('a file without a ticker has the one of its name, if that begins with one, and is rejected otherwise', {
  tags: 'slow',
}, async () => {
  const run = importing()
  const lines = ['Date,Open,High,Low,Close,Volume', '2024-01-02,1,2,1,1.5,10']
  await run.import([run.file('AAPL.csv', lines), run.file('BRK.B_daily.csv', lines)])
  expect(await run.rows('SELECT ticker FROM bars ORDER BY ALL')).toEqual(['AAPL', 'BRK.B'])
  for (const name of ['prices.csv', 'PRICES.csv', 'DATA_2024.csv', 'Stocks.csv', '2024.csv']) {
    const path = run.file(name, lines)
    expect(await run.refusal([path])).toBe(
      `input_refused: ${path} does not contain the ticker: specify it with --ticker`,
    )
  }
})

describe('a format', () => {
  test('is defined in its SQL file', () => {
    const bars = listFormats().filter(({ name }) => /^(daily|minute)-bars$/.test(name))
    expect(bars.map(({ name, mappings }) => [name, ...mappings.map(({ dataset }) => dataset.name)])).toEqual([
      ['daily-bars', 'daily_bars'],
      ['minute-bars', 'stock_bars'],
    ])
    expect(listFormats().every(({ summary }) => summary.length > 20)).toBe(true)
    expect(
      sourceOf('minute-bars')
        .columns.map(({ name }) => name)
        .join(),
    ).toBe('ticker,date,ms_since_midnight_et,time,open,high,low,close,volume')
    expect(format.columns.filter(({ required }) => !required)).toEqual([
      expect.objectContaining({ name: 'time', accepted: ['time', 'hour'] }),
      expect.objectContaining({ name: 'adjusted_close', accepted: expect.arrayContaining(['adj close']) }),
    ])
  })

  test('with a faulty header is a defect that names the file', () => {
    const sql = '-- x: y\n-- source: raw = csv\n-- column: a = A\n-- dataset: daily_bars\nSELECT 1'
    expect(() => parseFormat('x', sql)).toThrow('sql/import/x.sql: expected "-- column: name = header name')
    expect(() => parseFormat('x', sql.replace('= A', '= a'))).not.toThrow()
    expect(() => parseFormat('x', '-- x: y\n-- source: raw = csv\n-- dataset: daily_bars\n')).toThrow(
      '"-- column: …" for the source raw',
    )
    expect(() => parseFormat('x', '-- x: y\n-- dataset: daily_bars\n')).toThrow('"-- source: …"')
    expect(() => parseFormat('x', '-- x: y\n-- source: raw = csv\n-- column: a = a\n')).toThrow(
      '"-- dataset: …"',
    )
    expect(() => parseFormat('x', sql.replace('= csv', '= cvs').replace('= A', '= a'))).toThrow(
      '"-- source: name = kind, kind"',
    )
    expect(() =>
      parseFormat('x', `${sql.replace('= A', '= a')}\n-- step: s\nSELECT 1\n-- rows: alone`),
    ).toThrow('neither steps nor reads')
    expect(() => parseFormat('x', '-- source: raw = csv\n-- column: a = a\n-- dataset: daily_bars')).toThrow(
      'one line "-- x: …"',
    )
  })

  test('that does not exist is rejected with the known ones', () => {
    expect(() => importFormat('daily')).toThrow(
      /^unknown format "daily": use one of .*daily-bars, .*minute-bars/,
    )
    expect(() => importFormat('../schema/daily_bars')).toThrow('unknown format')
  })
})
