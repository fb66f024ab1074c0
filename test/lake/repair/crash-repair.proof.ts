import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { repair } from '../../../src/lake/repair/repair.ts'
import { allFiles, loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'
import { amount } from '../../fixtures/tier.ts'
import { DAMAGES } from '../proof/damages.ts'
import { killing } from '../publish/killed.ts'
import { silent } from '../store/days.ts'

const { folder, writers, killEverywhere } = killing()

/** Of the steps, each so many-th is killed after. */
const EVERY = amount({ test: 6, prove: 6, long: 1 })
const picks = (step: string, index: number, steps: readonly string[]) =>
  step.startsWith('after ') &&
  steps.slice(0, index).filter(each => each.startsWith('after ')).length % EVERY === 0

test('killed at each step of a repair, a lake has no problem that it did not have, and can be repaired', async () => {
  const replica = await importOptionDays(folder, [
    { date: '2024-01-10', trades: { ACME: 3 }, chain: { ACME: 3 } },
    { date: '2024-01-11', trades: { ACME: 4 } },
  ])
  const [writer] = writers
  if (writer === undefined) throw new Error('a writer')
  const right = await verify(writer, replica, silent)
  expect(right.problems).toEqual([])
  const before = join(folder, 'damaged')
  cpSync(replica, before, { recursive: true })
  const damaged = allFiles(await loadSnapshot(before)).filter(
    ({ dataset, dates }) =>
      ['option_trades', 'contract_days', 'chain_frags'].includes(dataset) && dates[0] === '2024-01-10',
  )
  expect(damaged).toHaveLength(3)
  for (const { path } of damaged) DAMAGES['a bit flips in the middle']?.(path, '')
  const names = damaged.map(({ name }) => name).toSorted()
  // What is derived is not in the replica, so that both ways of repair are taken.
  const partial = join(folder, 'partial')
  cpSync(replica, partial, { recursive: true })
  for (const { dataset, name } of damaged)
    if (dataset !== 'option_trades') DAMAGES['it is deleted']?.(join(partial, name), '')

  const script = (lake: string) =>
    `import { openWriter } from './dist/engine/writer.js'
     import { verify } from './dist/lake/maintain/verify.js'
     import { repair } from './dist/lake/repair/repair.js'
     const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
     const found = await verify(writer, '${lake}', () => {})
     await repair(writer, '${lake}', found, '${partial}', () => {})
     writer.close()`
  const seen = new Set<number>()
  const check = async (own: Writer, lake: string, step: string) => {
    const found = await verify(own, lake, silent)
    // Files that the publish has not yet moved are named where they are.
    for (const { file } of found.problems) expect(names, step).toContain(file)
    seen.add(found.problems.length)
    // Nothing is taken out before it is there again.
    if (found.problems.length === 0)
      expect([found.stale, found.datasets], step).toEqual([new Map(), right.datasets])
    await repair(own, lake, found, partial, silent)
    const after = await verify(own, lake, silent)
    expect([after.problems, after.stale, after.datasets], step).toEqual([[], new Map(), right.datasets])
  }
  await killEverywhere(before, script, check, picks)
  expect(seen.size).toBeGreaterThan(1)
})
