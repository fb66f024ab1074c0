import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForTest } from '../fixtures/lake.ts'
import { tapehouse } from './process.ts'

test('the command generate makes a lake that verify accepts', async () => {
  const lake = join(folderForTest(), 'lake')
  const size = ['--days', '3', '--tickers', '15', '--trades-per-day', '5000', '--seed', '3']
  expect((await tapehouse(['generate', ...size, '--lake', lake])).code).toBe(0)
  expect((await tapehouse(['verify', '--lake', lake])).code).toBe(0)
})
