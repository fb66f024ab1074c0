import { spawn } from 'node:child_process'
import { cpSync, existsSync, lstatSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { openWriter } from '../../../src/engine/writer.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { CURRENT, snapshotName, supersededPath } from '../../../src/lake/store/layout.ts'
import { readManifest } from '../../../src/lake/store/manifest.ts'
import { entriesOf, requireRecord } from '../../../src/lake/store/record.ts'
import { countCases } from '../../fixtures/tier.ts'
import { silent } from '../store/days.ts'

/** Resumes a process that waits at a failpoint. */
const RESUME = new Uint8Array(1)

/**
 * Runs `script` in `folder` to its end and calls `check` at each failpoint, while the process is paused there. Returns
 * the names of the steps. This is equivalent to a kill at each failpoint: written files outlive their process, synced
 * or not, so that a kill leaves what the file system shows during the pause. Threads of the engine may continue
 * meanwhile, but write only to the staging folder.
 */
export async function pauseAtEach(
  folder: string,
  script: string,
  check: (step: string) => Promise<void>,
): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env: { ...process.env, TAPEHOUSE_FAILPOINTS_STAND: '3' },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const socket = child.stdio[3] as Socket
  const steps: string[] = []
  try {
    for await (const step of createInterface({ input: socket })) {
      steps.push(step)
      await check(step)
      socket.write(RESUME)
    }
  } catch (thrown) {
    child.kill('SIGKILL')
    await ended
    throw thrown
  }
  expect(await ended, steps.at(-1)).toBe(0)
  countCases(steps.length)
  return steps
}

/** The places where a file can be, and what identifies it and its content. */
interface Standing {
  readonly name: string
  readonly paths: readonly string[]
  readonly was: Stats | undefined
}

/** A file at the first of its places that has it. */
function statOf(paths: readonly string[]): Stats | undefined {
  for (const path of paths) {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat) return stat
  }
  return undefined
}

/** Whether a file has another inode, size or time of modification than before, or is gone. */
function isChanged({ paths, was }: Standing): boolean {
  const now = statOf(paths)
  return now?.ino !== was?.ino || now?.size !== was?.size || now?.mtimeMs !== was?.mtimeMs
}

/** The files of a snapshot as they are now, including its record and manifests. */
async function filesOf(lake: string, number: number): Promise<readonly Standing[]> {
  const entries = entriesOf(await requireRecord(lake, number))
  const manifests = await Promise.all(entries.map(entry => readManifest(lake, entry)))
  const names = [
    snapshotName(number),
    ...entries.map(({ manifest }) => manifest),
    ...manifests.flatMap(({ files }) => files.map(({ name }) => name)),
  ]
  return names.map(name => {
    const paths = [join(lake, name), supersededPath(lake, name)]
    return { name, paths, was: statOf(paths) }
  })
}

/**
 * Observes a lake during the publish of snapshot 2 over snapshot 1. The returned function expects that CURRENT names
 * one of the two and never goes back, that the files of snapshot 1 have not changed, and that snapshot 2 is complete
 * and has `state` (the datasets of `verify`) as soon as anything could lead to it: CURRENT, or a writer that completes
 * the publish of one that died.
 */
export async function watching(
  lake: string,
  state: unknown,
): Promise<{ look: (step: string) => Promise<void>; seen: Set<string> }> {
  const standing = new Map([[1, await filesOf(lake, 1)]])
  let current = 1
  const seen = new Set<string>()
  const look = async (step: string) => {
    const number = await readCurrent(lake)
    expect([current, 2], step).toContain(number)
    current = number ?? 0
    const isThere = existsSync(join(lake, snapshotName(2)))
    seen.add(`${current}${isThere ? ', 2 is there' : ''}`)
    if (!standing.has(2) && (isThere || current === 2)) {
      await expectWhole(lake, state, step)
      standing.set(2, await filesOf(lake, 2))
    }
    for (const files of standing.values())
      expect(
        files.filter(isChanged).map(({ name }) => name),
        step,
      ).toEqual([])
  }
  return { look, seen }
}

/** Snapshot 2 is whole in a copy of the lake in which CURRENT names it. */
async function expectWhole(lake: string, state: unknown, step: string): Promise<void> {
  const copy = `${lake}-standing`
  cpSync(lake, copy, { recursive: true })
  writeFileSync(join(copy, CURRENT), '2\n')
  const writer = await openWriter({ directories: [copy] })
  const { datasets, problems, stale } = await verify(writer, copy, silent)
  writer.close()
  rmSync(copy, { recursive: true })
  expect({ problems, stale }, step).toEqual({ problems: [], stale: new Map() })
  expect(datasets, step).toEqual(state)
}
