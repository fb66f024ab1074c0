import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, pin } from '../../../src/operations/answering/answer.ts'
import type { Format } from '../../../src/operations/answering/formats.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { optionStance } from '../../../src/operations/catalog/option-stance.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { type GoldenLake, goldenLake } from '../../golden/lake.ts'

const folder = temporaryFolder()
let lake: GoldenLake

beforeAll(async () => {
  lake = await goldenLake(fileURLToPath(new URL('../../golden/option-stance/lake', import.meta.url)), folder)
})
afterAll(async () => {
  await lake.engine.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(format: Format, ticker: string, query: readonly [string, string][]): Promise<string> {
  const validated = validate(optionStance, { path: { ticker }, query })
  if ('faults' in validated) throw new Error(JSON.stringify(validated.faults))
  const pinned = pin(optionStance, validated.values, lake.snapshot, { owner: null, admin: false })
  const { bytes } = await answer(pinned, lake.engine, format, new AbortController().signal)
  return Buffer.from(bytes).toString()
}

test('as lines, an answer is its scored contracts without the context', async () => {
  const query: [string, string][] = [['stance', 'sell_vega']]
  const { data } = JSON.parse(await ask('json', 'VEGA', query)) as { data: unknown[] }
  const lines = (await ask('ndjson', 'VEGA', query)).trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line))).toEqual(data)
  expect(data).toHaveLength(6)
})

test('as CSV, an answer without contracts still has its heading', async () => {
  const [heading, ...rows] = (await ask('csv', 'CEDAR', [['stance', 'leaps']])).trimEnd().split('\n')
  expect(heading).toMatch(/^option_symbol,option_type,strike,expires,dte,fit_score,components,explanation,/)
  expect(rows).toEqual([])
})

// Half way between 0.6 and 0.85 is 0.725, and they are 0.25 apart; from 270 days on, 365 is 95 further, and twice
// that is 190. These are the scores of the golden cases.
test('the description says by which figures a stance scores', () => {
  const { description } = optionStance
  expect(description).toContain(
    '0.25 iv_regime + 0.30 greeks_fit + 0.20 dte_fit + 0.15 liquidity + 0.10 earnings_timing',
  )
  expect(description).toContain(
    '`leaps`: hold the underlying through long-dated options. Ranked: dte from 270 on, |delta| 0.6 to 0.85. iv_regime: a low IV rank. greeks_fit: 1 at |delta| 0.725, 0 from 0.25 away. dte_fit: 1 at 365 or more days, 0 from 190 away.',
  )
  expect(description).toContain(
    '`sell_premium`: sell options that are likely to expire worthless. Ranked: dte 20 to 60, |delta| 0.15 to 0.35, no earnings before expiry. iv_regime: a high IV rank. greeks_fit: 1 at |delta| 0.25, 0 from 0.2 away. dte_fit: 1 at 40 days, 0 from 40 away.',
  )
  expect(description).toContain(
    '`cheapies`: buy cheap options that gain most from a large move. Ranked: dte 7 to 45, price below 1 dollar, out of the money. iv_regime: a low IV rank.',
  )
})
