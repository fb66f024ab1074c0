import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { smallDisk } from '../../fixtures/folder.ts'
import {
  DAILY_BARS,
  day,
  land,
  landDays,
  makeHistory,
  silent,
  storedDays,
  writerForTest,
} from '../store/days.ts'

const FULL = {
  code: 'lake_write',
  message: 'the disk is full: free some space and run the command again; nothing was published',
}

describe('a lake on a full disk, or on a read-only one', () => {
  test('rejects rows that do not fit, and does not change', async ({ skip }) => {
    const lake = join(smallDisk(1024 ** 2, skip), 'lake')
    const writer = await writerForTest(lake)
    await landDays(writer, lake, [day('A', '2024-01-02', '1')])
    await makeHistory(writer, 1000, '2023-01-01', '2023-12-31')
    await expect(land(writer, lake, DAILY_BARS, [], silent)).rejects.toMatchObject(FULL)
    expect(await readCurrent(lake)).toBe(1)
    expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1'])
    expect(existsSync(join(lake, '.staging'))).toBe(false)
    await landDays(writer, lake, [day('A', '2024-01-03', '2')])
    expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'A 2024-01-03 2'])
  })

  test('fails a publish cleanly at whichever write the space runs out', { tags: 'slow' }, async ({
    skip,
  }) => {
    const disk = smallDisk(2 * 1024 ** 2, skip)
    const lake = join(disk, 'lake')
    const writer = await writerForTest(lake)
    await landDays(writer, lake, [day('A', '2024-01-02', '1')])
    const filler = join(disk, 'filler')
    const outcomes: boolean[] = []
    for (let pages = 0; outcomes.filter(Boolean).length < 2; pages += 1) {
      const { bavail, bsize } = statfsSync(disk)
      const size = existsSync(filler) ? execFileSync('stat', ['-c', '%s', filler]) : '0'
      const free = bavail * bsize + Number(size)
      writeFileSync(filler, Buffer.alloc(free - pages * 4096))
      const number = await readCurrent(lake)
      const rows = await storedDays(writer, lake)
      const fresh = [day('A', '2024-01-02', String(pages + 2)), day('A', '2024-01-03', String(pages + 2))]
      const failure = await landDays(writer, lake, fresh).then(
        () => null,
        thrown => thrown,
      )
      outcomes.push(failure === null)
      if (failure !== null) {
        expect(failure).toMatchObject(FULL)
        expect(await readCurrent(lake)).toBe(number)
        expect(await storedDays(writer, lake)).toEqual(rows)
      }
      expect((await verify(writer, lake, silent)).problems).toEqual([])
      expect(existsSync(join(lake, '.staging'))).toBe(false)
      expect(readdirSync(join(lake, 'snapshots')).length).toBe(await readCurrent(lake))
    }
    // The space ran out at several places before it sufficed.
    expect(outcomes.indexOf(true)).toBeGreaterThan(4)
    expect(outcomes.lastIndexOf(false)).toBeLessThan(outcomes.indexOf(true) + 3)
  })

  test('says that it cannot be written', async ({ skip }) => {
    const disk = smallDisk(1024 ** 2, skip)
    const lake = join(disk, 'lake')
    const writer = await writerForTest(lake)
    await landDays(writer, lake, [day('A', '2024-01-02', '1')])
    execFileSync('mount', ['-o', 'remount,ro', disk])
    await expect(landDays(writer, lake, [day('A', '2024-01-03', '1')])).rejects.toMatchObject({
      code: 'lake_write',
      message: expect.stringMatching(/cannot be written \(EROFS\): check the owner of the lake's folder/),
    })
    expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1'])
  })

  test('takes back a snapshot that CURRENT could not be made to name', async ({ skip }) => {
    const lake = join(smallDisk(1024 ** 2, skip), 'lake')
    const writer = await writerForTest(lake)
    await landDays(writer, lake, [day('A', '2024-01-02', '1')])
    // What something is mounted on cannot be replaced.
    execFileSync('mount', ['--bind', join(lake, 'CURRENT'), join(lake, 'CURRENT')])
    try {
      await expect(landDays(writer, lake, [day('A', '2024-01-03', '2')])).rejects.toMatchObject({
        code: 'lake_write',
        message: expect.stringMatching(/CURRENT cannot be written: EBUSY/),
      })
      expect(readdirSync(join(lake, 'snapshots'))).toEqual(['1.json'])
    } finally {
      execFileSync('umount', [join(lake, 'CURRENT')])
    }
    expect(await landDays(writer, lake, [day('A', '2024-01-03', '2')])).toMatchObject({ snapshot: 2 })
  })
})
