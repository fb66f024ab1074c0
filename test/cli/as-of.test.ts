import { expect, test } from 'vitest'
import { folderForTest, makeLake, SMALL_DAYS } from '../fixtures/lake.ts'
import { tapehouseHere } from './in-process.ts'

const query = (lake: string, more: readonly string[]) =>
  tapehouseHere([
    ...['query', 'analytics-window', '--symbols', 'ONE', '--range', 'full', '--calculations', 'MAX'],
    ...['--format', 'json', '--lake', lake, ...more],
  ])

test('a query as of a time answers with the days known by then', async () => {
  const lake = await makeLake(folderForTest(), { days: SMALL_DAYS })
  const asOf = async (time: string) => {
    const { stdout, stderr, code } = await query(lake, ['--as-of', time])
    const { meta, payload } = JSON.parse(stdout.toString()).data
    return { code, stderr, last: meta.max_dt, max: payload.RETURNS_CALCULATIONS.MAX.ONE }
  }
  // The closes are 100, 110, 99, 108.9: returns of +0.1 on the 3rd, −0.1 on the 4th and +0.1 on the 5th.
  const max = expect.closeTo(0.1, 12)
  expect(await asOf('2024-01-04')).toEqual({ code: 0, stderr: '', last: '2024-01-04', max })
  // An hour before the extended session of the 4th ends, the 3rd is the last day that is known.
  expect(await asOf('2024-01-04T19:00:00-05:00')).toEqual({ code: 0, stderr: '', last: '2024-01-03', max })
})

test.each([
  [
    ['--as-of', '2024-01-04T19:00'],
    /--as-of must be a date such as .*, or a time with a zone .*"2024-01-04T19:00"/,
  ],
  [['--as-of', '2024-01-04', '--sql'], /--sql has no meaning with --as-of/],
  [['--as-of', '2024-01-04', '--cite', 'x'], /--cite takes no --as-of/],
])('%j is a usage error', async (flags, message) => {
  const { code, stdout, stderr } = await query('nowhere', flags)
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect([code, stdout.length]).toEqual([2, 0])
})
