import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { adopt } from '../../../src/lake/adopt/adopt.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { amount } from '../../fixtures/tier.ts'
import { day, landDays, partitionsOf, silent, storedDays } from '../store/days.ts'
import { killing } from './killed.ts'

const { folder, writers, killEverywhere } = killing()

/** A file is synced before it gets its name, and before anything that names it is written. */
function expectDurable(steps: readonly string[]): void {
  const all = (pattern: RegExp) => steps.flatMap((step, index) => (pattern.test(step) ? [index] : []))
  const the = (step: string) => {
    expect(steps).toContain(step)
    return steps.indexOf(step)
  }
  const renames = all(/^rename [0-9a-f]{32}\.(parquet|json)$/)
  expect(renames.length).toBe(4)
  // Partitions are placed side by side: a manifest is known by its name, a staged file is one of those synced before.
  const manifests = all(/^rename [0-9a-f]{32}\.json$/)
  for (const rename of manifests) {
    const synced = steps.findIndex(
      step => step.startsWith('fsync ') && step.endsWith(`.${steps[rename]?.slice('rename '.length)}`),
    )
    expect(synced).toBeGreaterThan(-1)
    expect(rename).toBeGreaterThan(synced)
  }
  const files = renames.filter(rename => !manifests.includes(rename))
  expect([files.length, manifests.length]).toEqual([2, 2])
  for (const [count, rename] of files.entries())
    expect(all(/^fsync .*\.parquet$/).filter(sync => sync < rename).length).toBeGreaterThan(count)
  const folders = ['daily_bars', 'date=2024-01-02', 'date=2024-01-03'].map(name =>
    the(`fsync folder ${name}`),
  )
  const link = the('link 2.json')
  expect(Math.min(...folders)).toBeGreaterThan(Math.max(...renames))
  expect(link).toBeGreaterThan(Math.max(...folders, the('fsync snapshot.json'), the('fsync CURRENT.2')))
  const current = the('rename CURRENT')
  expect(current).toBeGreaterThan(the('fsync folder snapshots'))
  expect(the('fsync folder snapshots')).toBeGreaterThan(link)
  expect(all(/^fsync folder lake/).some(index => index > current)).toBe(true)
}

const SCRIPT = `
  import { openWriter } from './dist/engine/writer.js'
  import { adopt } from './dist/lake/adopt/adopt.js'
  import { dataset } from './dist/lake/store/datasets.js'
  import { withDraft } from './dist/lake/land/draft.js'
  import { land } from './dist/lake/land/land.js'
  const stockDays = dataset('daily_bars')
`

describe('killed at each step of a publish', () => {
  test('that changes two partitions, a lake holds the old snapshot or the new one, and the next writer goes on', async () => {
    const [writer] = writers as [Writer]
    const before = join(folder, 'lake')
    await landDays(writer, before, [
      day('A', '2024-01-02', '1'),
      day('A', '2024-01-03', '1'),
      day('A', '2024-01-04', '1'),
    ])
    const old = await storedDays(writer, before)
    const fresh = ['A 2024-01-02 2', 'A 2024-01-03 2', 'A 2024-01-04 1']
    const script = (lake: string) => `${SCRIPT}
      const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
      await writer.run(\`CREATE TABLE incoming AS SELECT * REPLACE (2 AS close)
        FROM read_parquet('${lake}/daily_bars/*/*.parquet', hive_partitioning = false) WHERE date < DATE '2024-01-04'\`)
      await withDraft(writer, '${lake}', () => {}, async draft => {
        await land(draft, stockDays)
        await draft.publish()
      })
      writer.close()`
    const seen = { old: 0, fresh: 0 }

    const steps = await killEverywhere(before, script, async (writer, lake, step) => {
      const rows = await storedDays(writer, lake)
      expect([old, fresh], step).toContainEqual(rows)
      expect(await readCurrent(lake), step).toBe(rows.join() === old.join() ? 1 : 2)
      seen[rows.join() === old.join() ? 'old' : 'fresh'] += 1
      expect(await verify(writer, lake, silent), step).toMatchObject({ files: 3, problems: [] })

      // A snapshot that was written but not yet named is finished; then the next one builds on it.
      const unfinished = existsSync(join(lake, 'snapshots', '2.json'))
      const { published } = await landDays(writer, lake, [day('B', '2024-01-03', '3')])
      expect(published, step).toBe(true)
      const base = unfinished ? fresh : old
      expect(await storedDays(writer, lake), step).toEqual([...base, 'B 2024-01-03 3'].toSorted())
      expect(await readCurrent(lake), step).toBe(unfinished ? 3 : 2)
      expect(existsSync(join(lake, '.staging')), step).toBe(false)
    })

    expect(seen.old).toBeGreaterThan(amount({ test: 1, prove: 15, long: 15 }))
    expect(seen.fresh).toBeGreaterThan(amount({ test: 0, prove: 1, long: 1 }))
    for (const [index, step] of steps.entries())
      if (step.startsWith('after ')) expect(steps.slice(0, index)).toContain(step.replace('after', 'before'))
    expectDurable(steps.filter(step => step.startsWith('after ')).map(step => step.slice('after '.length)))
  })

  test('that adopts a folder, the folder is a whole lake or can be adopted again', async () => {
    const [writer] = writers as [Writer]
    const before = join(folder, 'foreign')
    const place = join(before, 'daily_bars', 'date=2024-01-02')
    mkdirSync(place, { recursive: true })
    await writer.run(
      `COPY (SELECT 'A' AS ticker, 1.5 AS open, 1.5 AS high, 1.5 AS low, 1.5 AS close, NULL::DOUBLE AS adjusted_close, 7 AS volume)
       TO '${place}/part-0.parquet' (FORMAT parquet)`,
    )
    const script = (lake: string) => `${SCRIPT}
      const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
      await adopt(writer, '${lake}', {}, () => {})
      writer.close()`

    await killEverywhere(
      before,
      script,
      async (writer, lake, step) => {
        const whole = (await readCurrent(lake)) === 1
        const again = await adopt(writer, lake, {}, silent).catch(thrown => thrown)
        if (whole || again instanceof Error) expect(again, step).toMatchObject({ code: 'input_refused' })
        else expect(again.rewritten, step).toEqual(['daily_bars/date=2024-01-02/part-0.parquet'])
        expect(await storedDays(writer, lake), step).toEqual(['A 2024-01-02 1.5'])
        expect(await partitionsOf(lake), step).toEqual(['date=2024-01-02'])
        expect(await verify(writer, lake, silent), step).toMatchObject({ files: 2, problems: [] })
        await vacuum(lake)
        expect(existsSync(join(lake, 'daily_bars/date=2024-01-02/part-0.parquet')), step).toBe(true)
      },
      step => /^after (copy|rename|link)/.test(step),
    )
  })
})
