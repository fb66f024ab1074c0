import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { namedUuid } from '../named-uuid.ts'

const ACME = 'ACME240119C00100000'
const HEADER = 'executed_at,option_symbol,price,size'
const AT = '2024-01-03T14:30:00Z'
const SIDES = `CASE WHEN ask_vol = size THEN 'ask' WHEN bid_vol = size THEN 'bid' WHEN mid_vol = size THEN 'mid' WHEN no_side_vol = size THEN 'none' END`

describe('A tape of option trades', () => {
  test('with quotes is imported as written, with its sides and volumes', async () => {
    const at = importingFormat('option-trades')
    const report = await at.import(['data/samples/option-trades/quoted-tape.csv'])
    expect(report).toMatchObject({ rows: 8, rejected: 0, notes: [] })
    // By hand. Computed sides: 1.19 against 1.15; a cross has none; 1.15 against 1.10. mlet is multi-leg, tlft
    // against stock.
    expect(
      await at.rows(
        `SELECT executed_at, option_chain_id, price, size, volume, ${SIDES}, multi_vol, stock_multi_vol, canceled,
           upstream_condition_detail, trade_code, report_flags
         FROM bars ORDER BY executed_at, option_chain_id, volume`,
        'option_trades',
      ),
    ).toEqual([
      '2024-01-03 14:30:00.125 ACME240119C00100000 2.5000 10 10 ask 0 0 false auto I []',
      '2024-01-03 14:30:00.125 ACME240119C00100000 2.5000 10 20 ask 0 0 false auto I []',
      '2024-01-03 14:30:04.99031 ACME240119C00100000 2.4100 3 23 bid 0 0 false slan a []',
      '2024-01-03 14:31:10 ACME240119C00100000 2.4500 8 31 mid 8 0 false mlet f []',
      '2024-01-03 14:31:10 ACME240119P00095000 1.1900 4 4 ask 4 0 false mlet f []',
      '2024-01-03 14:35:00.5 ACME240119P00095000 1.1000 40 44 none 0 0 false slcn c []',
      '2024-01-03 14:36:00 ACME240119P00095000 1.1500 6 44 ask 0 0 true isoi S [canceled]',
      '2024-01-03 15:00:00 BRASS240216P00047500 3.0500 2 2 none 0 2 false tlft p []',
    ])
    const [whole] = await at.rows('FROM bars WHERE price = 2.41', 'option_trades')
    // The id is made of microseconds since 1970: 1704292204 is 14:30:04 UTC of that day.
    expect(whole).toBe(
      `${namedUuid('option trade|ACME240119C00100000|1704292204990310|2.4100|3|XPHL||1')} 2024-01-03 ACME ${ACME} - call ` +
        '100.000 2024-01-19 100 2024-01-03 14:30:04.99031 2.4100 3 723.0000 23 1200 101.2200 XPHL false false ' +
        '0 3 0 0 0 0 2.4000 2.5000 - - - - 2.3900 2.5100 0.6101000000 0.0746000000 -0.0800000000 0.0812000000 ' +
        '0.0261000000 2.4500 0.2390000000 [bid_side, bearish] [] slan a - -',
    )
  })

  test('without quotes has no sides, and its volumes are summed without canceled trades', {
    tags: 'slow',
  }, async () => {
    const at = importingFormat('option-trades')
    const report = await at.import(['data/samples/option-trades/bare-tape.csv'])
    expect(report).toMatchObject({ rows: 8, rejected: 0, notes: [] })
    // 10 + 5, + 3, + 7 late, and 5 that were canceled. Which of the first two comes first their ids say.
    expect(
      await at.rows(
        `SELECT executed_at, option_chain_id, size, CASE WHEN executed_at > '2024-01-03 14:30:01' THEN volume END,
           ${SIDES}, canceled, upstream_condition_detail, trade_code, sale_condition, report_flags, exchange
         FROM bars ORDER BY executed_at, size DESC`,
        'option_trades',
      ),
    ).toEqual([
      '2024-01-03 14:30:00.125 ACME240119C00100000 10 - none false auto I - [] 302',
      '2024-01-03 14:30:00.125 ACME240119C00100000 5 - none false isoi S - [] 313',
      '2024-01-03 14:30:04.99031 ACME240119C00100000 3 18 none false slan a - [] 309',
      '2024-01-03 14:31:10 ACME240119P00095000 4 4 none false mlat g - [] 312',
      '2024-01-03 15:00:00 BRASS240216P00047500 2 2 none false tlft p - [] 300',
      '2024-01-03 15:30:04 ACME240119C00100000 7 25 none false late D late [late] 302',
      '2024-01-03 15:30:05 ACME240119C00100000 5 25 none true canc A - [canceled] 302',
      '2024-01-03 17:00:00 CEDAR240315C00012500 150 150 none false auto I - [] 322',
    ])
    expect(
      await at.rows(
        `SELECT list(volume ORDER BY id), list(size ORDER BY id) FROM bars WHERE executed_at < '2024-01-03 14:30:01'`,
        'option_trades',
      ),
    ).toEqual([expect.stringMatching(/^\[10, 15\] \[10, 5\]$|^\[5, 15\] \[5, 10\]$/)])
  })

  test('has figures of any number of digits, rounded half to even to ten decimals', async () => {
    const at = importingFormat('option-trades')
    // By hand: half-way between two values the even one is next, in plain notation and with an exponent.
    const figures = [
      ['0.12345678905', '0.1234567890'],
      ['0.12345678915', '0.1234567892'],
      ['-0.12345678905', '-0.1234567890'],
      ['0.123456789050001', '0.1234567891'],
      ['1.2345678905e-1', '0.1234567890'],
      ['+.12345678915', '0.1234567892'],
      ['N/A', '-'],
    ] as const
    await at.import([
      at.file('tape.csv', [
        `${HEADER},delta`,
        ...figures.map(([delta], place) => `${AT},${ACME},1,${place + 1},${delta}`),
      ]),
    ])
    expect(await at.rows('SELECT size, delta FROM bars ORDER BY size', 'option_trades')).toEqual(
      figures.map(([, delta], place) => `${place + 1} ${delta}`),
    )
  })

  test('may have Unix times or times with a zone; trades of the evening belong to the next session', {
    tags: 'slow',
  }, async () => {
    const at = importingFormat('option-trades')
    // 1704292200 is 2024-01-03 14:30:00 UTC. The last two: Wednesday 17:59:59 and Sunday 20:15 in New York.
    const times = [
      '1704292200',
      '1704292200.123456',
      '1704292200123',
      '1704292200123456',
      '1704292200123456999',
      '2024-01-03 14:30:00.123456789Z',
      '2024-01-03T09:30:00.5-05:00',
      '2024-01-03 20:00:00+0530',
      '2024-01-03 14:30:00+00',
      '2024-01-03T22:59:59Z',
      '2024-01-08T01:15:00Z',
    ]
    await at.import([
      at.file('tape.csv', [HEADER, ...times.map((time, place) => `${time},${ACME},1,${place + 1}`)]),
    ])
    expect(await at.rows('SELECT size, date, executed_at FROM bars ORDER BY size', 'option_trades')).toEqual([
      '1 2024-01-03 2024-01-03 14:30:00',
      '2 2024-01-03 2024-01-03 14:30:00.123456',
      '3 2024-01-03 2024-01-03 14:30:00.123',
      '4 2024-01-03 2024-01-03 14:30:00.123456',
      '5 2024-01-03 2024-01-03 14:30:00.123456',
      '6 2024-01-03 2024-01-03 14:30:00.123456',
      '7 2024-01-03 2024-01-03 14:30:00.5',
      '8 2024-01-03 2024-01-03 14:30:00',
      '9 2024-01-03 2024-01-03 14:30:00',
      '10 2024-01-03 2024-01-03 22:59:59',
      '11 2024-01-08 2024-01-08 01:15:00',
    ])
  })

  test('whose times have no zone needs the flag for it', { tags: 'slow' }, async () => {
    const at = importingFormat('option-trades')
    const naive = ['2024-01-03 09:30:00.25', '2024-07-03 09:30'].map(
      time => `${time},ACME240719C00100000,1,1`,
    )
    const tape = at.file('tape.csv', [HEADER, ...naive, `${AT},ACME240719C00100000,2,2`])
    expect(await at.refusal([tape])).toContain('time: without a zone: specify it with --zone')
    expect(await at.refusal([tape], { options: { zone: 'Mars/Olympus' } })).toContain(
      'time: unknown time zone in --zone',
    )
    expect(await at.import([tape], { options: { zone: 'America/New_York' } })).toMatchObject({
      rows: 3,
      rejected: 0,
    })
    expect(await at.rows('SELECT executed_at FROM bars ORDER BY 1', 'option_trades')).toEqual([
      '2024-01-03 14:30:00',
      '2024-01-03 14:30:00.25',
      '2024-07-03 13:30:00',
    ])
  })

  test("has one or several conditions, as OPRA's names, letters or numbers", { tags: 'slow' }, async () => {
    const at = importingFormat('option-trades')
    const conditions = [
      'ISOI',
      'a',
      '"[204, 229]"',
      '"{mesl}"',
      'D;F',
      'k',
      'C',
      '"209,219"',
      '',
      '[]',
      '999',
      'S',
      'n/a',
    ]
    const report = await at.import([
      at.file('tape.csv', [
        'time,symbol,price,size,bid,ask,condition',
        ...conditions.map((condition, place) => `${AT},${ACME},2.5,${place + 1},2.4,2.5,${condition}`),
      ]),
    ])
    expect(
      await at.rows(
        `SELECT size, upstream_condition_detail, trade_code, sale_condition, ${SIDES}, multi_vol, stock_multi_vol, canceled, report_flags
         FROM bars ORDER BY size`,
        'option_trades',
      ),
    ).toEqual([
      '1 isoi S - ask 0 0 false []',
      '2 slan a - ask 0 0 false []',
      '3 slcn c late none 0 0 false [late]',
      '4 mesl j - ask 4 0 false []',
      '5 late D late none 0 0 false [late]',
      '6 tlat k - ask 0 6 false []',
      '7 cncl C - ask 0 0 true [canceled]',
      '8 auto I - ask 0 0 false []',
      '9 - - - ask 0 0 false []',
      '10 - - - ask 0 0 false []',
      '11 - - - ask 0 0 false []',
      '12 isoi S - ask 0 0 false []',
      '13 - - - ask 0 0 false []',
    ])
    expect(report.notes).toEqual([{ fault: 'conditions: not a known condition', rows: 1 }])
  })

  test('may have an id for each trade, of which the last row counts; without ids, equal trades stay separate', {
    tags: 'slow',
  }, async () => {
    const at = importingFormat('option-trades')
    const uuid = '0f0e0d0c-0b0a-4a0b-8c0d-0e0f0a0b0c0d'
    await at.import([
      at.file('ids.csv', [
        'id,executed_at,option_symbol,price,size',
        `${uuid},${AT},${ACME},1,5`,
        `77,${AT},${ACME},1,1`,
        `${uuid.toUpperCase()},${AT},${ACME},1,3`,
        `${uuid},${AT},${ACME},x,9`,
        ...[78, 79, 80].map(id => `${id},2024-01-03T14:31:00Z,${ACME},1,10`),
      ]),
    ])
    const sum = 'SELECT count(*), max(volume), sum(size) FROM bars'
    // 3 + 1 + 3 × 10 contracts: the row of 5 was replaced, and that of 9 has no price.
    expect(await at.rows(sum, 'option_trades')).toEqual(['5 34 34'])
    expect(await at.rows('SELECT id FROM bars WHERE size < 10 ORDER BY size', 'option_trades')).toEqual([
      namedUuid(`option trade|${ACME}|2024-01-03|77`),
      uuid,
    ])

    const bare = importingFormat('option-trades')
    const twice = [`${AT},${ACME},1,5`, `${AT},${ACME},1,5`]
    const packed = join(bare.folder, 'again.csv.gz')
    writeFileSync(packed, gzipSync([HEADER, ...twice, `${AT},${ACME},1,6`, ''].join('\n')))
    await bare.import([bare.file('tape.csv', [HEADER, ...twice]), packed])
    // Both files have the same two trades of 5.
    expect(await bare.rows(sum, 'option_trades')).toEqual(['3 16 16'])
    const numbered = twice.map((row, place) => `${row},${place}`)
    await bare.import([bare.file('numbered.csv', [`${HEADER},sequence_number`, ...numbered])])
    expect(await bare.rows('SELECT count(*) FROM bars', 'option_trades')).toEqual(['5'])
  })

  test('in any order has the open interest and underlying price of the lake where the file has none', {
    tags: 'slow',
  }, async () => {
    const at = importingFormat('option-trades')
    await at.import([at.file('oi.csv', ['symbol,date,oi', `${ACME},2024-01-03,1200`])], {
      format: 'option-open-interest',
    })
    const stock = [
      'ticker,date,ms_since_midnight_et,open,high,low,close,volume',
      'ACME,2024-01-03,34200000,1,100,1,99.5,1',
    ]
    await at.import([at.file('stock.csv', stock)], { format: 'minute-bars', options: { seconds: '60' } })
    await at.import([
      at.file('tape.csv', [
        `${HEADER},oi,spot`,
        `2024-01-03T14:31:59Z,${ACME},1,3,7,101.5`,
        `2024-01-03T14:29:59Z,${ACME},1,1,,`,
        `2024-01-03T14:30:59Z,${ACME},1,2,,`,
        `2024-01-04T14:31:59Z,${ACME},1,4,,`,
      ]),
    ])
    expect(
      await at.rows(
        'SELECT size, volume, open_interest, underlying_price FROM bars ORDER BY size',
        'option_trades',
      ),
    ).toEqual(['1 1 1200 -', '2 3 1200 99.5000', '3 6 7 101.5000', '4 4 - -'])
  })
})
