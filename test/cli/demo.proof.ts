import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { misfit } from '../fixtures/answers-fit.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { serving, start } from './process.ts'

test('the demo generates its market once, serves it, and generates it again when its settings change', async () => {
  const own = folderForTest()
  const demo = join(own, 'demo')
  const args = ['--demo', '--lake', demo, '--tokens', join(own, 'tokens.json'), '--workers', '1']
  const size = { TAPEHOUSE_DEMO_DAYS: '1', TAPEHOUSE_DEMO_TICKERS: '3', TAPEHOUSE_DEMO_TRADES: '400' }
  const current = () => readFileSync(join(demo, 'CURRENT'), 'utf8').trim()

  const first = await serving(args, size)
  expect(first.output()).toContain('Generating the demo market')
  // The example request.
  const [, authorization = '', address = ''] =
    /curl -H 'Authorization: (Bearer [0-9a-f-]{36})' '([^']+)'/.exec(first.output()) ?? []
  const answered = await fetch(address, { headers: { authorization } })
  expect(answered.status).toBe(200)
  const body = (await answered.json()) as { data: { payload: { RETURNS_CALCULATIONS: { MEAN: object } } } }
  expect(misfit('analytics-window', body)).toBeUndefined()
  const { data } = body
  expect(Object.keys(data.payload.RETURNS_CALCULATIONS.MEAN)).toEqual(['ACME', 'BRASS', 'CEDAR'])
  await first.stop()
  const made = current()

  const second = await serving(args, size)
  expect(second.output()).not.toContain('Generating')
  await second.stop()
  expect(current()).toBe(made)

  const third = start(['serve', '--port', '0', '--admin-port', '0', ...args], {
    ...size,
    TAPEHOUSE_DEMO_TRADES: '500',
  })
  const lines: string[] = []
  third.stderr?.on('data', chunk => {
    lines.push(String(chunk))
    third.kill('SIGKILL')
  })
  await once(third, 'close')
  expect(lines[0]).toContain('Generating')
}, 300_000)
