import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bindings, integer, microInstant, text } from '../../../src/engine/bind.ts'
import { isoMicros } from '../../../src/market/iso-time.ts'
import { pin, queryOf } from '../../../src/operations/answering/answer.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { contractFlow } from '../../../src/operations/catalog/contract-flow.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { inputOf } from '../../golden/cases.ts'
import { type GoldenLake, goldenLake } from '../../golden/lake.ts'

/** A long answer is read in pages, each of which begins after the last trade of the previous one. */

const LAKE = fileURLToPath(new URL('../../golden/contract-flow/lake', import.meta.url))
const FLOW = '/api/option-contract/ACME240119C00100000/flow'
const signal = new AbortController().signal

interface Trade {
  readonly id: string
  readonly executed_at: string
  readonly size: number
}

let lake: GoldenLake
const folder = temporaryFolder()
beforeAll(async () => {
  lake = await goldenLake(LAKE, folder)
})
afterAll(async () => {
  await lake.engine.close()
  rmSync(folder, { recursive: true, force: true })
})

function queryFor(request: string) {
  const validated = validate(contractFlow, inputOf(contractFlow, request))
  if ('faults' in validated) throw new Error(request)
  const pinned = pin(contractFlow, validated.values, lake.snapshot, { owner: null, admin: false })
  return queryOf(pinned, lake.engine)
}

/** The trades of one page: at most `limit`, after `after` or from the first one, and none older than `until`. */
async function page(
  request: string,
  after: Trade | undefined,
  limit: number,
  until?: Trade,
): Promise<Trade[]> {
  const query = queryFor(request)
  const place: Bindings = after
    ? { after_time: microInstant(isoMicros(after.executed_at)), after_id: text(after.id) }
    : {}
  const end: Bindings = until ? { until_time: microInstant(isoMicros(until.executed_at)) } : {}
  const bindings = { ...query.bindings, ...place, ...end, limit: integer(limit) }
  const { bytes } = await lake.engine.encode({ ...query, bindings }, 'json', signal)
  return JSON.parse(`[${Buffer.from(bytes).toString()}]`)
}

/** The trades of all pages, by size, a page a list; ends with the first page that is not full. */
async function pages(request: string, limit: number): Promise<number[][]> {
  const all: Trade[][] = []
  do all.push(await page(request, all.at(-1)?.at(-1), limit))
  while (all.at(-1)?.length === limit)
  return all.map(trades => trades.map(({ size }) => size))
}

describe('pages of a flow', () => {
  // Trades 5 and 6 share a microsecond; 1 and 2 are one microsecond apart.
  test.each([
    [1, [[5], [6], [4], [3], [2], [1], []]],
    [2, [[5, 6], [4, 3], [2, 1], []]],
    [
      4,
      [
        [5, 6, 4, 3],
        [2, 1],
      ],
    ],
    [7, [[5, 6, 4, 3, 2, 1]]],
  ])('of %i trades make up the whole, each trade once', async (limit, expected) => {
    expect(await pages(FLOW, limit)).toEqual(expected)
  })

  test('go on within what a filter leaves', async () => {
    expect(await pages(`${FLOW}?side=ASK`, 1)).toEqual([[5], [1], []])
    expect(await pages(`${FLOW}?min_premium=1000`, 3)).toEqual([[6, 4, 3], [1]])
  })

  test('show each trade with its alert, wherever the page was cut', async () => {
    const whole = await page(FLOW, undefined, 6)
    const cut = await Promise.all(
      [undefined, ...whole.slice(0, -1)].map(async after => (await page(FLOW, after, 1))[0]),
    )
    expect(cut).toEqual(whole)
  })

  test('end with the microsecond of a trade', async () => {
    const [, six, four, three] = await page(FLOW, undefined, 6)
    const sizes = async (after: Trade | undefined, until: Trade | undefined) =>
      (await page(FLOW, after, 100, until)).map(({ size }) => size)
    expect(await sizes(undefined, six)).toEqual([5, 6])
    expect(await sizes(six, three)).toEqual([4, 3])
    expect(await sizes(four, undefined)).toEqual([3, 2, 1])
  })
})

describe('a parameter that has its default value', () => {
  test.each([
    ['', false],
    ['&min_premium=0', false],
    ['&min_premium=1', true],
  ])('is not one of many values: %j', (parameters, isOfMany) => {
    expect(queryFor(`${FLOW}?date=2024-01-10${parameters}`).values?.has('min_premium')).toBe(isOfMany)
  })
})
