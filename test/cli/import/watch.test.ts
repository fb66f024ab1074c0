import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { running, serving, tapehouse } from '../process.ts'

const POSTS = 'id,date,timestamp,post'
const post = (id: string) => `${id},2024-01-1${id},2024-01-1${id}T15:00:00Z,text ${id}\n`

test('a file that is put into a watched folder is in the answers of a running server', async () => {
  const folder = folderForTest()
  const [inbox, lake, tokens] = ['inbox', 'lake', 'tokens.json'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(inbox)
  writeFileSync(join(folder, 'first.csv'), `${POSTS}\n${post('1')}`)
  await tapehouse(['import', 'csv', 'posts', join(folder, 'first.csv'), '--lake', lake])
  const token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
  const server = await serving(['--lake', lake, '--tokens', tokens, '--workers', '1'])
  const texts = async () => {
    const response = await fetch(`${server.url}/api/potus/posts?limit=10`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await response.json()) as { data: { post: string }[] }
    return data.map(({ post: text }) => text)
  }
  expect(await texts()).toEqual(['text 1'])
  const watch = running(['import', 'csv', 'posts', '--watch', inbox, '--lake', lake])
  const second = join(inbox, 'second.csv')
  writeFileSync(second, `${POSTS}\n${post('2')}`)
  // A file that has not changed for some time is complete.
  utimesSync(second, 1, 1)
  await watch.until(() => watch.output().includes('second.csv: 1 row, snapshot 2'))
  await expect.poll(texts, { timeout: 10_000 }).toEqual(['text 2', 'text 1'])
  expect(await watch.stop()).toBe(0)
})
