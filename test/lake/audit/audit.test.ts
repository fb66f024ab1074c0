import { describe, expect, test } from 'vitest'
import { openWriter } from '../../../src/engine/writer.ts'
import { audit } from '../../../src/lake/audit/audit.ts'
import { checks, parseCheck } from '../../../src/lake/audit/check.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { read } from '../../house/source.ts'
import { silent } from '../store/days.ts'
import { plantedLake } from './planted-lake.ts'

/** One fault per search: its check and dataset, the statement that plants it, and the one finding, worked out by hand. */
const FAULTS: readonly (readonly [check: string, dataset: string, sql: string, finding: string])[] = [
  [
    'below-intrinsic',
    'option_chain_days',
    "UPDATE option_chain_days SET bid = 17.5, ask = 18 WHERE strike = 80 AND date = '2024-07-30'",
    // 100 e^(-0.1 × 17/365) − 80 = 19.535, less 1.
    '2024-07-30 FULL240816C00080000 18.0 ask 18.00, intrinsic value 19.54: stock 100.00, strike 80',
  ],
  [
    'below-intrinsic',
    'option_trades',
    'UPDATE option_trades SET price = 5, nbbo_bid = 5 WHERE strike = 110; UPDATE option_trades SET nbbo_ask = 7 WHERE strike = 110',
    // 110 e^(-0.1 × 17/365) − 100 = 9.489, less 1.
    '2024-07-30 FULL240816P00110000 5.0 price 5.00, intrinsic value 9.49: stock 100.00, strike 110',
  ],
  [
    'broken-parity',
    'option_chain_days',
    "UPDATE option_chain_days SET bid = 7, ask = 7.2 WHERE strike = 100 AND option_type = 'call' AND date = '2024-07-31'",
    // T = 16/365: bounds 100 × 0.99563 − 100 − 1 and 100 − 99.563 + 1.
    '2024-07-31 FULL240816C00100000 4.1 call less put is 4.10, and should be within -1.44 and 1.44: stock 100.00, strike 100',
  ],
  [
    'crossed-quote',
    'option_chain_days',
    "UPDATE option_chain_days SET bid = 1.3 WHERE strike = 90 AND option_type = 'put' AND date = '2024-07-31'",
    '2024-07-31 FULL240816P00090000 1.3 bid 1.3, ask 1.2',
  ],
  [
    'crossed-quote',
    'option_trades',
    'UPDATE option_trades SET nbbo_bid = 1.3 WHERE strike = 90',
    '2024-07-30 FULL240816P00090000 1.3 bid 1.3, ask 1.2 at 2024-07-30 14:00:00',
  ],
  [
    'few-rows',
    'daily_bars',
    // 11 rows a day: FULL, SPL, REU and eight others. A quarter of that is 2.75.
    "DELETE FROM daily_bars WHERE date = '2024-07-31' AND ticker NOT IN ('FULL', 'SPL')",
    '2024-07-31  2 2 rows; the median of the 20 dates before is 11',
  ],
  [
    'non-positive-price',
    'daily_bars',
    "UPDATE daily_bars SET low = 0 WHERE ticker = 'FULL' AND date = '2024-05-01'",
    '2024-05-01 FULL 0.0 open 100.0, high 100.0, low 0.0, close 100.0',
  ],
  [
    'non-positive-price',
    'stock_bars',
    'UPDATE stock_bars SET low = -1',
    '2024-07-30 FULL -1.0 open 100.0, high 101.0, low -1.0, close 100.0 at 2024-07-30 14:00:00',
  ],
  [
    'non-positive-price',
    'crypto_candles',
    'UPDATE crypto_candles SET low = 0',
    '2024-07-30 BTC-USD 0.0 open 5.0, high 6.0, low 0.0, close 5.0 at 2024-07-30 14:00:00',
  ],
  [
    'non-positive-price',
    'stock_trades',
    'UPDATE stock_trades SET price = 0',
    '2024-07-30 FULL 0.0 price 0.0 at 2024-07-30 14:00:00',
  ],
  [
    'non-positive-price',
    'option_trades',
    'UPDATE option_trades SET price = 0 WHERE strike = 90',
    '2024-07-30 FULL240816P00090000 0.0 price 0.0 at 2024-07-30 14:00:00',
  ],
  [
    'non-positive-price',
    'option_chain_days',
    "UPDATE option_chain_days SET last = -0.1 WHERE strike = 110 AND option_type = 'put' AND date = '2024-07-31'",
    '2024-07-31 FULL240816P00110000 -0.1 bid 10.9, ask 11.3, last -0.1',
  ],
  [
    'non-positive-price',
    'fx_quotes',
    'UPDATE fx_quotes SET rate = 0',
    '2024-07-30 EUR-USD 0.0 rate 0.0 at 2024-07-30 14:00:00',
  ],
  [
    'open-interest-jump',
    'option_chain_days',
    // 100 contracts were traded on the day before; 111 more than the tolerance of 10 is the least that counts.
    "UPDATE option_chain_days SET open_interest = 1111 WHERE strike = 110 AND option_type = 'call' AND date = '2024-07-31'",
    '2024-07-31 FULL240816C00110000 1111 open interest 1111 after 1000, with a volume of 100 on 2024-07-30',
  ],
  [
    'undeclared-split',
    'daily_bars',
    "UPDATE daily_bars SET adjusted_close = close WHERE ticker = 'SPL'",
    '2024-03-04 SPL 100.0 opens at 100.00 after a close of 400.00, near 4:1, and neither stock_splits nor adjusted_close has the split',
  ],
  ...(
    [
      [
        'daily_bars',
        "INSERT INTO daily_bars BY NAME SELECT * REPLACE ('BRK-B' AS ticker) FROM daily_bars WHERE ticker = 'FULL' AND date = '2024-07-30'",
      ],
      [
        'stock_bars',
        "INSERT INTO stock_bars BY NAME SELECT * REPLACE ('BRK-B' AS ticker, 100 AS low) FROM stock_bars",
      ],
      [
        'stock_trades',
        "INSERT INTO stock_trades BY NAME SELECT * REPLACE ('BRK-B' AS ticker, 100 AS price) FROM stock_trades",
      ],
      [
        'tickers',
        "INSERT INTO tickers BY NAME SELECT * REPLACE ('BRK-B' AS ticker, DATE '2024-07-30' AS date) FROM tickers WHERE date = '2024-01-02'",
      ],
    ] as const
  ).map(
    ([dataset, sql]) =>
      [
        'vendor-ticker',
        dataset,
        sql,
        `2024-07-30 BRK-B BRK-B no request finds it: import its files again with --force, then run tapehouse drop ${dataset} --tickers BRK-B`,
      ] as const,
  ),
]

describe('an audit', () => {
  test('finds the one planted fault of each search, and of each day alone', async () => {
    const { lake, writer } = await plantedLake(FAULTS.flatMap(([, , sql]) => sql.split('; ')))
    const { found, checks: searched } = await audit(writer, lake, silent)
    const lines = found.flatMap(({ check, dataset, findings, examples }) =>
      examples.map(
        ({ date, ticker, value, reason }) =>
          `${check} ${dataset} ${findings}: ${date} ${ticker ?? ''} ${value} ${reason}`,
      ),
    )
    expect(lines.toSorted()).toEqual(
      FAULTS.map(([check, dataset, , finding]) => `${check} ${dataset} 1: ${finding}`).toSorted(),
    )
    expect(searched).toEqual(checks().map(({ name }) => name))
    for (const day of new Set(FAULTS.map(([, , , finding]) => finding.slice(0, 10)))) {
      const those = (each: typeof found) => each.map(({ check, dataset }) => `${check} ${dataset}`).toSorted()
      const alone = await audit(writer, lake, silent, { from: day, to: day })
      expect(those(alone.found), day).toEqual(those(found.filter(({ first_day }) => first_day === day)))
    }
  })

  test.each([
    [
      'price',
      "UPDATE daily_bars SET open = 200, high = 200, low = 200, close = 200 WHERE ticker = 'REU' AND date >= '2024-06-03'",
      '200.0 closes at 200.00; its last bar, of 2024-01-31, closed at 50.00',
    ],
    [
      'name',
      "UPDATE tickers SET full_name = 'Other Corp' WHERE date = '2024-06-03'",
      'Other Corp is Other Corp; until 2024-01-31 it was Reuse Inc.',
    ],
  ])('finds a ticker that returns after a gap with another %s', async (_, fault, finding) => {
    const { lake, writer } = await plantedLake([fault])
    const { found } = await audit(writer, lake, silent)
    expect(found.map(({ check, findings }) => [check, findings])).toEqual([['reused-ticker', 1]])
    const [{ date, ticker, value, reason } = { date: '', ticker: '', value: '', reason: '' }] =
      found[0]?.examples ?? []
    expect(`${date} ${ticker} ${value} ${reason}`).toBe(`2024-06-03 REU ${finding}`)
  })

  test.each([
    ["INSERT INTO stock_splits VALUES ('SPL', '2024-03-04', 4, 1)", []],
    // On the Sunday before, and of two splits on different days.
    ["INSERT INTO stock_splits VALUES ('SPL', '2024-03-03', 4, 1)", []],
    ["INSERT INTO stock_splits VALUES ('SPL', '2024-03-02', 8, 1), ('SPL', '2024-03-04', 1, 2)", []],
    ["INSERT INTO stock_splits VALUES ('SPL', '2024-03-04', 2, 1)", ['undeclared-split']],
    ["INSERT INTO stock_splits VALUES ('SPL', '2024-03-01', 4, 1)", ['undeclared-split']],
    ["INSERT INTO stock_splits VALUES ('SPL', '2024-03-05', 4, 1)", ['undeclared-split']],
    ['DELETE FROM stock_splits', ['undeclared-split']],
  ])('takes a split from stock_splits: %s', async (statement, findings) => {
    const undeclared = "UPDATE daily_bars SET adjusted_close = close WHERE ticker = 'SPL'"
    const { lake, writer } = await plantedLake([undeclared, statement])
    const { found } = await audit(writer, lake, silent, { only: ['undeclared-split'] })
    expect(found.map(({ check }) => check)).toEqual(findings)
  })

  test('finds a wrong ratio in stock_splits, even where adjusted_close has the right one', async () => {
    const { lake, writer } = await plantedLake([
      "INSERT INTO stock_splits VALUES ('SPL', '2024-03-04', 2, 1)",
    ])
    const { found } = await audit(writer, lake, silent)
    expect(found.map(({ check, findings }) => [check, findings])).toEqual([['undeclared-split', 1]])
  })

  test('finds nothing in the same lake without faults, and searches it with every check', async () => {
    const { lake, writer } = await plantedLake([])
    const { found, checks: searched } = await audit(writer, lake, silent)
    expect(found).toEqual([])
    expect(searched).toEqual(checks().map(({ name }) => name))
  })

  test('finds nothing in a generated lake', { tags: 'slow', timeout: 300_000 }, async () => {
    const lake = await sharedMarket('whole')
    const writer = await openWriter({ directories: [lake] })
    try {
      const { found, checks: searched } = await audit(writer, lake, silent)
      expect(found).toEqual([])
      expect(searched).toEqual(checks().map(({ name }) => name))
    } finally {
      writer.close()
    }
  })
})

test('a check that lacks a line is refused with the name of its file', () => {
  const search = '-- finds: daily_bars\n-- reads: daily_bars on the day\nSELECT 1\n'
  const head = '-- a: title\n-- tolerance: none\n-- run: 1\n'
  expect(parseCheck('a', head + search)).toMatchObject({ summary: 'title', run: 1, tolerances: ['none'] })
  expect(() => parseCheck('a', head)).toThrow('sql/audit/a.sql: expected "-- finds: …" and a SELECT')
  expect(() => parseCheck('a', `-- a: title\n-- run: 1\n${search}`)).toThrow('expected "-- tolerance: …"')
  expect(() => parseCheck('a', `${head}-- finds: tickers\n-- reads: daily_bars on the day\n`)).toThrow(
    'expected a line "-- reads: tickers …"',
  )
})

test('docs/lake.md names every check', () => {
  const [, section = ''] = /^## Auditing$(.*?)^## /ms.exec(read('docs/lake.md')) ?? []
  const named = [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)
  expect(checks().map(({ name }) => name)).toEqual(named)
})
