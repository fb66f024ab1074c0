import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { undoImport } from '../../../src/lake/imports/undo.ts'
import { importHistory } from '../../../src/lake/land/history.ts'
import { compact } from '../../../src/lake/maintain/compact.ts'
import { drop } from '../../../src/lake/maintain/drop.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { requireRecord } from '../../../src/lake/store/record.ts'
import { DAYS, importing } from '../import/importing.ts'
import { DAILY_BARS, silent, storedDays, writerForTest } from '../store/days.ts'

const bar = (ticker: string, date: string, close: string) => `${date},1,9,1,${close},10,${ticker}`

/** A lake, with what tests of undo ask of it. */
async function undoing() {
  const run = importing()
  const writer = await writerForTest(run.folder)
  return {
    ...run,
    writer,
    undo: (number: number) => undoImport(writer, run.lake, number, silent),
    bars: () => storedDays(writer, run.lake),
    /** Rows and checksum of every dataset. Expects that nothing is damaged or stale. */
    async content() {
      const { problems, stale, datasets } = await verify(writer, run.lake, silent)
      expect([problems, stale]).toEqual([[], new Map()])
      return datasets
    },
  }
}

const JANUARY = [bar('A', '2024-01-02', '2'), bar('A', '2024-01-03', '3'), bar('B', '2024-01-03', '4')]

test('an undone import leaves the rows, derived ones too, as before, and can be imported again', async () => {
  const run = await undoing()
  const first = run.file('first.csv', [DAYS, ...JANUARY])
  await run.import([first])
  const before = await run.content()
  const second = run.file('second.csv', [
    DAYS,
    bar('A', '2024-01-03', '7'),
    bar('C', '2024-01-03', '8'),
    bar('A', '2024-01-04', '9'),
  ])
  await run.import([second])
  const after = await run.content()

  expect(await run.undo(2)).toMatchObject({ snapshot: 3, datasets: ['daily_bars'] })
  expect(await run.content()).toEqual(before)
  expect(await requireRecord(run.lake, 3)).toMatchObject({ made_by: 'imports undo 2' })
  // Whatever was true of the first file is true again.
  expect(await run.import([first])).toMatchObject({ skipped: 1, published: false })
  expect(await run.import([second])).toMatchObject({ skipped: 0, snapshot: 4, published: true })
  expect(await run.content()).toEqual(after)
  const history = await importHistory(run.lake, await requireRecord(run.lake, 4))
  expect(history.map(({ number, undoneBy }) => [number, undoneBy])).toEqual([
    [1, null],
    [2, 3],
    [4, null],
  ])
  await expect(run.undo(2)).rejects.toMatchObject({
    code: 'undo_refused',
    message: expect.stringContaining('snapshot 3 has undone it already'),
  })
  await expect(run.undo(3)).rejects.toMatchObject({ code: 'not_found' })
})

test('the first import of a lake is undone too', async () => {
  const run = await undoing()
  await run.import([run.file('first.csv', [DAYS, ...JANUARY])], { close: '2024-01-03' })
  await run.undo(1)
  expect(await run.content()).toEqual([])
  expect((await requireRecord(run.lake, 2)).closed).toBeUndefined()
})

test('an import is not undone while a later one has changed its days, which is named', {
  tags: 'slow',
}, async () => {
  const run = await undoing()
  await run.import([run.file('1.csv', [DAYS, ...JANUARY])])
  await run.import([run.file('2.csv', [DAYS, bar('A', '2024-01-03', '5')])])
  await run.import([run.file('3.csv', [DAYS, bar('A', '2024-01-04', '6')])])
  await run.import([run.file('4.csv', [DAYS, bar('C', '2024-01-03', '7')])])
  const content = await run.content()
  await expect(run.undo(2)).rejects.toMatchObject({
    code: 'undo_refused',
    message: expect.stringMatching(
      /^import 2 cannot be undone: import 4 \(daily-bars, 20\S+\) changed daily_bars of 2024-01-03 later: undo import 4 first; nothing was changed$/,
    ),
  })
  expect([await readCurrent(run.lake), await run.content()]).toEqual([4, content])
  await run.undo(4)
  await run.undo(2)
  expect(await run.bars()).toEqual(['A 2024-01-02 2', 'A 2024-01-03 3', 'A 2024-01-04 6', 'B 2024-01-03 4'])
})

test('an import is undone after its partitions were merged', async () => {
  const run = await undoing()
  await run.import([run.file('1.csv', [DAYS, ...JANUARY])])
  await run.import([run.file('2.csv', [DAYS, bar('A', '2024-01-03', '5'), bar('A', '2024-01-30', '5')])])
  await run.import([run.file('3.csv', [DAYS, bar('A', '2024-01-31', '6')])])
  expect((await compact(run.writer, run.lake, silent)).merged.length).toBeGreaterThan(0)
  await run.undo(2)
  expect(await run.bars()).toEqual(['A 2024-01-02 2', 'A 2024-01-03 3', 'A 2024-01-31 6', 'B 2024-01-03 4'])
  await run.content()
})

test('vacuum keeps what the last imports replaced, as long as they can be undone', async () => {
  const run = await undoing()
  const all = { snapshots: 1, graceMs: -1000 }
  await run.import([run.file('1.csv', [DAYS, ...JANUARY])])
  await run.import([run.file('2.csv', [DAYS, bar('A', '2024-01-03', '5')])])
  await run.import([run.file('3.csv', [DAYS, bar('A', '2024-01-02', '6')])])
  expect((await vacuum(run.lake, all)).undoBytes).toBeGreaterThan(0)
  expect(readdirSync(join(run.lake, 'snapshots'))).toEqual(['3.json'])
  await run.undo(3)
  expect(await run.bars()).toEqual(['A 2024-01-02 2', 'A 2024-01-03 5', 'B 2024-01-03 4'])
  await vacuum(run.lake, { ...all, imports: 0 })
  expect(existsSync(join(run.lake, 'superseded'))).toBe(false)
  await expect(run.undo(2)).rejects.toMatchObject({
    code: 'undo_refused',
    message: expect.stringContaining('vacuum has deleted what it replaced'),
  })
})

test('dropped rows do not come back by an undo, and vacuum deletes them', { tags: 'slow' }, async () => {
  const run = await undoing()
  await run.import([run.file('1.csv', [DAYS, ...JANUARY])])
  await run.import([run.file('2.csv', [DAYS, bar('A', '2024-01-03', '5')])])
  await run.import([run.file('3.csv', [DAYS, bar('A', '2024-01-04', '5'), bar('B', '2024-01-04', '5')])])
  await run.import([run.file('4.csv', [DAYS, bar('A', '2024-01-04', '6')])])
  const selection = { dataset: DAILY_BARS, tickers: null, before: '2024-01-04' }
  await drop(run.writer, run.lake, [selection], 'drop', silent)
  await expect(run.undo(2)).rejects.toMatchObject({
    code: 'undo_refused',
    message: expect.stringContaining('rows of daily_bars were dropped since'),
  })
  // Its days are not among the dropped ones.
  await run.undo(4)
  expect(await run.bars()).toEqual(['A 2024-01-04 5', 'B 2024-01-04 5'])
  await drop(run.writer, run.lake, [{ ...selection, tickers: ['B'], before: null }], 'drop', silent)
  await vacuum(run.lake, { snapshots: 1, graceMs: -1000 })
  expect(existsSync(join(run.lake, 'superseded'))).toBe(false)
})
