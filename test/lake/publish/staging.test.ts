import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Owner, thisProcess } from '../../../src/engine/owner.ts'
import { isWriting, stagingName, type Work, withStaging } from '../../../src/lake/publish/staging.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { DEAD, ELSEWHERE, RUNNING, sha256 } from './notes.ts'

afterEach(() => void vi.useRealTimers())

/** The staging folder of another process, with a file in it that has the same name as content. */
function stage(lake: string, owner: Owner, work: Work = 'write', file = 'part') {
  const path = join(lake, '.staging', stagingName(work, owner))
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, file), file)
  return path
}

const left = (lake: string) =>
  existsSync(join(lake, '.staging')) ? readdirSync(join(lake, '.staging')) : null
const fails = async () => {
  throw new Error('out of order')
}

/** What the process does at its end because of the work that runs. */
const exiting = (before: readonly unknown[]) =>
  process.listeners('exit').find(each => !before.includes(each)) as () => void

describe('a staging folder', () => {
  test('exists while the work runs, and is gone afterwards', async () => {
    const lake = folderForTest()
    const result = await withStaging(lake, 'write', async (folder, leftovers) => {
      expect(statSync(folder).isDirectory()).toBe(true)
      expect(left(lake)).toEqual([basename(folder)])
      writeFileSync(join(folder, 'part'), 'half')
      return leftovers
    })
    expect(result).toEqual([])
    expect(left(lake)).toBeNull()
  })

  test('is gone if the work fails, and its error is kept', async () => {
    const lake = folderForTest()
    await expect(withStaging(lake, 'write', fails)).rejects.toThrow('out of order')
    expect(left(lake)).toBeNull()
  })

  test('is named after the kind of the work, the host, the process and its start', async () => {
    const { pid, start } = thisProcess()
    const host = sha256(hostname()).slice(0, 12)
    for (const work of ['write', 'generate', 'vacuum'] as const) {
      const name = stagingName(work, thisProcess())
      expect(name).toMatch(new RegExp(`^${work}-${host}-${pid}-${start}-[0-9a-f]{12}$`))
      expect(stagingName(work, thisProcess())).not.toBe(name)
    }
  })

  test('is stamped each minute, for other hosts', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const lake = folderForTest()
    const before = vi.getTimerCount()
    await withStaging(lake, 'write', async folder => {
      const stampedAt = new Date('2024-01-02T00:00:00Z')
      utimesSync(folder, stampedAt, stampedAt)
      await vi.advanceTimersByTimeAsync(59_000)
      expect(statSync(folder).mtime).toEqual(stampedAt)
      vi.advanceTimersByTime(1000)
      await vi.waitUntil(() => statSync(folder).mtimeMs > Date.now() - 60_000)
    })
    expect(vi.getTimerCount()).toBe(before)
  })

  test('is removed when the process exits meanwhile, with the folder of all if that is empty', async () => {
    const lake = folderForTest()
    const listeners = process.listeners('exit')
    await withStaging(lake, 'write', async folder => {
      writeFileSync(join(folder, 'part'), 'half')
      const exit = exiting(listeners)
      exit()
      expect(left(lake)).toBeNull()
      const other = stage(lake, RUNNING)
      mkdirSync(folder)
      exit()
      expect(left(lake)).toEqual([basename(other)])
      // Of its own folder nothing is left.
      rmSync(other, { recursive: true })
      exit()
      expect(left(lake)).toBeNull()
    })
    expect(process.listeners('exit')).toEqual(listeners)
  })
})

describe('what other processes left', () => {
  test('is removed if they died, and named; what a running one has stays', async () => {
    const lake = folderForTest()
    const [dead, running] = [stage(lake, DEAD), stage(lake, RUNNING)]
    const leftovers = await withStaging(lake, 'write', async (_, names) => {
      expect([dead, running].map(existsSync)).toEqual([false, true])
      return names
    })
    expect(leftovers).toEqual([basename(dead)])
    expect(left(lake)).toEqual([basename(running)])
  })

  test('stays on another host for ten minutes after the last stamp', async () => {
    const lake = folderForTest()
    const [young, old] = [stage(lake, ELSEWHERE), stage(lake, ELSEWHERE)]
    for (const [path, minutes] of [
      [young, 9.5],
      [old, 10.5],
    ] as const) {
      const stampedAt = new Date(Date.now() - minutes * 60_000)
      utimesSync(path, stampedAt, stampedAt)
    }
    expect(await isWriting(lake, basename(young))).toBe(true)
    expect(await isWriting(lake, basename(old))).toBe(false)
    expect(await withStaging(lake, 'write', async (_, names) => names)).toEqual([basename(old)])
  })

  test('is being written only while the folder exists and its process runs', async () => {
    const lake = folderForTest()
    const names = [RUNNING, DEAD, thisProcess()].map(owner => basename(stage(lake, owner)))
    const gone = stagingName('write', RUNNING)
    expect(await Promise.all([...names, gone].map(name => isWriting(lake, name)))).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})

describe('work that excludes other work', () => {
  const AGAIN = 'run this one again when it has ended (if it is gone for good: remove'
  const CASES: readonly (readonly [Work, Work, Owner, string | null])[] = [
    ['write', 'write', RUNNING, null],
    ['write', 'generate', RUNNING, null],
    ['generate', 'write', RUNNING, null],
    ['vacuum', 'write', DEAD, null],
    ['write', 'vacuum', DEAD, null],
    ['generate', 'generate', DEAD, null],
    ['vacuum', 'write', RUNNING, 'another command writes to LAKE:'],
    ['vacuum', 'generate', RUNNING, 'another command writes to LAKE:'],
    ['vacuum', 'vacuum', RUNNING, 'another command is vacuuming LAKE:'],
    ['write', 'vacuum', RUNNING, 'another command is vacuuming LAKE:'],
    ['generate', 'vacuum', RUNNING, 'another command is vacuuming LAKE:'],
    ['generate', 'generate', RUNNING, 'another process (1) generates the data of LAKE:'],
    ['generate', 'generate', ELSEWHERE, 'another process generates the data of LAKE:'],
    ['vacuum', 'write', ELSEWHERE, 'another command writes to LAKE:'],
  ]

  test.each(CASES)('a %s beside a %s of %j', async (work, other, owner, problem) => {
    const lake = folderForTest()
    const path = stage(lake, owner, other)
    const done = withStaging(lake, work, async () => 'done')
    if (problem === null) expect(await done).toBe('done')
    else
      await expect(done).rejects.toMatchObject({
        code: 'lake_conflict',
        message: `${problem.replace('LAKE', lake)} ${AGAIN} ${path})`,
      })
    expect(left(lake)).toEqual(owner === DEAD ? null : [basename(path)])
  })
})

describe('a staging folder with a file that is kept', () => {
  const KEPT = 'draft'

  /** Work that leaves the file and fails. */
  async function failed(lake: string) {
    const keeping = withStaging(
      lake,
      'generate',
      async folder => {
        writeFileSync(join(folder, KEPT), 'half')
        throw new Error('out of order')
      },
      KEPT,
    )
    await expect(keeping).rejects.toThrow('out of order')
  }

  test('stays if the work fails, but not if it is done', async () => {
    const lake = folderForTest()
    await failed(lake)
    expect(left(lake)).toHaveLength(1)
    const finished = folderForTest()
    await withStaging(finished, 'generate', async folder => writeFileSync(join(folder, KEPT), 'all'), KEPT)
    expect(left(finished)).toBeNull()
  })

  test('does not stay without that file', async () => {
    const lake = folderForTest()
    await expect(withStaging(lake, 'generate', fails, KEPT)).rejects.toThrow('out of order')
    expect(left(lake)).toBeNull()
  })

  test('stays if the process exits meanwhile', async () => {
    const lake = folderForTest()
    const listeners = process.listeners('exit')
    await withStaging(
      lake,
      'generate',
      async folder => {
        const exit = exiting(listeners)
        writeFileSync(join(folder, KEPT), 'half')
        exit()
        expect(existsSync(join(folder, KEPT))).toBe(true)
      },
      KEPT,
    )
  })

  test('is taken over by the next work with this name, and counts as its own from then on', async () => {
    const lake = folderForTest()
    const dead = stage(lake, DEAD, 'generate', KEPT)
    const longAgo = new Date('2024-01-02T00:00:00Z')
    utimesSync(dead, longAgo, longAgo)
    const found = await withStaging(
      lake,
      'generate',
      async (folder, leftovers) => {
        expect(statSync(folder).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
        expect(left(lake)).toEqual([basename(folder)])
        expect(leftovers).toEqual([])
        return readFileSync(join(folder, KEPT), 'utf8')
      },
      KEPT,
    )
    expect(found).toBe(KEPT)
    expect(left(lake)).toBeNull()
  })

  test('is removed by other work', async () => {
    const lake = folderForTest()
    const dead = stage(lake, DEAD, 'generate', KEPT)
    await withStaging(lake, 'write', async (folder, leftovers) => {
      expect(readdirSync(folder)).toEqual([])
      expect(leftovers).toEqual([basename(dead)])
    })
  })

  test('is not taken over from a running process, nor is a folder without the file', async () => {
    const lake = folderForTest()
    const running = stage(lake, RUNNING, 'write', KEPT)
    const without = stage(lake, DEAD, 'generate')
    await withStaging(
      lake,
      'generate',
      async (folder, leftovers) => {
        expect(readdirSync(folder)).toEqual([])
        expect(leftovers).toEqual([basename(without)])
      },
      KEPT,
    )
    expect(left(lake)).toEqual([basename(running)])
  })

  test('is one of several: the others are removed', async () => {
    const lake = folderForTest()
    for (const owner of [DEAD, DEAD]) stage(lake, owner, 'generate', KEPT)
    const counts = await withStaging(
      lake,
      'generate',
      async (folder, leftovers) => [readdirSync(folder).length, leftovers.length],
      KEPT,
    )
    expect(counts).toEqual([1, 1])
  })

  test('is taken over by one of two at once', async () => {
    const lake = folderForTest()
    stage(lake, DEAD, 'generate', KEPT)
    const look = async (folder: string) => readdirSync(folder).length
    const counts = await Promise.all([1, 2].map(() => withStaging(lake, 'write', look, KEPT)))
    expect(counts.toSorted()).toEqual([0, 1])
  })
})
