import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const HEADER = 'option_symbol,date,open_interest'
const ACME = 'ACME240119C00100000'

describe('Open interest of options', () => {
  test('becomes one row of the chain per contract and day, with only the columns that its symbol determines', async () => {
    const at = importingFormat('option-open-interest')
    const report = await at.import(['data/samples/option-open-interest'])
    expect(report).toMatchObject({ rows: 10, rejected: 0, notes: [] })
    const rest = '- - - - - - - - -'
    expect(await at.rows('FROM bars ORDER BY date, option_symbol', 'option_chain_days')).toEqual([
      `2024-01-03 ACME ACME240119C00100000 call 100.000 2024-01-19 100 PM - - - - 1200 ${rest}`,
      `2024-01-03 ACME ACME240119C00105000 call 105.000 2024-01-19 100 PM - - - - 340 ${rest}`,
      `2024-01-03 ACME ACME240119P00095000 put 95.000 2024-01-19 100 PM - - - - 800 ${rest}`,
      `2024-01-03 BRASS BRASS240216P00047500 put 47.500 2024-02-16 100 PM - - - - 0 ${rest}`,
      `2024-01-03 CEDAR CEDAR1240315C00012500 call 12.500 2024-03-15 100 PM - - - - 31 ${rest}`,
      `2024-01-03 CEDAR CEDAR240315C00012500 call 12.500 2024-03-15 100 PM - - - - 4410 ${rest}`,
      `2024-01-04 ACME ACME240119C00100000 call 100.000 2024-01-19 100 PM - - - - 1290 ${rest}`,
      `2024-01-04 ACME ACME240119C00105000 call 105.000 2024-01-19 100 PM - - - - 355 ${rest}`,
      `2024-01-04 ACME ACME240119P00095000 put 95.000 2024-01-19 100 PM - - - - 792 ${rest}`,
      `2024-01-04 BRASS BRASS240216P00047500 put 47.500 2024-02-16 100 PM - - - - 5 ${rest}`,
    ])
  })

  test('determines the underlying, multiplier and settlement of a contract', async () => {
    const at = importingFormat('option-open-interest')
    const symbols = [
      'SPX   240119C04700000',
      'SPXW240119C04700000',
      'VIX240117C00013000',
      'NANOS240119P00470000',
      'brkb240119p00360000',
    ]
    await at.import([at.file('oi.csv', [HEADER, ...symbols.map(symbol => `${symbol},2024-01-03,1`)])])
    expect(
      await at.rows(
        'SELECT option_symbol, underlying_symbol, multiplier, settlement, option_type, strike FROM bars ORDER BY 1',
        'option_chain_days',
      ),
    ).toEqual([
      'BRKB240119P00360000 BRK.B 100 PM put 360.000',
      'NANOS240119P00470000 NANOS 1 PM put 470.000',
      'SPX240119C04700000 SPX 100 AM call 4700.000',
      'SPXW240119C04700000 SPX 100 PM call 4700.000',
      'VIX240117C00013000 VIX 100 AM call 13.000',
    ])
  })

  test('does not change the other columns of a chain in the lake', { tags: 'slow' }, async () => {
    const at = importingFormat('option-open-interest')
    const chain = [
      'date,underlying_symbol,option_symbol,option_type,strike,expiry,multiplier,settlement,bid,ask,last,volume,open_interest,underlying_price,implied_volatility,delta,gamma,theta,vega,rho,charm,vanna',
      `2024-01-03,ACME,${ACME},call,100,2024-01-19,10,AM,2.9,3,2.95,540,77,101.25,0.25,0.61,0.07,-0.06,0.08,0.02,0.003,-0.004`,
      '2024-01-03,ACME,ACME240119P00100000,put,100,2024-01-19,100,PM,1.6,1.7,1.65,5,88,101.25,0.25,-0.4,0.07,-0.06,0.08,-0.02,0.003,-0.004',
      `2024-01-08,ACME,${ACME},call,100,2024-01-19,100,PM,5,6,,,99,,,,,,,,,`,
    ]
    await at.import([at.file('chain.csv', chain)], { format: 'csv-option_chain_days' })
    await at.import([at.file('oi.csv', [HEADER, `${ACME},2024-01-03,1200`, `${ACME},2024-01-04,1290`])])
    expect(await at.rows('FROM bars ORDER BY date, option_symbol', 'option_chain_days')).toEqual([
      `2024-01-03 ACME ${ACME} call 100.000 2024-01-19 10 AM 2.9000 3.0000 2.9500 540 1200 101.2500 0.2500000000 ` +
        '0.6100000000 0.0700000000 -0.0600000000 0.0800000000 0.0200000000 0.0030000000 -0.0040000000',
      '2024-01-03 ACME ACME240119P00100000 put 100.000 2024-01-19 100 PM 1.6000 1.7000 1.6500 5 88 101.2500 0.2500000000 ' +
        '-0.4000000000 0.0700000000 -0.0600000000 0.0800000000 -0.0200000000 0.0030000000 -0.0040000000',
      `2024-01-04 ACME ${ACME} call 100.000 2024-01-19 100 PM - - - - 1290 - - - - - - - - -`,
      `2024-01-08 ACME ${ACME} call 100.000 2024-01-19 100 PM 5.0000 6.0000 - - 99 - - - - - - - - -`,
    ])
  })

  test('may be repeated, with a byte order mark, other names and semicolons: the last figure counts', async () => {
    const at = importingFormat('option-open-interest')
    const rows = [`O:${ACME};2024-01-03;5`, `${ACME};2024-01-03;6`, '', `${ACME};2024-01-04;7.0`]
    const report = await at.import([at.file('oi.csv', ['\uFEFFSymbol;Date;OI', ...rows])])
    expect(report).toMatchObject({ rows: 2, rejected: 0 })
    expect(await at.rows('SELECT date, open_interest FROM bars ORDER BY date', 'option_chain_days')).toEqual([
      '2024-01-03 6',
      '2024-01-04 7',
    ])
  })

  test('is rejected, with the line and the reason, for an invalid contract, day or figure', async () => {
    const at = importingFormat('option-open-interest')
    const bad = [
      ',2024-01-03,1',
      'ACME,2024-01-03,1',
      `${ACME},,1`,
      `${ACME},1/3/2024,1`,
      `${ACME},2202-01-06,1`,
      `${ACME},2024-01-06,1`,
      `${ACME},2024-01-22,1`,
      `${ACME},2024-01-03,`,
      `${ACME},2024-01-03,--`,
      `${ACME},2024-01-03,"1,000"`,
      `${ACME},2024-01-03,-1`,
      `${ACME},2024-01-03,1.5`,
      `${ACME},2024-01-03,99999999999999999999`,
      `${ACME},2024-01-03`,
      '<td>ACME240119C00100000</td>,2024-01-03,1',
    ]
    // The expiration day itself is a day of the chain.
    const good = Array.from({ length: 15 }, () => `${ACME},2024-01-19,9`)
    const report = await at.import([at.file('oi.csv', [HEADER, ...good, ...bad])])
    expect(report).toMatchObject({ rows: 1, rejected: 15 })
    expect(at.rejects().toSorted()).toEqual([
      '17|option_symbol|missing|',
      '18|option_symbol|not an option symbol|ACME',
      '19|date|missing|',
      '20|date|not a date|1/3/2024',
      '21|date|before 1900 or in the future|2202-01-06',
      '22|date|on a weekend|2024-01-06',
      '23|date|after the expiry|2024-01-22',
      '24|open_interest|missing|',
      '25|open_interest|not a plain decimal number|--',
      '26|open_interest|not a plain decimal number|1,000',
      '27|open_interest|below zero|-1',
      '28|open_interest|not a whole number|1.5',
      '29|open_interest|too large|99999999999999999999',
      expect.stringMatching(/^30\|/),
      '31|option_symbol|not an option symbol|<td>ACME240119C00100000</td>',
    ])
  })
})
