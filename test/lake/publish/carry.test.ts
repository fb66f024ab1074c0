import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { carriedOver, withPresentNames } from '../../../src/lake/publish/carry.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { manifestOf, named, put } from './notes.ts'

const PRESENT = named('notes/2024-01-02', 'one')
const FORMER = named('notes/date=2024-01-02', 'one')

/** A lake with one file, under this name in the lake. */
async function lakeWith(name: string) {
  const folder = folderForTest()
  const [lake, staging] = [join(folder, 'lake'), join(folder, 'staging')]
  mkdirSync(staging)
  await put(lake, { notes: { '2024-01-02': 'one' } })
  mkdirSync(dirname(join(lake, name)), { recursive: true })
  renameSync(join(lake, PRESENT), join(lake, name))
  return { lake, staging, number: 1, record: null }
}

test('names of format 1 become present ones, names of adopted files stay', () => {
  const former = manifestOf('2024-01-02', 'one', 'notes/date=2024-01-02')
  const [file] = former.files
  const adopted = { ...file, name: 'notes/date=2024-01-02/ticks.parquet' }
  expect(withPresentNames({ ...former, files: [...former.files, adopted] as never })).toEqual({
    ...manifestOf('2024-01-02', 'one'),
    files: [{ ...file, name: PRESENT }, adopted],
  })
})

test.each([FORMER, `superseded/${FORMER}`])(
  'a partition is carried over with a link to each file that gets another name: %s',
  async place => {
    const base = await lakeWith(place)
    const former = manifestOf('2024-01-02', 'one', 'notes/date=2024-01-02')
    const change = await carriedOver(base, former)
    const present = manifestOf('2024-01-02', 'one')
    expect(change).toEqual({
      manifest: present,
      staged: [{ path: expect.stringContaining(base.staging), file: present.files[0] }],
      absorbs: [],
    })
    const [{ path } = { path: '' }] = change.staged
    expect(statSync(path).ino).toBe(statSync(join(base.lake, place)).ino)
  },
)

test.each([PRESENT, `superseded/${PRESENT}`])(
  'files that keep their names are not linked: %s',
  async place => {
    const base = await lakeWith(place)
    const manifest = manifestOf('2024-01-02', 'one')
    expect(await carriedOver(base, manifest)).toEqual({ manifest, staged: [], absorbs: [] })
    expect(readdirSync(base.staging)).toEqual([])
  },
)

test('a file that is missing is named', async () => {
  const base = await lakeWith(FORMER)
  rmSync(join(base.lake, FORMER))
  const former = manifestOf('2024-01-02', 'one', 'notes/date=2024-01-02')
  await expect(carriedOver(base, former)).rejects.toMatchObject({
    code: 'lake_damaged',
    message: `${join(base.lake, FORMER)} is damaged: it does not exist; restore it from a copy of the lake`,
  })
})
