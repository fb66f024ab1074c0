import { existsSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWriter } from '../../../../src/engine/writer.ts'
import { cancelingBy } from '../../../../src/lake/import/input/cancel.ts'
import { folderForTest } from '../../../fixtures/lake.ts'
import { DAYS, goodDay, importing } from '../importing.ts'

const CANCELED = 'canceled: import canceled: the lake has not changed'

/** Daily bars of many tickers over six years, and a row that is rejected. */
function manyLines(count: number): string[] {
  const lines = [DAYS, 'x']
  for (let row = 0; row < count; row += 1) {
    const date = new Date(Date.UTC(1970, 0, 1 + (row % 2000))).toISOString().slice(0, 10)
    lines.push(goodDay(`T${Math.floor(row / 2000)}`, date))
  }
  return lines
}

test.each(['check files', 'import daily-bars', 'write daily_bars'])(
  'an import that is canceled in "%s" does not change the lake and leaves no files',
  { tags: 'slow' },
  async task => {
    const run = importing()
    const scratch = folderForTest()
    vi.stubEnv('TMPDIR', scratch)
    onTestFinished(() => void vi.unstubAllEnvs())
    const large = run.file('large.csv', manyLines(40_000))
    const cancel = () => {
      const controller = new AbortController()
      return {
        signal: controller.signal,
        observe: (each: { kind: string; task?: string }) => {
          if (each.kind === 'progress' && each.task === task) controller.abort()
        },
      }
    }
    expect(await run.refusal([large], cancel())).toBe(CANCELED)
    expect(existsSync(run.lake)).toBe(false)

    await run.import([run.file('small.csv', [DAYS, goodDay('OLD')])])
    const before = readdirSync(run.lake, { recursive: true }).sort()
    expect(await run.refusal([large], cancel())).toBe(CANCELED)
    expect(readdirSync(run.lake, { recursive: true }).sort()).toEqual(before)
    expect(await run.rows('SELECT ticker FROM bars')).toEqual(['OLD'])
    expect(readdirSync(scratch)).toEqual([])
  },
)

test('an import through the typed reader that is canceled leaves nothing', async () => {
  const run = importing()
  const rows = manyLines(400_000).filter(line => line !== 'x')
  const large = run.file('large.csv', [DAYS.replace('Name', 'ticker'), ...rows.slice(1)])
  const controller = new AbortController()
  const format = 'csv-daily_bars'
  const observe = (each: { kind: string; task?: string }) => {
    if (each.kind === 'progress' && each.task === `import ${format}`) controller.abort()
  }
  expect(await run.refusal([large], { format, observe, signal: controller.signal })).toBe(CANCELED)
  expect(existsSync(run.lake)).toBe(false)
})

test('a cancel stops a statement that runs, and one that starts after the interrupt', async () => {
  const writer = await openWriter({ directories: [], threads: 1 })
  onTestFinished(() => writer.close())
  const endless =
    'CREATE OR REPLACE TEMP TABLE t AS SELECT sum(a.i * b.i) FROM range(1000000) a(i), range(1000000) b(i)'
  for (const pauseMs of [100, 0]) {
    const controller = new AbortController()
    const work = cancelingBy(controller.signal).around(writer, async () => {
      if (pauseMs === 0) await new Promise(resolve => setTimeout(resolve, 50))
      await writer.run(endless)
    })
    setTimeout(() => controller.abort(), pauseMs)
    await expect(work).rejects.toMatchObject({ code: 'canceled' })
  }
  await writer.run('CREATE OR REPLACE TEMP TABLE t AS SELECT 1')
})

test('an import that nobody cancels ends with its own failure, and one canceled before does nothing', async () => {
  const run = importing()
  const bad = run.file('bad.csv', ['a,b', '1,2'])
  expect(await run.refusal([bad], { signal: new AbortController().signal })).toMatch(/^input_refused: /)
  expect(await run.refusal([bad], { signal: AbortSignal.abort() })).toBe(CANCELED)
})

test('a long import reports its progress up to the end', { tags: 'slow' }, async () => {
  const run = importing()
  const path = run.file('large.csv', manyLines(50_000))
  await run.import([path])
  for (const task of ['check files', 'import daily-bars', 'write daily_bars']) {
    const steps = run.observed.filter(each => each.kind === 'progress' && each.task === task)
    const shares = steps.map(each => (each.kind === 'progress' ? each.done / each.total : Number.NaN))
    expect(shares.at(-1), task).toBe(1)
    expect(shares, task).toEqual(shares.toSorted((one, other) => one - other))
    if (task !== 'check files') expect(shares.length, task).toBeGreaterThan(1)
  }
})

test('an import reports the steps in which the rows of many files are mapped', async () => {
  const run = importing()
  const tickers = [...'ABCDEFGHIJKLMNOP']
  await run.import(tickers.map(ticker => run.file(`${ticker}.csv`, [DAYS, goodDay(ticker)])))
  const mapped = run.observed.filter(each => each.kind === 'progress' && each.task === 'map daily-bars')
  expect(mapped).toEqual(
    [0, 1].map(done => ({ kind: 'progress', task: 'map daily-bars', done, total: 1, unit: 'steps' })),
  )
})
