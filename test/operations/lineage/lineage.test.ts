import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Field } from '../../../src/operations/fields/notation.ts'
import { operations } from '../../../src/operations/index.ts'
import { operationOf } from '../../golden/cases.ts'
import { goldenRequests } from './golden-requests.ts'
import { type Lakes, openLakes } from './lakes.ts'
import { lineageOf } from './lineage.ts'
import { proveLineage } from './proof.ts'

let lakes: Lakes
beforeAll(async () => {
  lakes = await openLakes()
})
afterAll(() => lakes.close())

/** `npm run prove -- lineage` proves all operations. */
const REQUESTS_MAX = 4
const quick = operations.filter(each => goldenRequests(each, lineageOf(each)).length <= REQUESTS_MAX)

test.each(quick)('$id documents the lineage of its fields and parameters', async operation => {
  const { problems, compared } = await proveLineage(operation, lakes.lakeOf)
  expect([...problems].join('\n')).toBe('')
  expect(compared).toBeGreaterThan(0)
})

/** The operation with other columns of one of its fields or, after a `?`, parameters. */
function relisted(id: string, changed: Readonly<Record<string, readonly string[]>>): Operation {
  const operation = operationOf(id)
  const { parts, parameters, dating } = operation.fields
  const relist = (mark: string) => (field: Field) => ({
    ...field,
    from: changed[mark + field.name] ?? field.from,
  })
  return {
    ...operation,
    fields: {
      dating,
      parts: parts.map(part => ({ ...part, fields: part.fields.map(relist('')) })),
      parameters: parameters.map(relist('?')),
    },
  }
}

describe('an error in the table of fields is found:', () => {
  const DAYS = 'option_ticker_days'
  test.each([
    [
      'two columns that are swapped',
      relisted('etf-info', { call_vol: [`${DAYS}.put_volume`], put_vol: [`${DAYS}.call_volume`] }),
      [
        /^etf-info: data\.call_vol moves with option_ticker_days\.call_volume \(plus 8\), which it does not list: see \/api\//,
        /^etf-info: data\.call_vol lists option_ticker_days\.put_volume, but it moves with it in no golden request$/,
      ],
    ],
    [
      'a column that is missing',
      relisted('oi-per-expiry', { call_oi: ['contract_days.option_type'] }),
      [/^oi-per-expiry: data\[\]\.call_oi moves with contract_days\.open_interest /],
    ],
    [
      'a column of a row that nothing lists',
      relisted('insiders', { logo_url: ['insiders.cik'] }),
      [/^insiders: data\[\]\.logo_url moves with insiders\.logo_url /],
    ],
    [
      'a column that is none of the field',
      relisted('etf-info', { stock_vol: ['stock_days.volume', 'stock_days.open'] }),
      [/^etf-info: data\.stock_vol lists stock_days\.open, but it moves with it in no golden request$/],
    ],
    [
      'a column that a parameter compares with and does not list',
      relisted('multi-leg-legs', { '?id': ['multi_leg_legs.option_symbol'] }),
      [
        /^multi-leg-legs: data\[\]\.strike moves with multi_leg_legs\.multi_leg_id /,
        /^multi-leg-legs: \?id lists multi_leg_legs\.option_symbol, but none of the \d+ golden requests with it has other records/,
      ],
    ],
    [
      'a column that a parameter does not compare with',
      relisted('volume-oi-expiry', {
        '?ticker': ['contract_days.underlying_symbol', 'contract_days.trades'],
      }),
      [/^volume-oi-expiry: \?ticker lists contract_days\.trades, but none of the \d+ golden requests/],
    ],
  ] as const)('%s', async (_, operation, messages) => {
    const { problems } = await proveLineage(operation, lakes.lakeOf)
    for (const message of messages) expect([...problems]).toContainEqual(expect.stringMatching(message))
  })
})
