import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const DATE = '"Date: January 3, 2024 at 4:31 PM EST",Bid: 101.24,Ask: 101.26,Size: 3*5,Volume: 0'
const HEADER =
  'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,' +
  'Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest'
const GOOD =
  'Fri Jan 19 2024,ACME240119C00100000,2.95,0.5,2.9,3,540,0.2436,0.6109,0.0745,1200,100.00,' +
  'ACME240119P00100000,1.68,-0.44,1.65,1.7,312,0.2451,-0.3895,0.0741,975'

const chain = (lines: readonly string[], above = ['Acme Incorporated,Last: 101.25,Change:  1.05', DATE]) => [
  '',
  ...above,
  HEADER,
  ...lines,
]

/** The good line with some of its 22 fields, counted from 0, in other words. */
const line = (fields: Readonly<Record<number, string>>) =>
  GOOD.split(',')
    .map((field, place) => fields[place] ?? field)
    .join(',')

const QUOTES =
  'SELECT option_symbol, bid, ask, last, volume, open_interest, implied_volatility, delta, gamma FROM bars ORDER BY 1'

/** The normal distribution function to 1e-7: Abramowitz and Stegun, formula 26.2.17. */
function cumulative(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const tail = density(x) * series
  return x > 0 ? 1 - tail : tail
}
const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)

describe('A chain of delayed quotes', () => {
  test('becomes two rows per line, with the day and the price of the lines above its header', async () => {
    const at = importingFormat('option-chain')
    const report = await at.import(['data/samples/option-chain'])
    expect(report).toMatchObject({ rows: 18, rejected: 0, notes: [] })
    expect(
      await at.rows(
        `SELECT DISTINCT date, underlying_symbol, multiplier, settlement, underlying_price FROM bars`,
        'option_chain_days',
      ),
    ).toEqual(['2024-01-03 ACME 100 PM 101.2500'])
    // As the file has them; 0.0000 for a bid of 0, - for an offer and a last sale of 0.
    const kept = await at.rows(
      `SELECT option_symbol, option_type, strike, expiry, bid, ask, last, volume, open_interest FROM bars ORDER BY 1 LIMIT 9`,
      'option_chain_days',
    )
    expect(kept).toEqual([
      'ACME240103C00100000 call 100.000 2024-01-03 1.2000 1.3000 1.2600 210 90',
      'ACME240103C00105000 call 105.000 2024-01-03 0.0000 0.0100 - 0 12',
      'ACME240103P00100000 put 100.000 2024-01-03 0.0000 0.0100 0.0100 75 310',
      'ACME240103P00105000 put 105.000 2024-01-03 3.6000 3.9000 3.7000 3 4',
      'ACME240119C00090000 call 90.000 2024-01-19 11.2000 11.6000 - 0 5',
      'ACME240119C00095000 call 95.000 2024-01-19 6.8000 7.0000 6.9000 33 410',
      'ACME240119C00100000 call 100.000 2024-01-19 2.9000 3.0000 2.9500 540 1200',
      'ACME240119C00105000 call 105.000 2024-01-19 0.7700 0.8100 0.7900 205 340',
      'ACME240119C00130000 call 130.000 2024-01-19 - - - 0 0',
    ])
  })

  test('keeps the figures of the file, and derives missing ones', async () => {
    const at = importingFormat('option-chain')
    await at.import(['data/samples/option-chain'])
    const figures = async (symbol: string, dataset: string) => {
      const [row = ''] = await at.rows(
        `SELECT implied_volatility, delta, gamma, theta, vega, rho, charm, vanna FROM bars WHERE option_symbol = '${symbol}'`,
        dataset,
      )
      return row.split(' ').map(Number)
    }
    // By parity the strikes 90, 95, 100 and 105 imply 101.285, 101.395, 101.275 and 101.215, and the lake has no yields.
    const [spot, forward, years] = [101.25, 101.28, 16 / 365]
    const terms = (strike: number, volatility: number) => {
      const deviation = volatility * Math.sqrt(years)
      const d1 = Math.log(forward / strike) / deviation + deviation / 2
      return { d1, d2: d1 - deviation }
    }
    // Its own IV, delta and gamma, and theta and vega by their formulas.
    expect((await figures('ACME240119C00100000', 'option_chain_days')).slice(0, 3)).toEqual([
      0.2436, 0.6109, 0.0745,
    ])
    const [iv, delta, gamma, theta = 0, vega = 0] = await figures('ACME240119C00100000', 'option_greek_days')
    expect([iv, delta, gamma]).toEqual([0.2436, 0.6109, 0.0745])
    const { d1 } = terms(100, 0.2436)
    const decay = (-forward * density(d1) * 0.2436) / (2 * Math.sqrt(years))
    const carry = (-Math.log(forward / spot) / years) * forward * cumulative(d1)
    expect(theta).toBeCloseTo((decay + carry) / 365, 6)
    expect(vega).toBeCloseTo((forward * density(d1) * Math.sqrt(years)) / 100, 9)
    // An IV of 0: the volatility at which a call of 90 is worth the 11.40 between 11.20 and 11.60, not the delta of 1.
    const [implied = 0, impliedDelta = 0] = await figures('ACME240119C00090000', 'option_greek_days')
    const deep = terms(90, implied)
    expect(forward * cumulative(deep.d1) - 90 * cumulative(deep.d2)).toBeCloseTo(11.4, 4)
    expect(impliedDelta).toBeCloseTo((forward / spot) * cumulative(deep.d1), 6)
    // No time is left on the expiration day, and what has no price implies nothing.
    expect(
      await at.rows(
        `SELECT option_symbol FROM bars WHERE implied_volatility IS NULL AND coalesce(delta, gamma, theta, vega, rho, charm, vanna) IS NULL ORDER BY 1`,
        'option_greek_days',
      ),
    ).toEqual(['ACME240103C00100000', 'ACME240103C00105000', 'ACME240103P00100000', 'ACME240103P00105000'])
  })

  test('may be of an index, with roots of its own and thousands separators', async () => {
    const at = importingFormat('option-chain')
    const sides = (root: string, expiry: string, code: string) =>
      `${expiry},${root}${code}C05000000,1,0,"1,234.5","1,235.5","2,001",0.1,0.5,0.001,"10,500",5000.00,` +
      `${root}${code}P05000000,0,0,0,0,0,0,0,0,0`
    const above = [
      'S&P 500 Index,"Last: 4,704.81","Change: -38.02"',
      DATE.replace('Bid: 101.24,Ask: 101.26', 'Bid: 0,Ask: 0'),
    ]
    await at.import([
      at.file(
        'spx.csv',
        chain([sides('SPX', 'Fri Jan 19 2024', '240119'), sides('SPXW', 'Fri Jan 19 2024', '240119')], above),
      ),
    ])
    expect(
      await at.rows(
        'SELECT option_symbol, underlying_symbol, settlement, bid, ask, last, volume, open_interest, underlying_price FROM bars ORDER BY 1',
        'option_chain_days',
      ),
    ).toEqual([
      'SPX240119C05000000 SPX AM 1234.5000 1235.5000 1.0000 2001 10500 4704.8100',
      'SPX240119P05000000 SPX AM - - - 0 0 4704.8100',
      'SPXW240119C05000000 SPX PM 1234.5000 1235.5000 1.0000 2001 10500 4704.8100',
      'SPXW240119P05000000 SPX PM - - - 0 0 4704.8100',
    ])
  })

  test('replaces an earlier one of its day, and may have a contract twice: the last line counts', {
    tags: 'slow',
  }, async () => {
    const at = importingFormat('option-chain')
    await at.import([at.file('a.csv', chain([line({ 10: '7' }), line({ 10: '8' })]))])
    const interest = 'SELECT option_symbol, open_interest FROM bars ORDER BY 1'
    expect(await at.rows(interest, 'option_chain_days')).toEqual([
      'ACME240119C00100000 8',
      'ACME240119P00100000 975',
    ])
    await at.import([at.file('b.csv', chain([line({ 10: '9' })]))])
    expect(await at.rows(interest, 'option_chain_days')).toEqual([
      'ACME240119C00100000 9',
      'ACME240119P00100000 975',
    ])
  })

  test('keeps contracts with invalid values as NULL, and reports them', async () => {
    const at = importingFormat('option-chain')
    const calls = { 2: '<b>3</b>', 4: '-1', 5: 'x', 6: '-1', 7: '-0.2', 8: '1.2', 9: '1e400', 10: '-3' }
    const puts = { 13: '--', 15: '--', 16: 'N/A', 17: '1.5', 18: '1e-1', 19: '-1', 20: '0', 21: '2.5' }
    const report = await at.import([at.file('chain.csv', chain([line({ ...calls, ...puts })]))])
    expect(report).toMatchObject({ rows: 2, rejected: 0 })
    // All that is kept of the call is 0 or worked out: nothing, without a price.
    expect(await at.rows(QUOTES, 'option_chain_days')).toEqual([
      'ACME240119C00100000 - - - - - - - -',
      'ACME240119P00100000 - - - - - 0.1000000000 -1.0000000000 0.0000000000',
    ])
    expect(report.accounts[0]?.notes.map(({ fault, rows }) => `${fault} ${rows}`).toSorted()).toEqual([
      'ask: not a price 1',
      'bid: not a price 1',
      'delta: not between -1 and 1 1',
      'gamma: not a non-negative number 1',
      'iv: not an implied volatility 1',
      'last sale: not a price 1',
      'open interest: not a contract count 2',
      'volume: not a contract count 2',
    ])
  })

  test('is kept without an underlying price if no line above has one, and reports this', async () => {
    const at = importingFormat('option-chain')
    const strange = line({
      0: 'Fri Jan 26 2024',
      1: 'ACME240126C00100000',
      12: 'ACME240126P00100000',
      8: '1.2',
      20: '-1',
    })
    const report = await at.import([
      at.file('chain.csv', chain([GOOD, strange], ['Acme Incorporated,Last: ,Change:', DATE])),
    ])
    expect(report.notes.map(({ fault, rows }) => `${fault} ${rows}`).toSorted()).toEqual([
      'delta: not between -1 and 1 1',
      'gamma: not a non-negative number 1',
      'last: no price of the underlying before the header 4',
    ])
    // Nothing can be worked out, neither what the file does not tell nor what it tells wrong.
    expect(
      await at.rows(
        'SELECT option_symbol, underlying_price, delta, gamma, theta FROM bars ORDER BY 1',
        'option_chain_days',
      ),
    ).toEqual([
      'ACME240119C00100000 - 0.6109000000 0.0745000000 -',
      'ACME240119P00100000 - -0.3895000000 0.0741000000 -',
      'ACME240126C00100000 - - 0.0745000000 -',
      'ACME240126P00100000 - -0.3895000000 - -',
    ])
  })
})

describe('A chain is rejected, with the line and the reason,', () => {
  test.each([
    ['no date above the header', 'Bid: 101.24,Ask: 101.26', 'date: no date above the header'],
    ['a date that is none', DATE.replace('January 3', 'Smarch 3'), 'date: not a date'],
    ['a date in the future', DATE.replace('2024', '2202'), 'date: before 1900 or in the future'],
    ['a date on a weekend', DATE.replace('January 3', 'January 6'), 'date: on a weekend'],
    [
      'a date after its expirations',
      DATE.replace('January 3', 'January 22'),
      'expiration date: before the date of the chain',
    ],
  ])('as a whole for %s', async (_, dated, reason) => {
    const at = importingFormat('option-chain')
    const refusal = await at.refusal([at.file('chain.csv', chain([GOOD], ['Acme,Last: 101.25', dated]))])
    // One line, reported once for both of its contracts.
    expect(refusal).toContain(`input_refused: nothing was imported: 1 of 1 rows`)
    expect(refusal).toContain(reason)
  })

  test('where a line or one of its contracts is invalid', async () => {
    const at = importingFormat('option-chain')
    const bad = [
      line({ 0: '' }),
      line({ 0: '2024-01-19' }),
      line({ 11: '' }),
      line({ 11: 'n/a' }),
      line({ 1: '' }),
      line({ 1: 'ACME' }),
      line({ 1: 'ACME240119P00100000' }),
      line({ 12: 'ACME240119C00100000' }),
      line({ 1: 'ACME240119C00101000' }),
      line({ 12: 'ACME240126P00100000' }),
      GOOD.slice(0, 60),
    ]
    const good = Array.from({ length: 12 }, () => GOOD)
    const report = await at.import([at.file('chain.csv', chain([...good, ...bad]))])
    expect(report).toMatchObject({ rows: 2, rejected: 11 })
    // The header is line 4, the valid lines are 5 to 16. If one contract is invalid, the other one is kept.
    expect(at.rejects().toSorted()).toEqual(
      [
        '17|expiration date|missing|',
        '18|expiration date|not a date|2024-01-19',
        '19|strike|missing|',
        '20|strike|not a number|n/a',
        '21|calls|missing|',
        '22|calls|not an option symbol|ACME',
        '23|calls|not a call|ACME240119P00100000',
        '24|puts|not a put|ACME240119C00100000',
        '25|calls|strike or expiry differs from that of the line|ACME240119C00101000',
        '26|puts|strike or expiry differs from that of the line|ACME240126P00100000',
        expect.stringMatching(/^27\|/),
      ].toSorted(),
    )
    expect(report.accounts).toMatchObject([{ records: 23, rows: 12 * 2 + 6, rejected: 11 }])
  })
})
