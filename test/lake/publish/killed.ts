import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { openWriter, type Writer } from '../../../src/engine/writer.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { amount, countCases, sampleOf } from '../../fixtures/tier.ts'
import { compileInto, run } from '../store/compiled.ts'

/** Steps at which `npm test` kills a process; `npm run prove` kills it at all of them. */
const KILLS = amount({ test: 3, prove: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY })

/** For the tests of one file: a folder with the compiled program in it, two writers on it, and a way to kill. */
export function killing() {
  const folder = temporaryFolder()
  const writers: Writer[] = []

  beforeAll(async () => {
    await compileInto(folder)
    for (let lane = 0; lane < 2; lane += 1) writers.push(await openWriter({ directories: [folder] }))
  })

  afterAll(() => {
    for (const writer of writers) writer.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /**
   * Kills a process that runs `script` on a copy of the folder `before` after each step that `picks` selects, and calls
   * `check` each time. Default: after every step; a kill before a step leaves the same as one after the step before it.
   * Returns the names of all failpoints.
   */
  async function killEverywhere(
    before: string,
    script: (lake: string) => string,
    check: (writer: Writer, lake: string, step: string) => Promise<void>,
    picks = (step: string, _index: number, _steps: readonly string[]) => step.startsWith('after '),
  ): Promise<string[]> {
    const trace = join(folder, `trace-${Math.random()}`)
    const whole = `${before}-whole`
    cpSync(before, whole, { recursive: true })
    expect(await run(folder, script(whole), { TAPEHOUSE_FAILPOINTS_TRACE: trace })).toMatchObject({ code: 0 })
    const passed = readFileSync(trace, 'utf8').trimEnd().split('\n')

    const picked = [...passed.entries()].filter(([index, step]) => picks(step, index, passed))
    const kills = sampleOf(picked, KILLS)
    countCases(kills.length)
    const waiting = kills.values()
    const killOn = async (writer: Writer) => {
      for (const [index, step] of waiting) {
        const lake = `${before}-${index + 1}`
        cpSync(before, lake, { recursive: true })
        const ended = await run(folder, script(lake), { TAPEHOUSE_FAILPOINT: String(index + 1) })
        expect(ended, step).toMatchObject({ signal: 'SIGKILL' })
        await check(writer, lake, step)
        rmSync(lake, { recursive: true })
      }
    }
    await Promise.all(writers.map(killOn))
    return passed
  }

  /** Kills a process that runs `script` on a copy of `before` at some random moments of its life. */
  async function killSometimes(
    before: string,
    script: (lake: string) => string,
    times: number,
    check: (writer: Writer, lake: string, moment: string) => Promise<void>,
  ): Promise<void> {
    const whole = `${before}-timed`
    cpSync(before, whole, { recursive: true })
    const started = performance.now()
    expect(await run(folder, script(whole))).toMatchObject({ code: 0 })
    const lifeMs = performance.now() - started
    countCases(times)
    const waiting = Array.from({ length: times }, () => Math.random() * lifeMs).entries()
    const killOn = async (writer: Writer) => {
      for (const [time, afterMs] of waiting) {
        const lake = `${before}-at-${time}`
        cpSync(before, lake, { recursive: true })
        await run(folder, script(lake), {}, afterMs)
        await check(writer, lake, `killed after ${Math.round(afterMs)} of ${Math.round(lifeMs)} ms`)
        rmSync(lake, { recursive: true })
      }
    }
    await Promise.all(writers.map(killOn))
  }

  return { folder, writers, killEverywhere, killSometimes }
}
