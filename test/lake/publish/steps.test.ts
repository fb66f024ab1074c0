import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForTest } from '../../fixtures/lake.ts'
import { dataOf, pathsBelow, put, recordOf, textsOf } from './notes.ts'
import { CHANGE, current, file, filesOf, hidden, lakeBefore, NEW, OLD, stepping } from './stepping.ts'

const putSlowly = stepping()

/** The next publish leaves nothing of the one before but its snapshot, if CURRENT named it or was about to. */
async function expectNextWhole(lake: string, step: string) {
  const isThere = existsSync(join(lake, 'snapshots/2.json'))
  const texts = { ...(isThere ? NEW : OLD), '2024-04-01': 'next' }
  const number = await put(lake, { notes: { '2024-04-01': 'next' } })
  expect(number, step).toBe(isThere ? 3 : 2)
  expect(textsOf(lake, number), step).toEqual(texts)
  expect(textsOf(lake, 1), step).toEqual(OLD)
  expect(dataOf(lake), step).toEqual(filesOf(texts))
  expect(hidden(lake), step).toEqual([])
}

/** Copies a lake. Another file may be moved meanwhile, and would be in the copy twice or not at all: then copies it again. */
function copyAtRest(lake: string, copy: string): void {
  const names = () => readdirSync(lake, { recursive: true, encoding: 'utf8' }).toSorted().join('\n')
  for (;;) {
    rmSync(copy, { recursive: true, force: true })
    const before = names()
    cpSync(lake, copy, { recursive: true })
    if (names() === before) return
  }
}

/**
 * The steps of a publish, with the kinds of files in place of their names, without those that make folders. Folders that
 * are synced at the same time are in the order of their names.
 */
async function stepsOf(lake: string, change: Parameters<typeof put>[1]) {
  const steps: string[] = []
  await putSlowly(lake, change, step => {
    if (step.startsWith('after ')) steps.push(step.slice('after '.length))
  })
  return steps
    .filter(step => !step.startsWith('mkdir ') && !/^fsync folder (notes|\.staging|manifests)$/.test(step))
    .join('\n')
    .replace(/manifests\.notes.*\.json$/gm, 'staged manifest')
    .replace(/[0-9a-f]{32}\.json$/gm, 'manifest')
    .replace(/[0-9a-f]{32}\.parquet$/gm, 'file')
    .replace(/publishing-[0-9a-f]{8}\.parquet$/gm, 'marker')
    .replace(/write-[-0-9a-f]+\.json$/gm, 'journal')
    .replace(/write-[-0-9a-f]+$/gm, 'staging')
    .replace(/^(fsync folder .*\n)+/gm, run => `${run.trimEnd().split('\n').toSorted().join('\n')}\n`)
    .split('\n')
}

test('what a publish writes is on the disk before anything names it', async () => {
  const lake = join(folderForTest(), 'lake')
  await put(lake, { notes: { '2024-01-02': 'one' } })
  expect(await stepsOf(lake, { notes: { '2024-01-02': 'two' } })).toEqual([
    'fsync folder lake',
    'fsync 2024-01-02 two',
    'move file',
    'write staged manifest',
    'fsync staged manifest',
    'rename manifest',
    // That of the superseded files and that of the manifests.
    'fsync folder 2024-01-02',
    'fsync folder 2024-01-02',
    'fsync folder lake',
    'write snapshot.json',
    'fsync snapshot.json',
    'write CURRENT.2',
    'fsync CURRENT.2',
    'fsync folder lake',
    'write journal',
    'fsync journal',
    'fsync folder .publishing',
    'mark marker',
    'fsync folder 2024-01-02',
    'link 2.json',
    'fsync folder snapshots',
    'rename CURRENT',
    'fsync folder lake',
    'move file',
    'move file',
    'fsync folder 2024-01-02',
    'fsync folder 2024-01-02',
    'unlink marker',
    'fsync folder 2024-01-02',
    'unlink journal',
    'remove staging',
  ])
})

test('so is a file that takes the place of a damaged one', async () => {
  const lake = join(folderForTest(), 'lake')
  await put(lake, { notes: { '2024-01-02': 'one' } })
  writeFileSync(join(lake, file('2024-01-02', 'one')), 'damaged')
  const steps = await stepsOf(lake, { notes: { '2024-01-02': 'one' } })
  expect(steps.slice(0, steps.indexOf('write snapshot.json'))).toEqual([
    'fsync folder lake',
    'fsync 2024-01-02 one',
    'rename file',
    // At once, and with the others.
    'fsync folder 2024-01-02',
    'fsync folder 2024-01-02',
    'fsync folder 2024-01-02',
    'fsync folder lake',
  ])
})

test('so is the folder of a new lake, whoever made it', async () => {
  const lake = join(folderForTest(), 'lake')
  mkdirSync(lake)
  const steps = await stepsOf(lake, { notes: { '2024-01-02': 'one' } })
  expect(steps.slice(0, steps.indexOf('link 1.json'))).toContain(`fsync folder ${basename(dirname(lake))}`)
})

test('whenever a process dies, a lake has the snapshot before or the new one, and the next writer completes it', async () => {
  const lake = await lakeBefore()
  const copies: string[] = []
  const copying = (step: string) => {
    if (!/^after (write|rename|mark|link|move|unlink)/.test(step)) return
    const copy = `${lake} ${copies.length} ${step.replaceAll('/', '.')}`
    copies.push(copy)
    copyAtRest(lake, copy)
  }
  expect(await putSlowly(lake, CHANGE, copying)).toBe(2)
  expect(copies.length).toBeGreaterThan(20)
  const seen = new Set<number>()
  for (const copy of copies) {
    const number = current(copy)
    seen.add(number)
    expect([OLD, NEW][number - 1], copy).toEqual(textsOf(copy, number))
    expect(textsOf(copy, 1), copy).toEqual(OLD)
    // Another program that reads the folders sees one of the two, or fails because of a marker.
    const data = dataOf(copy).filter(name => !name.endsWith('/'))
    if (!data.some(name => name.includes('/publishing-')))
      expect([filesOf(OLD), filesOf(NEW)], copy).toContainEqual(data)
    await expectNextWhole(copy, copy)
  }
  expect([...seen]).toEqual([1, 2])
  await expectNextWhole(lake, 'whole')
})

test('whichever step fails, a lake has the snapshot before or the new one, and no marker if it could be removed', {
  tags: 'slow',
}, async () => {
  const seen = new Set<string>()
  const before = await lakeBefore()
  for (let failing = 1, isOver = false; !isOver; failing += 1) {
    const lake = join(folderForTest(), 'lake')
    cpSync(before, lake, { recursive: true })
    let [passed, failed] = [0, '']
    const fail = (step: string) => {
      // Other folders are made and synced in the same ways.
      if (!step.startsWith('before ') || /mkdir|folder (notes|manifests|superseded)$/.test(step)) return
      passed += 1
      if (passed !== failing) return
      failed = step
      throw new Error('out of order')
    }
    const problem = await putSlowly(lake, CHANGE, fail).then(
      () => null,
      thrown => thrown.message,
    )
    isOver = failed === ''
    const number = current(lake)
    seen.add(`${problem} ${number}`)
    expect(textsOf(lake, number), failed).toEqual([OLD, NEW][number - 1])
    expect(textsOf(lake, 1), failed).toEqual(OLD)
    expect(pathsBelow(join(lake, 'snapshots')), failed).toEqual(['1.json', '2.json'].slice(0, number))
    if (problem !== null) {
      expect(dataOf(lake), failed).toEqual(filesOf(number === 1 ? OLD : NEW))
      expect(
        hidden(lake).filter(name => /^\.staging.*[^/]$/.test(name)),
        failed,
      ).toEqual([])
    }
    await expectNextWhole(lake, failed)
  }
  // Nothing is published; it is, but CURRENT may not be on the disk; a file could not be moved; nothing failed.
  expect(seen).toEqual(new Set(['out of order 1', 'out of order 2', 'null 2']))
})

test('only the folders whose files change have markers meanwhile', async () => {
  const lake = join(folderForTest(), 'lake')
  const days = { '2024-01-02': 'one', '2024-01-03': 'two' }
  await put(lake, { notes: days, plans: days })
  const marked = async (change: Parameters<typeof put>[1]) => {
    const steps: string[] = []
    await putSlowly(lake, change, step => steps.push(step))
    return steps.filter(step => step.startsWith('after mark ')).length
  }
  expect(await marked({ notes: days })).toBe(0)
  expect(await marked({ notes: { '2024-01-02': 'three' }, plans: { '2024-01-03': 'four' } })).toBe(2)
})

/** At this step, other writers have published a snapshot 3 with the data of snapshot 1, and vacuumed snapshot 2 away. */
function putOvertaken(lake: string, moment: string) {
  let isOver = false
  const steps: string[] = []
  const number = putSlowly(lake, CHANGE, step => {
    steps.push(step)
    if (isOver || !step.startsWith(moment)) return
    isOver = true
    const { datasets, ...record } = recordOf(lake, 1)
    writeFileSync(join(lake, 'snapshots/3.json'), JSON.stringify({ ...record, number: 3, datasets }))
    writeFileSync(join(lake, 'CURRENT'), '3\n')
  })
  return { number, steps }
}

test.each([
  ['before it announces its moves', 'after fsync CURRENT.2', false],
  ['after that', 'after fsync folder .publishing', true],
])('a writer that is overtaken %s publishes nothing', async (_, moment, marks) => {
  const lake = await lakeBefore()
  const { number, steps } = putOvertaken(lake, moment)
  // It begins again, on snapshot 3.
  expect(await number).toBe(4)
  const marked = steps
    .slice(0, steps.lastIndexOf('before write snapshot.json'))
    .some(step => step.includes(' mark '))
  expect(marked).toBe(marks)
  expect(existsSync(join(lake, 'snapshots/2.json'))).toBe(false)
  expect(textsOf(lake, 3)).toEqual(OLD)
  expect(textsOf(lake, 4)).toEqual(NEW)
  expect(dataOf(lake)).toEqual(filesOf(NEW))
  expect(hidden(lake)).toEqual([])
})

test.each([
  ['before it moves files', 'after rename CURRENT'],
  ['while it moves files', `after move ${basename(file('2024-01-02', 'one'))}`],
])('a writer that is overtaken %s leaves them where the last snapshot has them', async (_, moment) => {
  const lake = await lakeBefore()
  expect(await putOvertaken(lake, moment).number).toBe(2)
  expect(textsOf(lake, 3)).toEqual(OLD)
  expect(dataOf(lake)).toEqual(filesOf(OLD))
  expect(hidden(lake)).toEqual([])
})

test.each([
  ['', null, 'full'],
  // The next attempt finds that one.
  [', and a snapshot of another writer', '{"format":2}', '2.json is damaged: it is not snapshot 2'],
])('a writer that finds the disk full at the last moment leaves no marker%s', async (_, rival, problem) => {
  const lake = await lakeBefore()
  let isFull = false
  const publishing = putSlowly(lake, CHANGE, step => {
    if (step === 'before link 2.json') {
      isFull = true
      if (rival !== null) return writeFileSync(join(lake, 'snapshots/2.json'), rival)
    }
    if (isFull && /^before (link|mark|mkdir|move|rename|write) /.test(step)) throw new Error('full')
  })
  await expect(publishing).rejects.toThrow(problem)
  expect(current(lake)).toBe(1)
  expect(dataOf(lake)).toEqual(filesOf(OLD))
  expect(existsSync(join(lake, '.publishing'))).toBe(false)
})
