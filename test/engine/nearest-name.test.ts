import { describe, expect, test } from 'vitest'
import { guess, nearestName, suggestion } from '../../src/engine/nearest-name.ts'
import { operations } from '../../src/operations/index.ts'

const ids = operations.map(({ id }) => id)

describe('the nearest name', () => {
  test.each([
    // A prefix of several: the one with the fewest edits, not the first.
    ['insider', 'insiders'],
    ['insider-buy', 'insider-buy-sells'],
    ['analytics', 'analytics-window'],
    // The beginning of a later word.
    ['window', 'analytics-window'],
    ['contracts', 'screener-option-contracts'],
    // Fewest edits.
    ['greek', 'greeks'],
    ['insides', 'insiders'],
    ['etf-holding', 'etf-holdings'],
    ['crypto_ohlc', 'crypto-ohlc'],
  ])('of %j is %j', (typed, name) => {
    expect(nearestName(typed, ids)).toBe(name)
    expect(suggestion(typed, ids)).toBe(`did you mean ${name}?`)
    expect(guess(typed, ids)).toBe(`: did you mean ${name}?`)
  })

  test.each([
    ['', ['keep', 'release']],
    // Of four letters all are different.
    ['make', ['create', 'list', 'revoke']],
    // Four edits of thirteen letters.
    ['transcription', ['description']],
    // Two of three letters.
    ['abc', ['axy']],
    ['$(reboot)', ids],
  ])('of %j is not suggested where it is another one: %j', (typed, names) => {
    expect(suggestion(typed, names)).toBe(`specify one of ${names.join(', ')}`)
    expect(guess(typed, names)).toBe('')
  })

  test('of no names is none', () => {
    expect(guess('report', [])).toBe('')
  })

  test('is shown as the message shows names', () => {
    expect(guess('fil', ['file', 'format'], JSON.stringify)).toBe(': did you mean "file"?')
  })
})
