import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { files } from '../../../src/engine/bind.ts'
import type { Observation } from '../../../src/engine/observation.ts'
import { openWriter } from '../../../src/engine/writer.ts'
import { type Generated, generate } from '../../../src/lake/generate/generate.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { amount } from '../../fixtures/tier.ts'

/** In a proof, more trades than one file holds. */
const TRADES = amount({ test: 4000, prove: 120_000, long: 120_000 })
const FILES = amount({ test: 1, prove: 2, long: 2 })
const OPTIONS = { seed: 6, days: 2, tickers: 4, tradesPerDay: TRADES, warmSessions: 2 }

const folder = temporaryFolder()
const lake = join(folder, 'lanes-1')
const writer = await openWriter({ directories: [folder], threads: 1 })
const seen: string[] = []
let generated: Generated

beforeAll(async () => {
  const observe = (observation: Observation) => {
    if (observation.kind === 'progress' && observation.task === 'generate')
      seen.push(`${observation.done}/${observation.total}`)
  }
  generated = await generate(writer, lake, OPTIONS, observe, 1)
})
afterAll(() => {
  writer.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a market is generated into a lake as one snapshot, with everything that is derived from it', async () => {
  expect(generated).toMatchObject({ snapshot: 1, from: '2024-12-30', to: '2024-12-31' })
  expect(seen).toEqual(['0/2', '1/2', '2/2'])
  expect(generated.rows.get('option_trades')).toBe(2 * TRADES)
  const snapshot = await loadSnapshot(lake)
  for (const name of [
    'option_trades',
    'option_chain_days',
    'stock_days',
    'contract_days',
    'flow_alerts',
    'institutions',
  ])
    expect(snapshot.files(name).length, name).toBeGreaterThan(0)
  // The market's temporary tables are gone.
  expect(
    await writer.rows("SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'market_%'"),
  ).toEqual([])
})

test('that market is the same whatever the lanes, and a day of many trades fills several files with whole contracts', {
  tags: 'slow',
}, async () => {
  const markets: unknown[] = []
  for (const [lanes, threads] of [
    [1, 1],
    [3, 2],
  ] as const) {
    const own = join(folder, `lanes-${lanes}`)
    const other = await openWriter({ directories: [folder], threads })
    if (lanes > 1) await generate(other, own, OPTIONS, () => {}, lanes)
    const { datasets, problems, stale } = await verify(other, own, () => {})
    expect({ problems, stale }).toEqual({ problems: [], stale: new Map() })
    markets.push(datasets)
    const days = (await loadSnapshot(own)).files('option_trades')
    expect(days.length).toBe(2 * FILES)
    for (const [index, { ranges }] of days.entries()) {
      const [, last = ''] = (index % FILES > 0 && days[index - 1]?.ranges.option_chain_id) || []
      expect(last < (ranges.option_chain_id?.[0] ?? '')).toBe(true)
    }
    // The running volume of each contract ends with what its trades add up to, whichever file they are in.
    expect(
      await other.rows(
        `SELECT sum(trades)::INTEGER AS trades, count(*) FILTER (volume <> total)::INTEGER AS wrong
         FROM (
           SELECT count(*) AS trades, max(volume) AS volume, sum(size) FILTER (NOT canceled) AS total
           FROM read_parquet($files, hive_partitioning = false)
           GROUP BY date, option_chain_id
         )`,
        { files: files(days.map(({ path }) => path)) },
      ),
    ).toEqual([{ trades: 2 * TRADES, wrong: 0 }])
    other.close()
  }
  expect(markets[1]).toEqual(markets[0])
})
