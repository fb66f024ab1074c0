import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { upgradeLake } from '../../../src/lake/maintain/upgrade.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { silent, storedDays } from '../store/days.ts'
import { killing } from './killed.ts'

const { folder, writers, killEverywhere } = killing()

const archive = fileURLToPath(new URL('../../fixtures/lakes/0.1.0/lake.tar.gz', import.meta.url))
const KEPT = ['daily_bars', 'stock_days', 'tickers']

/** The lake of the release 0.1.0 with a few of its datasets, which keeps the number of steps small. */
function smallLake(name: string): string {
  const lake = join(folder, name)
  mkdirSync(lake)
  execFileSync('tar', ['-xzf', archive, '-C', lake])
  for (const file of readdirSync(join(lake, 'snapshots'))) {
    const path = join(lake, 'snapshots', file)
    const record = JSON.parse(readFileSync(path, 'utf8'))
    const datasets = Object.entries(record.datasets).filter(([dataset]) => KEPT.includes(dataset))
    writeFileSync(path, JSON.stringify({ ...record, datasets: Object.fromEntries(datasets) }))
  }
  for (const entry of readdirSync(lake, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== 'snapshots' && !KEPT.includes(entry.name))
      rmSync(join(lake, entry.name), { recursive: true })
  return lake
}

test('killed at each step of an upgrade, a lake has the state before or after, and can be upgraded again', {
  tags: 'slow',
}, async () => {
  const [writer] = writers as [Writer]
  const before = smallLake('former')
  const former = (await readCurrent(before)) ?? 0
  const { datasets } = await verify(writer, before, silent)
  const rows = await storedDays(writer, before)
  const first = await storedDays(writer, before, {}, former - 2)
  expect([rows.length, first]).not.toEqual([0, rows])

  const seen = new Set<number>()
  await killEverywhere(
    before,
    lake => `
      import { openWriter } from './dist/engine/writer.js'
      import { upgradeLake } from './dist/lake/maintain/upgrade.js'
      const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
      await upgradeLake(writer, '${lake}', () => {})
      writer.close()`,
    async (own, lake, step) => {
      const number = (await readCurrent(lake)) ?? 0
      seen.add(number)
      expect([former, former + 1], step).toContain(number)
      const look = async () => {
        expect(await verify(own, lake, silent), step).toMatchObject({ datasets, problems: [] })
        expect(await storedDays(own, lake), step).toEqual(rows)
        expect(await storedDays(own, lake, {}, former - 2), step).toEqual(first)
      }
      await look()
      expect((await upgradeLake(own, lake, silent)).snapshot, step).toBe(former + 1)
      await look()
      const left = readdirSync(lake).filter(name => name.startsWith('.'))
      expect(left, step).toEqual([])
      const names = readdirSync(join(lake, 'daily_bars'))
      expect(
        names.filter(name => name.includes('=')),
        step,
      ).toEqual([])
    },
    (step, index, steps) =>
      /^after (link|rename|mark|move|unlink|write)/.test(step) &&
      // Of the many steps of a kind the first, the last and some between.
      (index % 7 === 0 || index > steps.length - 40 || /CURRENT|snapshot|28/.test(step)),
  )
  expect([...seen].toSorted()).toEqual([former, former + 1])
})
