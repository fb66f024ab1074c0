import { existsSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForTest, makeLake, SMALL_DAYS } from '../fixtures/lake.ts'
import { tapehouseHere } from './in-process.ts'
import { running, tapehouse } from './process.ts'

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

test('import --watch imports complete files, also after a restart, and ends with a signal', {
  tags: 'slow',
}, async () => {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const put = (name: string, ...rows: string[]) => {
    const path = join(folder, `.${name}`)
    writeFileSync(path, `${['Date,Open,High,Low,Close,Volume,Name', ...rows].join('\n')}\n`)
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    renameSync(path, join(folder, name))
  }
  const args = ['import', 'daily-bars', '--watch', folder, '--lake', lake]
  const lines = (output: string) =>
    output
      .trimEnd()
      .split('\n')
      .map(line => line.replace(/^\S+Z /, ''))

  put('a.csv', '2024-01-02,1,2,1,1.5,10,A', '2024-01-02,1,2,1,x,10,B', '2024-01-02,1,2,1,1.5,10,C')
  const first = running(args)
  await first.until(() => first.output().includes('a.csv'))
  put('b.csv')
  await first.until(() => first.output().includes('b.csv'))
  expect(await first.stop('SIGTERM')).toBe(0)
  expect(lines(first.output())).toEqual([
    `imported ${folder}/a.csv: 2 rows, 1 row rejected, snapshot 1`,
    `refused: ${folder}/b.csv has a header and no rows: download it again, or exclude it`,
  ])

  put('b.csv', '2024-01-03,1,2,1,1.5,10,A')
  const second = running(args)
  await second.until(() => second.output().includes('b.csv'))
  expect(await second.stop('SIGINT')).toBe(0)
  expect(lines(second.output())).toEqual([
    `nothing new in ${folder}/a.csv`,
    `imported ${folder}/b.csv: 1 row, snapshot 2`,
  ])
  expect(existsSync(join(folder, 'a.csv'))).toBe(true)
})
