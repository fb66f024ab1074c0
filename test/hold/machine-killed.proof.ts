import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start, tapehouse } from '../cli/process.ts'
import { folderForTest, makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'
import { amount, countCases } from '../fixtures/tier.ts'
import { row, table } from './table.ts'

/** Commands that change a lake, killed at random moments of their lives. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = temporaryFolder()
let lake = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: SMALL_DAYS })
})
afterAll(() => {
  table()
  rmSync(folder, { recursive: true, force: true })
})

/** Makes the arguments of a command that changes a lake. */
const COMMANDS: Readonly<Record<string, (lake: string) => readonly string[]>> = {
  import: to => ['import', 'option-trades', join(root, 'data/samples/option-trades'), '--lake', to],
  generate: to => [
    'generate',
    '--lake',
    `${to}-generated`,
    '--days',
    '1',
    '--tickers',
    '3',
    '--trades-per-day',
    '400',
  ],
  derive: to => ['derive', '--lake', to, '--afresh'],
  compact: to => ['compact', '--lake', to],
  vacuum: to => ['vacuum', '--lake', to],
}

test.each(Object.keys(COMMANDS))(
  '%s that is killed at random leaves nothing after the next start',
  async name => {
    const kills = amount({ test: 1, prove: 2, long: 40 })
    const own = folderForTest()
    const temporary = join(own, 'temporary')
    mkdirSync(temporary)
    const killedLake = join(own, 'lake')
    cpSync(lake, killedLake, { recursive: true })
    const args = [...(COMMANDS[name]?.(killedLake) ?? []), '--temp-dir', temporary]
    const begun = performance.now()
    const whole = await tapehouse(args)
    const lifeMs = performance.now() - begun
    expect(whole.stderr, args.join(' ')).not.toContain('usage')
    let left = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const child = start(args, {})
      const ended = new Promise(resolve => child.once('close', resolve))
      const timer = setTimeout(() => child.kill('SIGKILL'), lifeMs * (0.2 + 0.8 * Math.random()))
      await ended
      clearTimeout(timer)
      left += readdirSync(temporary).length
    }
    // The next start uses the folder, and writes to the lake.
    const next = await tapehouse(args)
    expect(next.code, next.stderr).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
    const written = args[args.indexOf('--lake') + 1] ?? ''
    expect(existsSync(join(written, '.staging'))).toBe(false)
    const verified = await tapehouse(['verify', '--lake', written])
    expect(verified.code, verified.stderr).toBe(0)
    countCases(kills)
    row(
      `${name} killed`,
      `${kills} times at random`,
      `${left} folders left, 0 after the next start; the lake verifies`,
    )
  },
)
