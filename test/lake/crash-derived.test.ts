import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../src/engine/writer.ts'
import { readCurrent } from '../../src/lake/current.ts'
import { verify } from '../../src/lake/verify.ts'
import { run } from './compiled.ts'
import { silent } from './days.ts'
import { chains, change, SESSIONS, trades } from './derived-lake.ts'
import { killing } from './killed.ts'

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

test('killed at each step of an import and of what derives from it, a lake holds all of it or nothing', async () => {
  const [writer] = writers as [Writer]
  const before = join(folder, 'import')
  const files = ['one', 'two'].map(name => join(folder, `${name}.csv`))
  writeFileSync(files[0] ?? '', `${HEADER}\n${D1},1,2,1,1.5,10,A\n`)
  writeFileSync(files[1] ?? '', `${HEADER}\n${D1},1,3,1,2.5,10,A\n${D2},1,2,1,1.5,10,A\n`)
  const importing = (lake: string, file: string | undefined) => `
    import { importFiles } from './dist/lake/import.js'
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
}, 300_000)

/** Changes the open interest of a day, and with it what was derived from it, in a process of its own. */
const deriving = (lake: string) => `
  import { openWriter } from './dist/engine/writer.js'
  import { dataset } from './dist/lake/datasets.js'
  import { derive } from './dist/lake/derive.js'
  import { withDraft } from './dist/lake/draft.js'
  import { land } from './dist/lake/land.js'
  const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
  await writer.run(\`CREATE TABLE incoming AS SELECT * REPLACE (105::BIGINT AS open_interest)
    FROM read_parquet('${lake}/option_chain_days/*/*.parquet', hive_partitioning = false) WHERE date = DATE '${D1}'\`)
  await withDraft(writer, '${lake}', () => {}, async draft => {
    await land(draft, dataset('option_chain_days'))
    await derive(draft)
    await draft.publish()
  })
  writer.close()`

test('killed at ten random moments of a derivation, a lake holds all of it or nothing, and the next one goes on', async () => {
  const [writer] = writers as [Writer]
  const before = join(folder, 'derive')
  const days = [D1, D2]
  await change(writer, before, {
    option_trades: trades(days),
    option_chain_days: chains({ [D1]: 100, [D2]: 110 }),
  })
  const fresh = `${before}-fresh`
  await change(writer, fresh, {
    option_trades: trades(days),
    option_chain_days: chains({ [D1]: 105, [D2]: 110 }),
  })
  const states = [await stateOf(writer, before), await stateOf(writer, fresh)]
  await killSometimes(before, deriving, 10, async (own, lake, moment) => {
    await expectWhole(own, lake, states, moment)
    await change(own, lake, { option_chain_days: chains({ [D1]: 105 }) })
    expect(await stateOf(own, lake), moment).toEqual(states[1])
    expect(existsSync(join(lake, '.staging')), moment).toBe(false)
  })
}, 300_000)
