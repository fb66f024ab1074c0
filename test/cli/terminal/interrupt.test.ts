import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { flatDay, folderForTest } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { compileInto, run } from '../../lake/store/compiled.ts'
import { running } from '../process.ts'

/** All files of a folder, sorted. */
const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted()

/** What a command may print before the signal: a note, and `maintain` the steps that have ended. */
const mayPrecede = (line: string, command: string) =>
  line.startsWith('note: all data') ||
  (command.startsWith('maintain') && /^(?:retain|derive|compact|vacuum): /.test(line))

const NOTHING_KEPT = 'tapehouse: interrupted: nothing unfinished is kept'

/** Commands, and the line of each. `$L` is the lake, `$F` a folder of files. */
const COMMANDS: readonly (readonly [command: string, line: string])[] = [
  ['import daily-bars $F/days.csv --lake $L', 'tapehouse: import canceled: the lake has not changed'],
  ['generate --lake $F/new --days 60', NOTHING_KEPT],
  ['derive --lake $L', NOTHING_KEPT],
  ['compact --lake $L', NOTHING_KEPT],
  ['verify --lake $L', NOTHING_KEPT],
  ['audit --lake $L', NOTHING_KEPT],
  ['maintain --lake $L', NOTHING_KEPT],
  ['query congress-politicians --lake $L', NOTHING_KEPT],
  ['stream --lake $L --speed 1', 'tapehouse: the replay was interrupted before its end'],
]

test.each(
  COMMANDS.flatMap(([command, line]) =>
    (
      [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const
    ).map(([signal, code]) => ({ command, signal, code, line })),
  ),
)('$signal ends $command with one line and $code', async ({ command, signal, code, line }) => {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const own = join(folder, 'temporary')
  mkdirSync(own)
  cpSync(await sharedMarket('small'), lake, { recursive: true })
  const days = Array.from({ length: 20_000 }, (_, at) => flatDay(`T${at}`, '2024-01-02', '100'))
  writeFileSync(
    join(folder, 'days.csv'),
    ['Date,Open,High,Low,Close,Adj Close,Volume,Name', ...days, ''].join('\n'),
  )
  const before = filesIn(lake)
  const args = command.replaceAll('$L', lake).replaceAll('$F', folder).split(' ')
  const child = running(args, { TMPDIR: own })
  // The engine is open: the command is at work.
  while (readdirSync(own).length === 0) {
    if (child.process.exitCode !== null)
      throw new Error(`it ended before the signal:
${child.output()}`)
    await sleep(1)
  }
  expect(await child.stop(signal)).toBe(code)
  const lines = child
    .output()
    .split('\n')
    .filter(each => each !== '' && !mayPrecede(each, command))
  expect(lines).toEqual([line])
  expect(filesIn(lake)).toEqual(before)
  expect(readdirSync(own)).toEqual([])
})

/** A statement on a thread of its own that takes minutes and does not react to interrupts, and a signal. */
const STUCK = `
import { writeFileSync } from 'node:fs'
import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { interruptible } from './dist/engine/running/statements.js'
import { endWhenInterrupted } from './dist/cli/terminal/interrupt.js'
endWhenInterrupted()
process.on('exit', () => writeFileSync(process.env.AT_EXIT, 'done'))
interruptible({ interrupt() {} }, () => promisify(pbkdf2)('a', 'b', 2 ** 31 - 1, 64, 'sha512'))
process.kill(process.pid, 'SIGINT')
`

test('a statement that does not react to its interrupt does not keep the process, whose folders are removed', async () => {
  const folder = folderForTest()
  await compileInto(folder)
  const atExit = join(folder, 'at-exit')
  const { code, signal, stderr } = await run(folder, STUCK, { AT_EXIT: atExit }, 20_000)
  expect([code, signal, stderr]).toEqual([null, 'SIGINT', `${NOTHING_KEPT}\n`])
  expect(readFileSync(atExit, 'utf8')).toBe('done')
})
