import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const ACME = 'ACME240119C00100000'
const HEADER = 'executed_at,option_symbol,price,size'
const AT = '2024-01-03T14:30:00Z'

test('A row of a tape of option trades is rejected, with the line and the reason, for an invalid contract, time, price or size', async () => {
  const at = importingFormat('option-trades')
  const bad = [
    `${AT},,1,1`,
    `${AT},ACME,1,1`,
    `${AT},<b>${ACME}</b>,1,1`,
    `,${ACME},1,1`,
    `soon,${ACME},1,1`,
    `2024-02-30T14:30:00Z,${ACME},1,1`,
    `2024-01-03T25:30:00Z,${ACME},1,1`,
    `2024-01-03T14:30:00,${ACME},1,1`,
    `17042,${ACME},1,1`,
    `2202-01-06T14:30:00Z,ACME250119C00100000,1,1`,
    `2024-01-06T14:30:00Z,${ACME},1,1`,
    `2024-01-22T14:30:00Z,${ACME},1,1`,
    `${AT},${ACME},,1`,
    `${AT},${ACME},free,1`,
    `${AT},${ACME},-0.01,1`,
    `${AT},${ACME},1e2x,1`,
    `${AT},${ACME},1,`,
    `${AT},${ACME},1,many`,
    `${AT},${ACME},1,0`,
    `${AT},${ACME},1,-5`,
    `${AT},${ACME},1,1.5`,
    `${AT},${ACME},1,2147483648`,
    `${AT},${ACME},99999999999999,1`,
    `${AT},${ACME},123456789012345678,1`,
    `${AT},${ACME},1`,
  ]
  const good = Array.from({ length: 30 }, () => `${AT},${ACME},"$1,250.5","1,000"`)
  const report = await at.import([at.file('tape.csv', [`\uFEFF${HEADER}`, ...good, ...bad])])
  expect(report).toMatchObject({ rows: 30, rejected: 25 })
  expect(at.rejects().toSorted()).toEqual([
    '32|option_symbol|missing|',
    '33|option_symbol|not an option symbol|ACME',
    `34|option_symbol|not an option symbol|<b>${ACME}</b>`,
    '35|time|missing|',
    '36|time|not a time|soon',
    '37|time|not a time|2024-02-30T14:30:00Z',
    '38|time|not a time|2024-01-03T25:30:00Z',
    '39|time|without a zone: specify it with --zone|2024-01-03T14:30:00',
    '40|time|not a time|17042',
    '41|time|before 1900 or in the future|2202-01-06T14:30:00Z',
    '42|time|on a weekend|2024-01-06T14:30:00Z',
    '43|time|after the expiry|2024-01-22T14:30:00Z',
    '44|price|missing|',
    '45|price|not a plain decimal number|free',
    '46|price|below zero|-0.01',
    '47|price|not a plain decimal number|1e2x',
    '48|size|missing|',
    '49|size|not a plain decimal number|many',
    '50|size|not above zero|0',
    '51|size|below zero|-5',
    '52|size|not a whole number|1.5',
    '53|size|too large|2147483648',
    '54|price|premium too large|99999999999999',
    '55|price|too large|123456789012345678',
    expect.stringMatching(/^56\|/),
  ])
  // 30 × 1,000 contracts; 1250.5 × 1,000 × 100 dollars.
  expect(await at.rows('SELECT max(volume), max(premium) FROM bars', 'option_trades')).toEqual([
    '30000 125050000.0000',
  ])
})

test('A row of a tape of option trades is kept without its invalid values, which are reported', {
  tags: 'slow',
}, async () => {
  const at = importingFormat('option-trades')
  const names =
    'bid,ask,bid_size,ask_size,side,volume,oi,spot,condition,canceled,iv,delta,gamma,theta,vega,rho,theo'
  const rows = [
    // Nothing that fits: no side, for there is no quote; the volume is added up.
    'x,-1,1.5,-2,left,1,-3,0,zzzz,perhaps,-0.1,1.5,x,x,x,x,x',
    // What is a way to write nothing is none, and no fault.
    'N/A,--,null,nan,None,,-,.,none,n/a,nan,-,-,-,-,-,-',
    '"1,000.5",1001.5,10,"1,000",,"2,007",0,4700.25,late,1,0,-5e-1,1e-5,-1.25e+1,.5,-0,3',
    '2,3,,,BID,,,,,f,,,,,,,',
    '2,2.,,,Mid,2,,,,no,,,,,,,',
    ',,-4,,,,,,,,,,,,,,',
  ]
  const tape = rows.map((row, place) => `2024-01-03T14:3${place}:00Z,${ACME},1001,2,${row}`)
  const report = await at.import([at.file('tape.csv', [`${HEADER},${names}`, ...tape])])
  expect(report).toMatchObject({ rows: 6, rejected: 0 })
  expect(
    await at.rows(
      `SELECT nbbo_bid, nbbo_ask, nbbo_bid_size, nbbo_ask_size, tags[1], volume, open_interest, underlying_price, sale_condition,
         canceled, implied_volatility, delta, gamma, theta, vega, rho, theo
       FROM bars ORDER BY executed_at`,
      'option_trades',
    ),
  ).toEqual([
    '- - - - no_side 2 - - - false - - - - - - -',
    '- - - - no_side 4 - - - false - - - - - - -',
    '1000.5000 1001.5000 10 1000 no_side 2007 0 4700.2500 late true - -0.5000000000 0.0000100000 -12.5000000000 ' +
      '0.5000000000 0.0000000000 3.0000',
    // Marked as on the bid although it is above; the volume is summed without the canceled trade.
    '2.0000 3.0000 - - bid_side 6 - - - false - - - - - - -',
    '2.0000 2.0000 - - mid_side 2 - - - false - - - - - - -',
    '- - - - no_side 10 - - - false - - - - - - -',
  ])
  expect(report.accounts[0]?.notes.map(({ fault, rows }) => `${fault} ${rows}`).toSorted()).toEqual([
    'ask: not a price 1',
    'ask_size: not a number 1',
    'bid: not a price 1',
    'bid_size: not a number 2',
    'canceled: neither true nor false 1',
    'conditions: not a known condition 1',
    'delta: not between -1 and 1 1',
    'gamma: not a number 1',
    'iv: not an implied volatility 1',
    'open_interest: not a number 1',
    'rho: not a number 1',
    'side: not a side 1',
    'theo: not a number 1',
    'theta: not a number 1',
    'underlying: not a price 1',
    'vega: not a number 1',
    'volume: not a volume that includes this trade 1',
  ])
})

test('A tape of option trades with implausible quotes is imported as written', { tags: 'slow' }, async () => {
  const at = importingFormat('option-trades')
  const quotes = [
    '0.5,99999999999999,99999999999999',
    '0.5,0,99999999999999',
    '-1,99999999999999,99999999999999',
    '1,5,4',
    '1,-5,4',
  ]
  await at.import([
    at.file('tape.csv', [
      'time,symbol,size,price,bid,ask',
      ...quotes.map((quote, place) => `${AT},${ACME},${place + 1},${quote}`),
    ]),
  ])
  expect(at.rejects()).toEqual(['4|price|below zero|-1'])
  expect(
    await at.rows('SELECT size, nbbo_bid, nbbo_ask, tags FROM bars ORDER BY size', 'option_trades'),
  ).toEqual([
    '1 99999999999999.0000 99999999999999.0000 [bid_side, bearish]',
    '2 0.0000 99999999999999.0000 [bid_side, bearish]',
    '4 5.0000 4.0000 [no_side, neutral]',
    '5 - 4.0000 [no_side, neutral]',
  ])
})
