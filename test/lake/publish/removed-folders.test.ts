import { readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { STAGING } from '../../../src/lake/store/layout.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { silent, storedDays, writerForTest } from '../store/days.ts'
import { killing } from './killed.ts'
import { pauseAtEach } from './paused.ts'

const { folder } = killing()

/** The empty folders of a lake, as names. A writer's own staging folder is removed by no other process. */
const emptyFolders = (lake: string) =>
  readdirSync(lake, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !path.startsWith(join(lake, `${STAGING}/`)) && readdirSync(path).length === 0)

/** Removes each empty folder the `nth` time that it is seen and the time after that, as other writers may. */
function removingFolders(lake: string, nth: number): { remove: () => void; removed: Set<string> } {
  const seen = new Map<string, number>()
  const removed = new Set<string>()
  const remove = () => {
    for (const path of emptyFolders(lake)) {
      const times = (seen.get(path) ?? 0) + 1
      seen.set(path, times)
      if (times !== nth && times !== nth + 1) continue
      rmdirSync(path)
      removed.add(path.slice(lake.length + 1))
    }
  }
  return { remove, removed }
}

// A folder that one process has just created for a file is empty until the file is there, and another process that has
// moved its own file out of this folder removes it meanwhile.
test.each([1, 2, 3])(
  'an import succeeds while other writers remove the folders that are empty, from the time %i on',
  { tags: 'slow' },
  async nth => {
    const own = folderForTest()
    const first = flatDay('A', '2024-01-02', '1')
    const lake = await makeLake(own, { days: [first] })
    const csv = join(own, 'more.csv')
    writeFileSync(csv, `Date,Open,High,Low,Close,Adj Close,Volume,Name\n${flatDay('B', '2025-03-04', '2')}\n`)
    const { remove, removed } = removingFolders(lake, nth)
    await pauseAtEach(
      folder,
      `import { importFiles } from './dist/lake/import/import.js'
      await importFiles({ format: 'daily-bars', inputs: ['${csv}'], lake: '${lake}', threads: 1, observe: () => {} })`,
      async () => remove(),
    )
    expect([...removed]).toEqual(
      expect.arrayContaining(['.publishing', 'superseded/daily_bars/2025-03-04', 'daily_bars/2025-03-04']),
    )
    expect(await readCurrent(lake)).toBe(2)
    const writer = await writerForTest(lake)
    expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'B 2025-03-04 2'])
    const { problems, stale } = await verify(writer, lake, silent)
    expect([problems, stale]).toEqual([[], new Map()])
  },
)
