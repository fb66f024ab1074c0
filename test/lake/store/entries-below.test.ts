import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entriesBelow } from '../../../src/lake/store/entries-below.ts'
import { folderForTest } from '../../fixtures/lake.ts'

test('entries below a folder are those at any depth, and none behind a symbolic link', async () => {
  const [folder, outside] = [folderForTest(), folderForTest()]
  mkdirSync(join(folder, 'one/two'), { recursive: true })
  writeFileSync(join(folder, 'one/two/own'), '')
  writeFileSync(join(outside, 'foreign'), '')
  symlinkSync(outside, join(folder, 'link'))
  symlinkSync(folder, join(folder, 'one/circle'))
  const entries = await entriesBelow(folder)
  expect(entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted()).toEqual(
    ['link', 'one', 'one/circle', 'one/two', 'one/two/own'].map(name => join(folder, name)),
  )
})
