import { expect, test } from 'vitest'
import { start } from '../../bench/measure/started.ts'

const never = () => false

test('a program that is missing is a reason, not the end of the process', async () => {
  const command = { command: '/nowhere/serve', arguments: ['1'], port: 1 }
  await expect(start(command, never)).rejects.toThrow(
    '/nowhere/serve 1 does not serve: Error: spawn /nowhere/serve ENOENT',
  )
})

test('what a program has printed says why it does not serve', async () => {
  const command = {
    command: process.execPath,
    arguments: ['--eval', 'console.error("no data"); process.exit(3)'],
    port: 1,
  }
  await expect(start(command, never)).rejects.toThrow(/does not serve: no data\n$/)
})

test('the last 64 KiB of what a program prints are kept', async () => {
  const program =
    'for (let line = 0; line < 20_000; line += 1) console.log("line " + line); setInterval(() => {}, 1000)'
  const command = { command: process.execPath, arguments: ['--eval', program], port: 1 }
  const server = await start(command, output => output.endsWith('line 19999\n'))
  expect(server.output()).toHaveLength(65_536)
  await server.stop()
})
