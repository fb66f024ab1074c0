import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatOptionSymbol, parseOptionSymbol } from '../../src/market/osi.ts'

describe('an option symbol', () => {
  test.each([
    ['AAPL240119C00150000', 'AAPL', '2024-01-19', 'call', 150],
    ['SPXW231215P04100500', 'SPXW', '2023-12-15', 'put', 4100.5],
    ['F240229C00012125', 'F', '2024-02-29', 'call', 12.125],
    ['AAPL1140606C00092860', 'AAPL1', '2014-06-06', 'call', 92.86],
    ['2SPY240119C00470000', '2SPY', '2024-01-19', 'call', 470],
    ['BRKB  240119P00360000', 'BRKB', '2024-01-19', 'put', 360],
    ['SPXPM 140117P01850000', 'SPXPM', '2014-01-17', 'put', 1850],
    ['aapl240119c00150000', 'AAPL', '2024-01-19', 'call', 150],
    ['A00000240119C99999999', 'A00000', '2024-01-19', 'call', 99_999.999],
  ] as const)('%s is read', (text, root, expiry, type, strike) => {
    expect(parseOptionSymbol(text)).toEqual({ root, expiry, type, strike })
    expect(formatOptionSymbol({ root, expiry, type, strike })).toBe(text.replaceAll(' ', '').toUpperCase())
  })

  test.each([
    ['', 'nothing'],
    ['AAPL', 'a root alone'],
    ['240119C00150000', 'no root'],
    ['ABCDEFG240119C00150000', 'a root of 7'],
    ['AAPL240230C00150000', '30 February'],
    ['AAPL230229C00150000', '29 February of a common year'],
    ['AAPL241301C00150000', 'month 13'],
    ['AAPL240100C00150000', 'day 0'],
    ['AAPL240119X00150000', 'neither C nor P'],
    ['AAPL240119C0150000', '7 digits'],
    ['AAPL240119C001500000', '9 digits'],
    ['BRK.B240119P00360000', 'a dot'],
    ['AAPL240119 C00150000', 'a blank within'],
    [' AAPL240119C00150000', 'a blank before'],
    ['AAPL240119C00150000 ', 'a blank after'],
    ['AAPL   240119C00150000', 'a root padded to 7'],
    ['AAPL\t240119C00150000', 'a tab'],
    ['AAPL240119C0015000O', 'a letter in the strike'],
  ])('%j is none: %s', text => {
    expect(parseOptionSymbol(text)).toBeNull()
  })

  test('is written so that it is read as the same contract', () => {
    const contracts = fc.record({
      root: fc.stringMatching(/^[A-Z0-9]{1,6}$/),
      expiry: fc
        .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
        .map(date => date.toISOString().slice(0, 10)),
      type: fc.constantFrom('call' as const, 'put' as const),
      strike: fc.integer({ min: 0, max: 99_999_999 }).map(thousandths => thousandths / 1000),
    })
    fc.assert(
      fc.property(contracts, contract => {
        const symbol = formatOptionSymbol(contract)
        expect(parseOptionSymbol(symbol)).toEqual(contract)
        expect(symbol.length).toBe(contract.root.length + 15)
      }),
    )
  })

  const contract = { root: 'AAPL', expiry: '2024-01-19', type: 'call', strike: 150 } as const
  test.each([
    { ...contract, root: 'BRK.B' },
    { ...contract, root: '' },
    { ...contract, expiry: '2024-02-30' },
    { ...contract, expiry: '1999-01-15' },
    { ...contract, expiry: '20240119' },
    { ...contract, strike: 100_000 },
    { ...contract, strike: -1 },
    { ...contract, strike: 1.0005 },
    { ...contract, strike: Number.NaN },
  ])('is not written of %j', impossible => {
    expect(() => formatOptionSymbol(impossible)).toThrow(RangeError)
  })
})
