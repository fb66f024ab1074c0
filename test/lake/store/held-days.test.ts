import { expect, test } from 'vitest'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { type Holdings, heldDays, withDigests } from '../../../src/lake/store/held-days.ts'
import type { Digest, Manifest } from '../../../src/lake/store/manifest.ts'

const [FIRST, SECOND, THIRD] = ['2024-01-02', '2024-01-03', '2024-01-04'] as const

/** A partition with these days. Nothing else of it is read. */
const partition = (days: Record<string, Digest>) => ({ days, files: [] }) as unknown as Manifest

const held = (...partitions: readonly Manifest[]) =>
  heldDays({ manifests: async () => partitions } as unknown as Holdings, dataset('daily_bars'))

test('a day has the rows of all partitions that hold it', async () => {
  const days = await held(
    partition({ [FIRST]: [3, 'aa'], [SECOND]: [4, 'bb'] }),
    partition({ [SECOND]: [5, 'cc'] }),
  )
  expect(days.days).toEqual([FIRST, SECOND])
  expect([FIRST, SECOND, THIRD].map(days.rows)).toEqual([3, 9, 0])
  expect([FIRST, SECOND, THIRD].map(days.digest)).toEqual(['3 aa;', '4 bb;5 cc;', ''])
})

test('days that are written again have their new rows, and others theirs', async () => {
  const days = withDigests(
    await held(partition({ [FIRST]: [3, 'aa'], [SECOND]: [4, 'bb'] })),
    [SECOND, THIRD],
    { [THIRD]: [7, 'dd'] },
  )
  expect(days.days).toEqual([FIRST, THIRD])
  expect([FIRST, SECOND, THIRD].map(days.rows)).toEqual([3, 0, 7])
  expect([FIRST, SECOND, THIRD].map(days.digest)).toEqual(['3 aa;', '', '7 dd;'])
})
