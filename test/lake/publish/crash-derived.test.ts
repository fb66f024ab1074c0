import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { amount } from '../../fixtures/tier.ts'
import { chains, change, SESSIONS, trades } from '../derive/derived-lake.ts'
import { run } from '../store/compiled.ts'
import { silent } from '../store/days.ts'
import { killing } from './killed.ts'
import { pauseAtEach, watching } from './paused.ts'

const { folder, writers, killEverywhere, killSometimes } = killing()

const [D1, D2] = SESSIONS as [string, string]

const HEADER = 'Date,Open,High,Low,Close,Volume,Name'

/** The lake holds one state or the other, whole: nothing damaged, nothing stale. Answers which. */
async function expectWhole(
  writer: Writer,
  lake: string,
  states: readonly unknown[],
  step: string,
): Promise<number> {
  const number = (await readCurrent(lake)) ?? 0
  const { datasets, problems, stale } = await verify(writer, lake, silent)
  expect({ problems, stale }, step).toEqual({ problems: [], stale: new Map() })
  expect(datasets, step).toEqual(states[number - 1])
  return number
}

const stateOf = async (writer: Writer, lake: string) => (await verify(writer, lake, silent)).datasets

test('killed at each step of an import and of what derives from it, a lake holds all of it or nothing', {
  tags: 'slow',
}, async () => {
  const [writer] = writers as [Writer]
  const before = join(folder, 'import')
  const files = ['one', 'two'].map(name => join(folder, `${name}.csv`))
  writeFileSync(files[0] ?? '', `${HEADER}\n${D1},1,2,1,1.5,10,A\n`)
  writeFileSync(files[1] ?? '', `${HEADER}\n${D1},1,3,1,2.5,10,A\n${D2},1,2,1,1.5,10,A\n`)
  const importing = (lake: string, file: string | undefined) => `
    import { importFiles } from './dist/lake/import/import.js'
    await importFiles({ format: 'daily-bars', inputs: ['${file}'], lake: '${lake}', observe: () => {}, threads: 1 })`
  for (const [lake, count] of [
    [before, 1],
    [`${before}-fresh`, 2],
  ] as const)
    for (const file of files.slice(0, count))
      expect(await run(folder, importing(lake, file))).toMatchObject({ code: 0 })
  const states = [await stateOf(writer, before), await stateOf(writer, `${before}-fresh`)]
  expect(states.map(state => state.map(({ dataset, rows }) => `${dataset} ${rows}`))).toEqual([
    ['daily_bars 1', 'stock_days 1'],
    ['daily_bars 2', 'stock_days 2'],
  ])

  const seen = new Set<number>()
  const steps = await killEverywhere(
    before,
    lake => importing(lake, files[1]),
    async (own, lake, step) => {
      seen.add(await expectWhole(own, lake, states, step))
    },
  )
  expect(steps.filter(step => step === 'after copy').length).toBe(4)
  expect([...seen].toSorted()).toEqual([1, 2])
})

/** Changes the open interest of a day, and with it what was derived from it, in a process of its own. */
const deriving = (lake: string) => `
  import { openWriter } from './dist/engine/writer.js'
  import { dataset } from './dist/lake/store/datasets.js'
  import { derive } from './dist/lake/derive/derive.js'
  import { withDraft } from './dist/lake/land/draft.js'
  import { land } from './dist/lake/land/land.js'
  const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
  await writer.run(\`CREATE TABLE incoming AS SELECT * REPLACE (105::BIGINT AS open_interest)
    FROM read_parquet('${lake}/option_chain_days/*/*.parquet', hive_partitioning = false) WHERE date = DATE '${D1}'\`)
  await withDraft(writer, '${lake}', () => {}, async draft => {
    await land(draft, dataset('option_chain_days'))
    await derive(draft)
    await draft.publish()
  })
  writer.close()`

/** A lake of two days, and what it holds before and after `deriving`. */
async function twoDays(name: string): Promise<{ before: string; states: unknown[] }> {
  const [writer] = writers as [Writer]
  const days = [D1, D2]
  const [before, fresh] = [join(folder, name), join(folder, `${name}-fresh`)]
  for (const [lake, interest] of [
    [before, 100],
    [fresh, 105],
  ] as const)
    await change(writer, lake, {
      option_trades: trades(days),
      option_chain_days: chains({ [D1]: interest, [D2]: 110 }),
    })
  return { before, states: [await stateOf(writer, before), await stateOf(writer, fresh)] }
}

test('at each failpoint of a derivation, a lake holds all of it or nothing', { tags: 'slow' }, async () => {
  const { before, states } = await twoDays('stand')
  const { look, seen } = await watching(before, states[1])
  const steps = await pauseAtEach(folder, deriving(before), look)
  expect(seen).toEqual(new Set(['1', '1, 2 is there', '2, 2 is there']))
  // At the least the chain's day, and what is derived from it of that day and of the next, which looks back on it.
  expect(steps.filter(step => step === 'after copy').length).toBeGreaterThan(4)
})

test.each(amount<readonly number[]>({ test: [], prove: [10], long: [200] }))(
  'killed at %i random moments of a derivation, a lake holds all of it or nothing, and the next one goes on',
  async times => {
    const { before, states } = await twoDays('derive')
    await killSometimes(before, deriving, times, async (own, lake, moment) => {
      await expectWhole(own, lake, states, moment)
      await change(own, lake, { option_chain_days: chains({ [D1]: 105 }) })
      expect(await stateOf(own, lake), moment).toEqual(states[1])
      expect(existsSync(join(lake, '.staging')), moment).toBe(false)
    })
  },
)
