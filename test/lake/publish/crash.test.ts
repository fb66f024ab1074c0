import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { texts } from '../../../src/engine/bind.ts'
import type { Writer } from '../../../src/engine/writer.ts'
import { adopt } from '../../../src/lake/adopt/adopt.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { amount } from '../../fixtures/tier.ts'
import { day, landDays, partitionsOf, silent, storedDays } from '../store/days.ts'
import { killing } from './killed.ts'

const { folder, writers, killEverywhere } = killing()

/**
 * A file is synced before it gets its name, and before anything that names it is written. Markers are in their folders
 * before CURRENT changes, and files are in their places before the markers go.
 */
function expectDurable(steps: readonly string[]): void {
  const all = (pattern: RegExp) => steps.flatMap((step, index) => (pattern.test(step) ? [index] : []))
  const the = (step: string) => {
    expect(steps).toContain(step)
    return steps.indexOf(step)
  }
  const manifests = all(/^rename [0-9a-f]{32}\.json$/)
  const moves = all(/^move [0-9a-f]{32}\.parquet$/)
  const link = the('link 2.json')
  const current = the('rename CURRENT')
  const files = moves.filter(move => move < link)
  // Two files are placed, and afterwards they and the two that they replace change places.
  expect([manifests.length, files.length, moves.length]).toEqual([2, 2, 6])
  for (const rename of manifests) {
    // Partitions are placed side by side: a manifest is known by its name.
    const synced = steps.findIndex(
      step => step.startsWith('fsync ') && step.endsWith(`.${steps[rename]?.slice('rename '.length)}`),
    )
    expect(synced).toBeGreaterThan(-1)
    expect(rename).toBeGreaterThan(synced)
  }
  for (const [count, move] of files.entries())
    expect(all(/^fsync [^ ]*\.parquet$/).filter(sync => sync < move).length).toBeGreaterThan(count)
  const placed = Math.max(...manifests, ...files)
  const days = ['2024-01-02', '2024-01-03']
  for (const day of days) {
    // In superseded and in manifests, before the snapshot names what is there.
    const synced = all(new RegExp(`^fsync folder ${day}$`)).filter(index => index > placed && index < link)
    expect(synced.length).toBeGreaterThanOrEqual(2)
  }
  const markers = all(/^mark publishing-[0-9a-f]+\.parquet$/)
  expect(markers.length).toBe(2)
  const journal = all(/^fsync write-.*\.json$/)
  expect(journal.length).toBe(1)
  expect(Math.min(...markers)).toBeGreaterThan(the('fsync folder .publishing'))
  expect(the('fsync folder .publishing')).toBeGreaterThan(Math.max(...journal))
  expect(link).toBeGreaterThan(
    Math.max(placed, ...markers, the('fsync snapshot.json'), the('fsync CURRENT.2')),
  )
  expect(current).toBeGreaterThan(the('fsync folder snapshots'))
  expect(the('fsync folder snapshots')).toBeGreaterThan(link)
  expect(all(/^fsync folder lake/).some(index => index > current)).toBe(true)
  const later = moves.filter(move => move > link)
  expect(Math.min(...later)).toBeGreaterThan(current)
  const unmarked = all(/^unlink publishing-[0-9a-f]+\.parquet$/)
  expect(unmarked.length).toBe(2)
  for (const day of days) {
    const synced = all(new RegExp(`^fsync folder ${day}$`))
    expect(synced.some(index => index > Math.max(...later) && index < Math.min(...unmarked))).toBe(true)
    expect(synced.some(index => index > Math.min(...unmarked))).toBe(true)
  }
  expect(all(/^unlink write-.*\.json$/)[0]).toBeGreaterThan(Math.max(...unmarked))
}

/** The rows that a program sees which reads the dataset's folder; null if it fails because of a marker. */
async function foreignRows(writer: Writer, lake: string): Promise<string[] | null> {
  const names = readdirSync(join(lake, 'daily_bars'), { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => name.endsWith('.parquet'))
  if (files.some(name => name.includes('publishing-'))) return null
  const paths = texts(files.map(name => join(lake, 'daily_bars', name)))
  const rows = await writer.rows(
    `SELECT concat_ws(' ', ticker, date, rtrim(rtrim(close::VARCHAR, '0'), '.')) AS row
     FROM read_parquet($paths, hive_partitioning = false) ORDER BY row`,
    { paths },
  )
  return rows.map(({ row }) => String(row))
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
    const seen = { old: 0, fresh: 0, refused: 0 }

    const steps = await killEverywhere(before, script, async (writer, lake, step) => {
      const rows = await storedDays(writer, lake)
      expect([old, fresh], step).toContainEqual(rows)
      expect(await readCurrent(lake), step).toBe(rows.join() === old.join() ? 1 : 2)
      seen[rows.join() === old.join() ? 'old' : 'fresh'] += 1
      // Another program sees the rows of the current snapshot, or fails.
      const foreign = await foreignRows(writer, lake)
      if (foreign === null) seen.refused += 1
      else expect(foreign, step).toEqual(rows)
      expect(await verify(writer, lake, silent), step).toMatchObject({ files: 3, problems: [] })

      // A snapshot that was written but not yet named is finished; then the next one builds on it.
      const unfinished = existsSync(join(lake, 'snapshots', '2.json'))
      const { published } = await landDays(writer, lake, [day('B', '2024-01-03', '3')])
      expect(published, step).toBe(true)
      const base = unfinished ? fresh : old
      const after = [...base, 'B 2024-01-03 3'].toSorted()
      expect(await storedDays(writer, lake), step).toEqual(after)
      expect(await foreignRows(writer, lake), step).toEqual(after)
      expect(existsSync(join(lake, '.publishing')), step).toBe(false)
      expect(await readCurrent(lake), step).toBe(unfinished ? 3 : 2)
      expect(existsSync(join(lake, '.staging')), step).toBe(false)
    })

    expect(seen.old).toBeGreaterThan(amount({ test: 1, prove: 15, long: 15 }))
    expect(seen.fresh).toBeGreaterThan(amount({ test: 0, prove: 10, long: 10 }))
    expect(seen.refused).toBeGreaterThan(amount({ test: 0, prove: 10, long: 10 }))
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
        expect(await partitionsOf(lake), step).toEqual(['2024-01-02'])
        expect(await verify(writer, lake, silent), step).toMatchObject({ files: 2, problems: [] })
        await vacuum(lake)
        expect(await foreignRows(writer, lake), step).toEqual(['A 2024-01-02 1.5'])
        const original = 'superseded/daily_bars/date=2024-01-02/part-0.parquet'
        expect(existsSync(join(lake, original)), step).toBe(true)
      },
      step => /^after (copy|rename|link|mark|move|unlink)/.test(step),
    )
  })
})
