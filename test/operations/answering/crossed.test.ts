import { expect, test } from 'vitest'
import { inQuery } from '../../../src/operations/answering/crossed.ts'

test('the example of crossed bounds can be sent: a colon and a comma stay, a blank and a plus sign are encoded', () => {
  // RFC 3986: a blank is %20, a plus sign %2B, an ampersand %26.
  expect(inQuery('10:30,b c+d&e')).toBe('10:30,b%20c%2Bd%26e')
})
