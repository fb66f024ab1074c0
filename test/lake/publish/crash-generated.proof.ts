import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openWriter, type Writer } from '../../../src/engine/writer.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { amount } from '../../fixtures/tier.ts'
import { run } from '../store/compiled.ts'
import { silent } from '../store/days.ts'
import { killing } from './killed.ts'
import { pauseAtEach, watching } from './paused.ts'

const { folder, writers, killEverywhere, killSometimes } = killing()

/** Makes the smallest market of a seed, with a short history, in a process of its own. */
const generating = (seed: number) => (lake: string) =>
  `
  import { openWriter } from './dist/engine/writer.js'
  import { generate } from './dist/lake/generate/generate.js'
  const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
  await generate(writer, '${lake}', { seed: ${seed}, days: 1, tickers: 3, tradesPerDay: 400, warmSessions: 10 }, () => {})
  writer.close()`

const isAfter = (step: string) => step.startsWith('after ')

/** Of a generation's thousands of steps: the first file, and the last step of each kind. */
function isSample(step: string, index: number, steps: readonly string[]): boolean {
  if (step === 'after copy' && index === steps.indexOf(step)) return true
  const kind = kindOf(step)
  return isAfter(step) && index === steps.findLastIndex(each => kindOf(each) === kind)
}

/** A step without the names of partitions and files: `after fsync ….json`. */
const kindOf = (step: string) =>
  step
    .replace(/\S+(\.(json|parquet))$/, '…$1')
    .replace(/(?<= )\d{4}(-\d{2}){0,2}$/, '…')
    .replace(/publishing-\S+/, 'publishing-…')
    .replace(/write-\S+/, 'write-…')
    .replace(/^(\w+ fsync folder|\w+ mkdir) [a-z_]+$/, '$1 …')

const before = join(folder, 'generated')
const states: unknown[] = []

beforeAll(async () => {
  const [writer] = writers as [Writer]
  const other = join(folder, 'other')
  expect(await run(folder, generating(1)(before))).toMatchObject({ code: 0 })
  expect(await run(folder, generating(2)(other))).toMatchObject({ code: 0 })
  for (const lake of [before, other]) states.push((await verify(writer, lake, silent)).datasets)
  expect(states[0]).not.toEqual(states[1])
})

test('at each failpoint of a generation that replaces another, a lake holds one of the two, whole', async () => {
  const lake = `${before}-standing`
  cpSync(before, lake, { recursive: true })
  const { look, seen } = await watching(lake, states[1])
  const steps = await pauseAtEach(folder, generating(2)(lake), look)
  expect(seen).toEqual(new Set(['1', '1, 2 is there', '2, 2 is there']))
  expect(await readCurrent(lake)).toBe(2)
  expect(new Set(steps.map(step => step.split(' ')[1]))).toEqual(
    new Set(['mkdir', 'copy', 'fsync', 'move', 'rename', 'write', 'mark', 'link', 'unlink', 'remove']),
  )
  expect(steps.length).toBeGreaterThan(1000)
})

test('killed within a generation that replaces another, a lake holds one of the two, whole', async () => {
  const seen = new Set<number>()
  const check = async (_: Writer, lake: string, moment: string) => {
    // One of its own: the engine keeps the footers of all files that it has read.
    const own = await openWriter({ directories: [lake] })
    const number = (await readCurrent(lake)) ?? 0
    const { datasets, problems, stale } = await verify(own, lake, silent)
    expect({ problems, stale }, moment).toEqual({ problems: [], stale: new Map() })
    expect(datasets, moment).toEqual(states[number - 1])
    seen.add(number)
    own.close()
    await vacuum(lake)
    expect(existsSync(join(lake, '.staging')), moment).toBe(false)
  }

  await killEverywhere(
    before,
    generating(2),
    check,
    amount({ test: isSample, prove: isSample, long: isAfter }),
  )
  expect([...seen].toSorted()).toEqual([1, 2])
  await killSometimes(before, generating(2), amount({ test: 1, prove: 10, long: 200 }), check)
})
