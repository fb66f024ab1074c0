import { describe, expect, test } from 'vitest'
import { preferredType, weightsOf } from '../../../src/api/http/accept.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const CSV = 'text/csv; charset=utf-8; header=present'
const PARQUET = 'application/vnd.apache.parquet'
const OFFERED = [JSON_TYPE, CSV, PARQUET]

describe('an Accept header', () => {
  const headers: [header: string | undefined, preferred: string | null][] = [
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    // With our own parameters, in any case, quoted or not, with and without spaces.
    ['application/json; charset=utf-8', JSON_TYPE],
    ['text/csv; charset=utf-8', CSV],
    ['text/csv; charset=utf-8; header=present', CSV],
    ['TEXT/CSV;Charset="UTF-8"', CSV],
    ['text/csv ;charset=utf-8 ; q=0.5', CSV],
    // Another value of a parameter of ours names something that is not here.
    ['text/csv; charset=iso-8859-1', null],
    ['text/csv; header=absent', null],
    ['text/csv; header=absent, */*;q=0.1', JSON_TYPE],
    // Parameters that our types lack exclude nothing, and count less than the type without them.
    ['application/json; profile="https://example.org/a,b;c"', JSON_TYPE],
    ['application/json;version=2', JSON_TYPE],
    ['text/csv;profile=x, */*;q=0.1', CSV],
    ['application/json;profile=x;q=0, application/json', JSON_TYPE],
    ['application/json;profile=x, application/json;q=0', null],
    ['application/json;profile=x, application/json;q=0.1, text/csv;q=0.5', CSV],
    // Weights decide, then the more specific name, then the order of the header, then ours.
    ['application/json;q=0.5, text/csv;q=0.6', CSV],
    ['application/json;Q=0.5, text/csv;Q=0.6', CSV],
    ['*/*, text/csv', CSV],
    ['text/csv, application/json', CSV],
    ['application/*;q=0.2, application/vnd.apache.parquet', PARQUET],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],
    ['*/*, application/json;q=0', CSV],
    ['application/*;q=0, */*', CSV],
    ['application/json;q=0', null],
    ['text/csv;q=0.000', null],
    ['*/*;q=0', null],
    ['q=1', null],
    ['application/xml', null],
    ['json', null],
    // The weight need not be last. One that is not a number counts as 1, one above 1 as 1.
    ['text/csv;q=0.5;charset=utf-8, application/json;q=0.4', CSV],
    ['text/csv;q=high, application/json;q=0.9', CSV],
    ['application/json, text/csv;q=5', JSON_TYPE],
    // Empty elements, and what nothing can be read from.
    [', ,text/csv,', CSV],
    [';;;', null],
    ['"text/csv', null],
  ]
  test.each(headers)('%j prefers %j', (header, preferred) => {
    expect(preferredType(header, OFFERED)).toBe(preferred)
  })

  test('weighs the example of RFC 9110, section 12.5.1, as its table does', () => {
    const header =
      'text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5'
    const types = [
      'text/html',
      'text/plain;format=fixed',
      'image/jpeg',
      'text/plain',
      'text/plain;format=flowed',
    ]
    const order: (string | null)[] = []
    while (order.length < types.length)
      order.push(
        preferredType(
          header,
          types.filter(type => !order.includes(type)),
        ),
      )
    expect(order).toEqual(types.toReversed())
    expect(preferredType(`${header}, text/html;level=3;q=0`, ['text/html;level=3', 'image/jpeg'])).toBe(
      'image/jpeg',
    )
  })

  test('of 16 KiB is read at once, whatever is in it', () => {
    for (const part of ['"', '\\"', '"\\', 'a/b,', ';a=b', ',', ';', '=', '*/*;q=0,']) {
      const begun = performance.now()
      preferredType(part.repeat(16_384 / part.length), OFFERED)
      expect(performance.now() - begun, part).toBeLessThan(500)
    }
  })
})

describe('an Accept-Encoding header', () => {
  test.each([
    ['gzip', { gzip: 1, br: 0 }],
    ['x-gzip;q=0.3', { gzip: 0.3 }],
    ['GZIP;Q=0.3', { gzip: 0.3 }],
    ['*', { gzip: 1, br: 1, identity: 1 }],
    ['br, *;q=0', { gzip: 0, br: 1, identity: 0 }],
    ['identity;q=0, *;q=0.5', { gzip: 0.5, br: 0.5, identity: 0 }],
    ['', { gzip: 0, br: 0 }],
  ])('%j gives the weights %j', (header, weights) => {
    const weight = weightsOf(header)
    for (const [coding, expected] of Object.entries(weights)) expect(weight(coding), coding).toBe(expected)
  })

  test('accepts identity unless it excludes it, after everything that it names', () => {
    expect(weightsOf('gzip;q=0.001')('identity')).toBeLessThan(0.001)
    expect(weightsOf('gzip;q=0')('identity')).toBeGreaterThan(0)
    expect(weightsOf('identity;q=0')('identity')).toBe(0)
  })
})
