import { expect, test } from 'vitest'
import { openWriter } from '../../src/engine/writer.ts'
import { generate } from '../../src/lake/generate.ts'
import { loadSnapshot } from '../../src/lake/snapshot.ts'
import { folderForTest } from '../fixtures/lake.ts'

const OPTIONS = { seed: 4, days: 2, tickers: 4, tradesPerDay: 1000 }

test('a market is generated into a lake as one snapshot, with everything that is derived from it', async () => {
  const lake = folderForTest()
  const writer = await openWriter({ directories: [lake] })
  const seen: string[] = []
  const generated = await generate(writer, lake, OPTIONS, observation => {
    if (observation.kind === 'progress' && observation.task === 'generate')
      seen.push(`${observation.done}/${observation.total}`)
  })
  expect(generated).toMatchObject({ snapshot: 1, from: '2024-12-30', to: '2024-12-31' })
  expect(seen).toEqual(['0/2', '1/2', '2/2'])
  expect(generated.rows.get('option_trades')).toBe(2000)
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
  writer.close()
})
