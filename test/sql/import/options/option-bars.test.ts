import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { namedUuid } from '../named-uuid.ts'

const SAMPLE = 'data/samples/option-bars'
const TRADES = 'option_symbol,date,ms_since_midnight_et,open,high,low,close,volume'
const QUOTES = 'option_symbol,date,ms_since_midnight_et,bid_close,bid_size,ask_close,ask_size'
const ACME = 'ACME240119C00100000'
/** 09:30 and 09:31 New York, which in January are 14:30 and 14:31 UTC. */
const OPEN = 34_200_000
const NEXT = 34_260_000

/** A bar of ACME's call on Wednesday 3 January 2024: price 2.50, 10 contracts. */
const bar = (values: Partial<Record<'symbol' | 'date' | 'ms' | 'close' | 'volume', string | number>>) => {
  const { symbol, date, ms, close, volume } = {
    symbol: ACME,
    date: '2024-01-03',
    ms: OPEN,
    close: '2.5',
    volume: 10,
    ...values,
  }
  return `${symbol},${date},${ms},1,9,1,${close},${volume}`
}

const SIDES = `
  SELECT option_chain_id, executed_at, price, size, volume, nbbo_bid, nbbo_ask,
    CASE WHEN ask_vol = size THEN 'ask' WHEN bid_vol = size THEN 'bid' WHEN mid_vol = size THEN 'mid' WHEN no_side_vol = size THEN 'none' END,
    ask_vol + bid_vol + mid_vol + no_side_vol
  FROM bars ORDER BY option_chain_id, executed_at`

describe('Minute bars of options', () => {
  test('become one trade per bar, each with the quote of its minute or the latest earlier one of the day', async () => {
    const at = importingFormat('option-bars')
    const report = await at.import([SAMPLE])
    expect(report).toMatchObject({ files: 2, rows: 11, rejected: 0, notes: [] })
    // By hand from the two files. Sides: 2.50 against a middle of 2.45; 2.45 at 2.45; 2.41 against the 2.47 of two
    // minutes before; no bid; no quote on the 4th; no quote yet; 1.20 against 1.10; a bid of 3.10 above the offer of
    // 3.00; 3.00 against 3.05; 0.05 against 0.025; no offer. Volumes add up: 10, 14, 20, 21; 20, 25; 2, 5.
    expect(await at.rows(SIDES, 'option_trades')).toEqual([
      'ACME240119C00100000 2024-01-03 14:30:00 2.5000 10 10 2.4000 2.5000 ask 10',
      'ACME240119C00100000 2024-01-03 14:31:00 2.4500 4 14 2.4000 2.5000 mid 4',
      'ACME240119C00100000 2024-01-03 14:33:00 2.4100 6 20 2.4200 2.5200 bid 6',
      'ACME240119C00100000 2024-01-03 14:35:00 2.6000 1 21 - 2.6000 none 1',
      'ACME240119C00100000 2024-01-04 14:30:00 2.3000 7 7 - - none 7',
      'ACME240119P00095000 2024-01-03 14:30:00 1.1000 20 20 - - none 20',
      'ACME240119P00095000 2024-01-03 20:59:00 1.2000 5 25 1.0500 1.1500 ask 5',
      'BRASS240216P00047500 2024-01-03 15:00:00 3.0500 2 2 3.1000 3.0000 none 2',
      'BRASS240216P00047500 2024-01-03 15:01:00 3.0000 3 5 3.0000 3.1000 bid 3',
      'CEDAR240315C00012500 2024-01-03 17:00:00 0.0500 150 150 0.0000 0.0500 ask 150',
      'CEDAR240315C00012500 2024-01-03 17:01:00 0.0400 2 152 0.0300 - none 2',
    ])
  })

  test('fill every column of a trade that a bar determines, and no other', async () => {
    const at = importingFormat('option-bars')
    await at.import([SAMPLE])
    // 2.41 × 6 × 100 = 1446 dollars; the quote is that of 14:32.
    expect(await at.rows(`FROM bars WHERE price = 2.41`, 'option_trades')).toEqual([
      `${namedUuid('option bar|ACME240119C00100000|2024-01-03T14:33:00Z')} 2024-01-03 ACME ACME240119C00100000 - call 100.000 ` +
        '2024-01-19 100 2024-01-03 14:33:00 2.4100 6 1446.0000 20 - - - false true 0 6 0 0 0 0 2.4200 2.5200 11 7 ' +
        '2024-01-03 14:32:00 2024-01-03 14:32:00 - - - - - - - - - [bid_side, bearish] [] - - - -',
    ])
    expect(
      await at.rows(
        `SELECT nbbo_bid_size, nbbo_ask_size, nbbo_bid_time, nbbo_ask_time, tags FROM bars WHERE price IN (2.6, 0.04) ORDER BY price`,
        'option_trades',
      ),
    ).toEqual([
      '30 - 2024-01-03 17:01:00 - [no_side, neutral]',
      '- 3 - 2024-01-03 14:35:00 [no_side, neutral]',
    ])
  })

  test('take the underlying from the root, its multiplier, and summer time from the clocks of New York', async () => {
    const at = importingFormat('option-bars')
    const bars = ['SPXW  240719C05500000', 'o:brkb1240719p00400000', 'NANOS240719C00550500']
    await at.import([
      at.file('trades.csv', [TRADES, ...bars.map(symbol => bar({ symbol, date: '2024-07-03' }))]),
    ])
    expect(
      await at.rows(
        'SELECT option_chain_id, underlying_symbol, option_type, strike, multiplier, premium, executed_at FROM bars ORDER BY 1',
        'option_trades',
      ),
    ).toEqual([
      'BRKB1240719P00400000 BRK.B put 400.000 100 2500.0000 2024-07-03 13:30:00',
      'NANOS240719C00550500 NANOS call 550.500 1 25.0000 2024-07-03 13:30:00',
      'SPXW240719C05500000 SPX call 5500.000 100 2500.0000 2024-07-03 13:30:00',
    ])
  })

  test('have the open interest and the underlying price of the lake', { tags: 'slow' }, async () => {
    const at = importingFormat('option-bars')
    await at.import(
      [at.file('oi.csv', ['symbol,date,oi', `${ACME},2024-01-03,1200`, `${ACME},2024-01-04,1290`])],
      {
        format: 'option-open-interest',
      },
    )
    await at.import(
      [
        at.file('stock.csv', [
          'ticker,date,ms_since_midnight_et,open,high,low,close,volume',
          `ACME,2024-01-03,${OPEN - 60_000},100,100,100,100.5,10`,
          `ACME,2024-01-03,${OPEN},100,100,100,100.123456,10`,
          `BRASS,2024-01-03,${OPEN},40,40,40,40,10`,
          `ACME,2024-01-03,${NEXT + 120_000},100,102,100,102,10`,
        ]),
      ],
      { format: 'minute-bars' },
    )
    await at.import([
      at.file('trades.csv', [
        TRADES,
        bar({ ms: OPEN - 120_000 }),
        bar({}),
        bar({ ms: NEXT }),
        bar({ ms: NEXT + 120_000 }),
        bar({ date: '2024-01-04' }),
        bar({ symbol: 'ACME240119C00105000' }),
      ]),
    ])
    // The bar of 14:31 has no bar of the stock: that of 14:30 says what it cost. Rounded to four places.
    expect(
      await at.rows(
        'SELECT option_chain_id, executed_at, open_interest, underlying_price FROM bars ORDER BY ALL',
        'option_trades',
      ),
    ).toEqual([
      'ACME240119C00100000 2024-01-03 14:28:00 1200 -',
      'ACME240119C00100000 2024-01-03 14:30:00 1200 100.1235',
      'ACME240119C00100000 2024-01-03 14:31:00 1200 100.1235',
      'ACME240119C00100000 2024-01-03 14:33:00 1200 102.0000',
      'ACME240119C00100000 2024-01-04 14:30:00 1290 -',
      'ACME240119C00105000 2024-01-03 14:30:00 - 100.1235',
    ])
  })

  test('may be repeated: the last bar and the last quote of a minute count, once', async () => {
    const at = importingFormat('option-bars')
    const trades = at.file('a-trades.csv', [
      TRADES,
      bar({ volume: 4 }),
      bar({ ms: NEXT }),
      bar({ volume: 6, close: 2.6 }),
    ])
    const quote = (bid: number, ask: number) => `${ACME},2024-01-03,${OPEN},${bid},1,${ask},1`
    const quotes = at.file('b-quotes.csv', [QUOTES, quote(2.7, 2.9), quote(2.4, 2.5)])
    expect(await at.import([trades, quotes])).toMatchObject({ rows: 2, rejected: 0 })
    // 6, then 6 + 10.
    expect(await at.rows(SIDES, 'option_trades')).toEqual([
      `${ACME} 2024-01-03 14:30:00 2.6000 6 6 2.4000 2.5000 ask 6`,
      `${ACME} 2024-01-03 14:31:00 2.5000 10 16 2.4000 2.5000 ask 10`,
    ])
  })

  test('get their quotes when these are imported later, and do not change when they are imported again', {
    tags: 'slow',
  }, async () => {
    const at = importingFormat('option-bars')
    const trades = at.file('trades.csv', [TRADES, bar({})])
    const quotes = join(at.folder, 'quotes.csv.gz')
    writeFileSync(quotes, gzipSync(`${QUOTES}\n${ACME},2024-01-03,${OPEN},2.4,1,2.5,1\n`))
    await at.import([trades])
    expect(await at.rows('SELECT no_side_vol, ask_vol FROM bars', 'option_trades')).toEqual(['10 0'])
    expect(await at.import([trades, quotes])).toMatchObject({ rows: 1 })
    expect(await at.rows('SELECT no_side_vol, ask_vol FROM bars', 'option_trades')).toEqual(['0 10'])
    expect(await at.import([trades, quotes])).toMatchObject({ published: false, skipped: 2 })
  })
})

describe('Minute bars of options are rejected, with the line and the reason,', () => {
  test('where a bar of trades has no contract, day, minute, price or size', async () => {
    const at = importingFormat('option-bars')
    const bad = [
      bar({ symbol: '' }),
      bar({ symbol: '<b>ACME</b>' }),
      bar({ symbol: 'ACME240230C00100000' }),
      bar({ date: '' }),
      bar({ date: '2024-02-30' }),
      bar({ date: '2202-01-06' }),
      bar({ date: '2024-01-06' }),
      bar({ date: '2024-01-22' }),
      bar({ ms: '' }),
      bar({ ms: 86_400_000 }),
      bar({ ms: -1 }),
      bar({ ms: OPEN + 1 }),
      bar({ close: '' }),
      bar({ close: 'n/a' }),
      bar({ close: 0 }),
      bar({ close: '1e2x' }),
      bar({ close: '123456789012345' }),
      bar({ volume: '' }),
      bar({ volume: '"1,000"' }),
      bar({ volume: 1.5 }),
      bar({ volume: 0 }),
      bar({ volume: 2_147_483_648 }),
      bar({ close: 99_999_999, volume: 1_000_000 }),
      `${ACME},2024-01-03`,
    ]
    const good = Array.from({ length: 30 }, (_, minute) => bar({ ms: OPEN + 60_000 * minute }))
    const report = await at.import([at.file('trades.csv', [`\uFEFF${TRADES}`, ...good, '', ...bad])])
    expect(report).toMatchObject({ rows: 30, rejected: 24 })
    // The valid bars are in lines 2 to 31, followed by a blank line.
    expect(at.rejects().toSorted()).toEqual(
      [
        '33|option_symbol|missing|',
        '34|option_symbol|not an option symbol|<b>ACME</b>',
        '35|option_symbol|not an option symbol|ACME240230C00100000',
        '36|date|missing|',
        '37|date|not a date|2024-02-30',
        '38|date|before 1900 or in the future|2202-01-06',
        '39|date|on a weekend|2024-01-06',
        '40|date|after the expiry|2024-01-22',
        '41|ms_since_midnight_et|missing|',
        '42|ms_since_midnight_et|not a time of day in milliseconds|86400000',
        '43|ms_since_midnight_et|not a time of day in milliseconds|-1',
        '44|ms_since_midnight_et|not at the start of a minute|34200001',
        '45|close|missing|',
        '46|close|not a plain decimal number|n/a',
        '47|close|not above zero|0',
        '48|close|not a plain decimal number|1e2x',
        '49|close|too large|123456789012345',
        '50|volume|missing|',
        '51|volume|not a plain decimal number|1,000',
        '52|volume|not a whole number|1.5',
        '53|volume|not above zero|0',
        '54|volume|too large|2147483648',
        '55|close|premium too large|99999999',
        expect.stringMatching(/^56\|/),
      ].toSorted(),
    )
    expect(await at.rows('SELECT max(volume) FROM bars', 'option_trades')).toEqual(['300'])
  })

  test('where a quote has an invalid contract, day, minute, price or size', async () => {
    const at = importingFormat('option-bars')
    const quote = (values: string) => `${ACME},2024-01-03,${NEXT},${values}`
    const bad = [
      `,2024-01-03,${NEXT},1,1,2,1`,
      `${ACME},2024-01-07,${NEXT},1,1,2,1`,
      `${ACME},2024-01-03,,1,1,2,1`,
      `${ACME},2024-01-03,9:31,1,1,2,1`,
      `${ACME},2024-01-03,${NEXT + 500},1,1,2,1`,
      quote('x,1,2,1'),
      quote('-1,1,2,1'),
      quote('1,1,2.,1'),
      quote('1,1,-2,1'),
      quote('1,-1,2,1'),
      `${ACME},2024-01-03,${NEXT + 60_000},1,1,2,1.5`,
    ]
    const good = Array.from(
      { length: 12 },
      (_, minute) => `${ACME},2024-01-03,${NEXT - 60_000 * minute},2.4,1,2.5,1`,
    )
    const trades = at.file('a.csv', [TRADES, bar({ ms: NEXT + 60_000, close: 2.4 })])
    const report = await at.import([trades, at.file('b.csv', [QUOTES, ...good, ...bad])])
    expect(report).toMatchObject({ rows: 1, rejected: 11 })
    expect(at.rejects().toSorted()).toEqual([
      '14|option_symbol|missing|',
      '15|date|on a weekend|2024-01-07',
      '16|ms_since_midnight_et|missing|',
      '17|ms_since_midnight_et|not a time of day in milliseconds|9:31',
      '18|ms_since_midnight_et|not at the start of a minute|34260500',
      '19|bid_close|not a plain decimal number|x',
      '20|bid_close|below zero|-1',
      '21|ask_close|not a plain decimal number|2.',
      '22|ask_close|below zero|-2',
      '23|bid_size|below zero|-1',
      '24|ask_size|not a whole number|1.5',
    ])
    // None of the rejected ones is met: neither that of the bar's minute nor those that come later in the one before.
    expect(await at.rows('SELECT nbbo_bid, nbbo_ask, bid_vol FROM bars', 'option_trades')).toEqual([
      '2.4000 2.5000 10',
    ])
  })
})
