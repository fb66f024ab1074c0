import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { files } from '../../../src/engine/bind.ts'
import { openWriter, type Writer } from '../../../src/engine/writer.ts'
import { derive } from '../../../src/lake/derive/derive.ts'
import { importFiles } from '../../../src/lake/import/import.ts'
import { withDraft } from '../../../src/lake/land/draft.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { amount, sampleOf } from '../../fixtures/tier.ts'
import { run } from '../store/compiled.ts'
import { silent, storedDays, writerForTest } from '../store/days.ts'
import { killing } from './killed.ts'
import { pauseAtEach } from './paused.ts'

const { folder } = killing()

const HEADER = 'Date,Open,High,Low,Close,Adj Close,Volume,Name'

/** A script that imports a file of daily bars. */
function importing(lake: string, name: string, days: readonly string[]): string {
  const path = join(folder, `${name}.csv`)
  writeFileSync(path, `${[HEADER, ...days].join('\n')}\n`)
  return `import { importFiles } from './dist/lake/import/import.js'
    await importFiles({ format: 'daily-bars', inputs: ['${path}'], lake: '${lake}', threads: 1, observe: () => {} })`
}

/** Expects that everything derived is what a lake of the same bars that were imported one after the other has. */
async function expectWhole(writer: Writer, lake: string, days: readonly string[]): Promise<void> {
  const found = await verify(writer, lake, silent)
  expect([found.problems, found.stale]).toEqual([[], new Map()])
  const one = await makeLake(folderForTest(), { days })
  const alone = await writerForTest(one)
  expect(found.datasets).toEqual((await verify(alone, one, silent)).datasets)
}

test('of two processes that import at the same time, the rows of both are there, and all that is derived from them', async () => {
  const first = flatDay('A', '2024-01-02', '1')
  const lake = await makeLake(folder, { days: [first] })
  const [one, other] = [
    [flatDay('A', '2024-01-03', '2'), flatDay('A', '2024-01-04', '3')],
    [flatDay('B', '2024-01-03', '2'), flatDay('B', '2024-01-05', '3')],
  ]
  const ended = await Promise.all([
    run(folder, importing(lake, 'one', one)),
    run(folder, importing(lake, 'other', other)),
  ])
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  expect(await readCurrent(lake)).toBe(3)
  const writer = await writerForTest(lake)
  expect(await storedDays(writer, lake)).toEqual([
    'A 2024-01-02 1',
    'A 2024-01-03 2',
    'A 2024-01-04 3',
    'B 2024-01-03 2',
    'B 2024-01-05 3',
  ])
  await expectWhole(writer, lake, [first, ...one, ...other])
})

const MOMENTS = [
  ['before it writes its first file', 'before copy'],
  ['while it derives', 'after copy'],
  ['when its files have their names', 'before write snapshot.json'],
  ['at the last moment', 'before link 2.json'],
] as const

test.each(sampleOf(MOMENTS, amount({ test: 1, prove: 4, long: 4 })))(
  'an import that is overtaken %s loses no row and derives again what depends on the other one',
  { tags: 'slow' },
  async (_, moment) => {
    const own = folderForTest()
    const first = flatDay('A', '2024-01-02', '1')
    const lake = await makeLake(own, { days: [first] })
    const [one, other] = [
      [flatDay('A', '2024-01-03', '2'), flatDay('A', '2024-01-04', '3')],
      [flatDay('B', '2024-01-03', '2')],
    ]
    let isOvertaken = false
    const steps = await pauseAtEach(folder, importing(lake, `late-${moment}`, one), async step => {
      if (step !== moment || isOvertaken) return
      isOvertaken = true
      await makeLake(own, { days: other })
    })
    expect(isOvertaken).toBe(true)
    expect(steps).toContain('after link 3.json')
    expect(await readCurrent(lake)).toBe(3)
    await expectWhole(await writerForTest(lake), lake, [first, ...one, ...other])
  },
)

test('an import that looks up stored rows looks them up again when another one has changed them', {
  tags: 'slow',
}, async () => {
  const lake = join(folder, 'chains')
  const contract = 'ACME240119C00100000'
  const columns =
    'date,underlying_symbol,option_symbol,option_type,strike,expiry,multiplier,settlement,bid,ask'
  const chain = (name: string, date: string, bid: string) => {
    const path = join(folder, `${name}.csv`)
    writeFileSync(path, `${columns}\n${date},ACME,${contract},call,100,2024-01-19,100,PM,${bid},3\n`)
    return importFiles({ format: 'csv-option_chain_days', inputs: [path], lake, observe: silent })
  }
  await chain('before', '2024-01-03', '1')
  const interest = join(folder, 'interest.csv')
  const rows = ['2024-01-03,10', '2024-01-04,20', 'a rejected line,30'].map(row => `${contract},${row}`)
  writeFileSync(interest, `option_symbol,date,open_interest\n${rows.join('\n')}\n`)
  const script = `import { importFiles } from './dist/lake/import/import.js'
    const { rows, rejected } = await importFiles({
      format: 'option-open-interest', inputs: ['${interest}'], lake: '${lake}', observe: () => {} })
    if (rows !== 2 || rejected !== 1) throw new Error(rows + ' rows, ' + rejected + ' rejected')`
  let isOvertaken = false
  await pauseAtEach(folder, script, async step => {
    if (step !== 'before write snapshot.json' || isOvertaken) return
    isOvertaken = true
    await chain('meanwhile', '2024-01-04', '2')
  })
  const snapshot = await loadSnapshot(lake)
  const writer = await writerForTest(lake)
  expect(
    await writer.rows(
      `SELECT date::VARCHAR AS date, bid::DOUBLE AS bid, open_interest::INTEGER AS open_interest
       FROM read_parquet($paths, hive_partitioning = false) ORDER BY date`,
      { paths: files(snapshot.files('option_chain_days').map(({ path }) => path)) },
    ),
  ).toEqual([
    { date: '2024-01-03', bid: 1, open_interest: 10 },
    { date: '2024-01-04', bid: 2, open_interest: 20 },
  ])
})

test('a derivation that an import overtakes computes the imported days too', async () => {
  const own = folderForTest()
  const days = [flatDay('A', '2024-01-02', '1'), flatDay('A', '2024-01-03', '2')]
  const lake = await makeLake(own, { days })
  const writer = await openWriter({ directories: [lake] })
  const later = [flatDay('B', '2024-01-02', '5')]
  let attempts = 0
  const counts: number[] = []
  await withDraft(writer, lake, silent, async draft => {
    attempts += 1
    const [stock] = await derive(draft, { datasets: ['stock_days'], afresh: draft.isAnew })
    counts.push(stock?.computed.length ?? 0)
    if (attempts === 1) {
      // Something to publish, besides days that were computed to the same values.
      await makeLake(own, { days: later })
    }
    return draft.publish({ made_by: 'derive' })
  })
  expect(attempts).toBe(2)
  expect(counts[0]).toBe(2)
  writer.close()
  const reader = await writerForTest(lake)
  await expectWhole(reader, lake, [...days, ...later])
})
