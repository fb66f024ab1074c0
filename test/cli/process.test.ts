import { expect, test } from 'vitest'
import { folderForTest, makeLake, SMALL_DAYS } from '../fixtures/lake.ts'
import { tapehouseHere } from './in-process.ts'
import { tapehouse } from './process.ts'

/** The built command in a process of its own ends as it does in the process of the tests. */

const query = ['query', 'analytics-window', '--range', 'full', '--calculations', 'MEAN', '--symbols']

test.each([
  ['an answer', 0, (lake: string) => [...query, 'ONE', '--lake', lake]],
  ['a failure', 1, (lake: string) => [...query, 'ONE', '--lake', `${lake}/nowhere`]],
  ['a usage error', 2, () => ['serv']],
  ['help', 0, () => ['query', '--help']],
])('%s has exit code %i, the same standard output and the same standard error', async (_, code, args) => {
  const lake = await makeLake(folderForTest(), { days: SMALL_DAYS })
  const own = await tapehouse(args(lake))
  expect(own).toEqual(await tapehouseHere(args(lake)))
  expect(own.code).toBe(code)
  expect([own.stdout.length > 0, own.stderr !== '']).toEqual([code === 0, code !== 0])
})
