import { describe, expect, test } from 'vitest'
import { columnFields } from '../../../src/operations/fields/column-comments.ts'

const template = (...columns: string[]) => ({
  name: 'made-up',
  // The columns begin at line 6.
  sql: [
    'WITH days AS (',
    '  SELECT *',
    '  FROM read_parquet($stock_days)',
    ')',
    'SELECT',
    ...columns,
    'FROM days',
    'ORDER BY date',
  ].join('\n'),
})
const fieldsOf = (...columns: string[]) => columnFields(template(...columns), 'stock_days')

describe('the comments of the columns of a template', () => {
  test('are the fields in their order', () => {
    expect(
      fieldsOf(
        '  date, -- date',
        '  days.close, -- string(dec); null: the source has none',
        '  volume AS shares, -- integer from volume: rounded',
        "  coalesce(type, '') AS kind, -- array of string from tickers.type tickers.date volume: empty if unknown; null: never seen: at all",
        '  CASE',
        '    WHEN close > open THEN 1,',
        '  END AS direction -- ts(us) from close open: 1 if it rose',
      ),
    ).toEqual([
      { name: 'date', type: 'date', from: ['stock_days.date'], rule: null, nullWhen: null },
      {
        name: 'close',
        type: 'string(dec)',
        from: ['stock_days.close'],
        rule: null,
        nullWhen: 'the source has none',
      },
      { name: 'shares', type: 'integer', from: ['stock_days.volume'], rule: 'rounded', nullWhen: null },
      {
        name: 'kind',
        type: 'array of string',
        from: ['tickers.type', 'tickers.date', 'stock_days.volume'],
        rule: 'empty if unknown',
        nullWhen: 'never seen: at all',
      },
      {
        name: 'direction',
        type: 'ts(us)',
        from: ['stock_days.close', 'stock_days.open'],
        rule: '1 if it rose',
        nullWhen: null,
      },
    ])
  })

  test('have closed values', () => {
    const fields = columnFields(template('  type -- string'), 'tickers', { type: ['call', 'put'] })
    expect(fields[0]?.values).toEqual(['call', 'put'])
    expect(() => columnFields(template('  type -- string'), 'tickers', { side: ['ask'] })).toThrow(
      'sql/endpoints/made-up.sql: there is no column side',
    )
  })

  test.each([
    [
      ['  date, -- date', '  close'],
      'sql/endpoints/made-up.sql:7: the column close has no comment: add "-- <type>"',
    ],
    [
      ['  close -- decimal'],
      'sql/endpoints/made-up.sql:6: "decimal" is not a type of a field; use one of string,',
    ],
    [['  close -- string null: unknown'], 'sql/endpoints/made-up.sql:6: "string null" is not a type'],
    [['  close -- ; null: unknown'], 'sql/endpoints/made-up.sql:6: "; null: unknown" is not a type'],
    [
      ['  close + 1, -- number', '  date -- date'],
      'sql/endpoints/made-up.sql:6: the column "close + 1" has no name',
    ],
  ])('are rejected: %j', (columns, message) => {
    expect(() => fieldsOf(...columns)).toThrow(message)
  })
})
