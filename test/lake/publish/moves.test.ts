import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Owner } from '../../../src/engine/owner.ts'
import { announce, completeMoves } from '../../../src/lake/publish/moves.ts'
import { stagingName } from '../../../src/lake/publish/staging.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { DEAD, dataOf, manifestName, named, pathsBelow, put, RUNNING, recordOf, sha256 } from './notes.ts'

const ONE = named('notes/2024-01-02', 'one')
const TWO = named('notes/2024-01-02', 'two')
const NEW = named('notes/2024-01-03', 'new')
const MOVES = { partitions: { notes: ['2024-01-02', '2024-01-03'] }, names: [ONE, TWO, NEW] }
const MARKER = expect.stringMatching(/^notes\/2024-01-0[23]\/publishing-[0-9a-f]{8}\.parquet$/)

const superseded = (lake: string) => pathsBelow(join(lake, 'superseded'))
const moveTo = (from: string, to: string) => {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

/**
 * A lake whose current snapshot is 2, before any file has been moved: those of snapshot 1 are in the folders of the
 * data. And a staging folder of `owner`, who published it.
 */
async function unmoved(owner: Owner) {
  const lake = join(folderForTest(), 'lake')
  await put(lake, { notes: { '2024-01-02': 'one' } })
  await put(lake, { notes: { '2024-01-02': 'two', '2024-01-03': 'new' } })
  for (const name of [TWO, NEW]) moveTo(join(lake, name), join(lake, 'superseded', name))
  moveTo(join(lake, 'superseded', ONE), join(lake, ONE))
  rmSync(join(lake, 'notes/2024-01-03'), { recursive: true })
  const staging = join(lake, '.staging', stagingName('write', owner))
  mkdirSync(staging, { recursive: true })
  const record = readFileSync(join(lake, 'snapshots/2.json'), 'utf8')
  return { lake, staging, record, journal: join(lake, '.publishing', `${basename(staging)}.json`) }
}

function expectMoved(lake: string) {
  expect(dataOf(lake)).toEqual([TWO, NEW].toSorted())
  expect(superseded(lake)).toEqual([ONE])
}

function expectUnmoved(lake: string) {
  expect(dataOf(lake)).toEqual([ONE])
  expect(superseded(lake)).toEqual([TWO, NEW].toSorted())
}

describe('announced moves', () => {
  test('have a journal, and a marker in each folder that changes, which is no Parquet file', async () => {
    const { lake, staging, record, journal } = await unmoved(RUNNING)
    await announce(lake, staging, 2, record, MOVES)
    const [marker = '', ...more] = readdirSync(join(lake, 'notes/2024-01-03'))
    expect(JSON.parse(readFileSync(journal, 'utf8'))).toEqual({
      number: 2,
      record: sha256(record).slice(0, 32),
      marker,
      ...MOVES,
    })
    expect(more).toEqual([])
    expect(dataOf(lake)).toEqual([ONE, MARKER, MARKER])
    for (const day of ['02', '03'])
      expect(readFileSync(join(lake, 'notes', `2024-01-${day}`, marker), 'utf8')).toMatch(
        /^A tapehouse command is publishing new files in this folder/,
      )
  })

  test('are carried out: the files are where the snapshot names them, and the markers are gone', async () => {
    const { lake, staging, record } = await unmoved(RUNNING)
    const announced = await announce(lake, staging, 2, record, MOVES)
    await announced.carryOut()
    expectMoved(lake)
    expect(existsSync(join(lake, '.publishing'))).toBe(false)
  })

  test('are withdrawn: the files stay where they are, and the markers are gone', async () => {
    const { lake, staging, record } = await unmoved(RUNNING)
    const announced = await announce(lake, staging, 3, record, MOVES)
    await announced.withdraw()
    expectUnmoved(lake)
    expect(existsSync(join(lake, 'notes/2024-01-03'))).toBe(false)
    expect(existsSync(join(lake, '.publishing'))).toBe(false)
  })

  test('of two writers have markers of their own', async () => {
    const { lake, staging, record } = await unmoved(RUNNING)
    const first = await announce(lake, staging, 3, record, MOVES)
    const second = await announce(lake, `${staging}0`, 3, record, MOVES)
    expect(dataOf(lake)).toEqual([ONE, MARKER, MARKER, MARKER, MARKER])
    await first.withdraw()
    expect(dataOf(lake)).toEqual([ONE, MARKER, MARKER])
    expect(pathsBelow(join(lake, '.publishing'))).toEqual([`${basename(staging)}0.json`])
    await second.withdraw()
    expectUnmoved(lake)
  })

  test('of no files leave no trace', async () => {
    const { lake, staging, record } = await unmoved(RUNNING)
    const announced = await announce(lake, staging, 3, record, { partitions: {}, names: [] })
    expect(existsSync(join(lake, '.publishing'))).toBe(false)
    await announced.carryOut()
    await announced.withdraw()
    expectUnmoved(lake)
  })

  test('fail where a folder cannot be made, and leave no marker', async () => {
    const { lake, staging, record } = await unmoved(RUNNING)
    writeFileSync(join(lake, 'notes/2024-01-03'), 'in the way')
    await expect(announce(lake, staging, 3, record, MOVES)).rejects.toMatchObject({ code: 'lake_write' })
    expect(dataOf(lake)).toEqual([ONE, 'notes/2024-01-03'])
    expect(existsSync(join(lake, '.publishing'))).toBe(false)
  })
})

describe('the moves of a process that died', () => {
  test('are completed', async () => {
    const { lake, staging, record } = await unmoved(DEAD)
    await announce(lake, staging, 2, record, MOVES)
    await completeMoves(lake)
    expectMoved(lake)
    expect(existsSync(join(lake, '.publishing'))).toBe(false)
  })

  test('are completed when its staging folder is gone', async () => {
    const { lake, staging, record } = await unmoved(RUNNING)
    await announce(lake, staging, 2, record, MOVES)
    rmSync(staging, { recursive: true })
    await completeMoves(lake)
    expectMoved(lake)
  })

  test('are completed from wherever it stopped', async () => {
    const { lake, staging, record } = await unmoved(DEAD)
    await announce(lake, staging, 2, record, MOVES)
    moveTo(join(lake, ONE), join(lake, 'superseded', ONE))
    moveTo(join(lake, 'superseded', NEW), join(lake, NEW))
    rmSync(join(lake, 'notes/2024-01-02'), { recursive: true })
    await completeMoves(lake)
    expectMoved(lake)
  })

  test('end where a later snapshot has the files', async () => {
    const { lake, staging, record } = await unmoved(DEAD)
    await announce(lake, staging, 2, record, MOVES)
    // Snapshot 3, whose moves have not begun either, has the content of snapshot 1 on the second day.
    const first = recordOf(lake, 1).datasets
    const second = JSON.parse(record)
    const third = { ...second, number: 3, datasets: first }
    writeFileSync(join(lake, 'snapshots/3.json'), JSON.stringify(third))
    writeFileSync(join(lake, 'CURRENT'), '3\n')
    await completeMoves(lake)
    expectUnmoved(lake)
    expect(existsSync(join(lake, '.publishing'))).toBe(false)
  })

  test.each([
    ['another writer published a snapshot of that number', 2, 'another record\n'],
    ['there is no snapshot of that number', 3, null],
  ])('are withdrawn if %s', async (_, number, other) => {
    const { lake, staging, record } = await unmoved(DEAD)
    await announce(lake, staging, number, other ?? record, MOVES)
    await completeMoves(lake)
    expectUnmoved(lake)
    expect(existsSync(join(lake, '.publishing'))).toBe(false)
  })

  test('touch only the partitions of its publish, whatever is wrong with others', async () => {
    const { lake, staging } = await unmoved(DEAD)
    const second = recordOf(lake, 2)
    second.datasets.plans = { partitions: { '2024-01-03': 'manifests/plans/2024-01-03/lost.json' } }
    const record = JSON.stringify(second)
    writeFileSync(join(lake, 'snapshots/2.json'), record)
    rmSync(join(lake, manifestName('2024-01-02', 'two')))
    await announce(lake, staging, 2, record, { partitions: { notes: ['2024-01-03'] }, names: [NEW] })
    await completeMoves(lake)
    expect(dataOf(lake)).toEqual([ONE, NEW].toSorted())
  })

  const WHOLE = { number: 2, record: 'x', marker: 'publishing-0.parquet', partitions: {}, names: [] }
  test.each([
    ['empty', ''],
    ['cut off', JSON.stringify(WHOLE).slice(0, 30)],
    ['of other content', JSON.stringify({ ...WHOLE, names: 7 })],
  ])('have no marker yet if the journal is %s: it is removed', async (_, text) => {
    const { lake, journal } = await unmoved(DEAD)
    mkdirSync(dirname(journal))
    writeFileSync(journal, text)
    await completeMoves(lake)
    expectUnmoved(lake)
    expect(existsSync(join(lake, '.publishing'))).toBe(false)
  })

  test('leave those of a running process alone', async () => {
    const { lake, staging, record, journal } = await unmoved(RUNNING)
    await announce(lake, staging, 2, record, MOVES)
    // Between the two in the order of names, and before both.
    for (const name of ['a.json', 'x.json']) writeFileSync(join(dirname(journal), name), '')
    await completeMoves(lake)
    expect(pathsBelow(join(lake, '.publishing'))).toEqual([basename(journal)])
    expect(dataOf(lake)).toEqual([ONE, MARKER, MARKER])
  })

  test('are none in most lakes', async () => {
    const { lake } = await unmoved(RUNNING)
    await completeMoves(lake)
    expectUnmoved(lake)
  })
})
