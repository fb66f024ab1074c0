import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openInstance } from '../../src/engine/instance.ts'
import { folderForTest } from '../fixtures/lake.ts'

test('an instance can read only its folders, and no statement can change that', async () => {
  const folder = folderForTest()
  for (const name of ['lake', 'temporary', 'lake-of-others']) mkdirSync(join(folder, name))
  const [inside, outside] = [join(folder, 'lake', 'a.csv'), join(folder, 'lake-of-others', 'a.csv')]
  for (const path of [inside, outside]) writeFileSync(path, 'n\n1\n')
  symlinkSync(outside, join(folder, 'lake', 'link.csv'))
  const instance = await openInstance({
    directories: [join(folder, 'lake')],
    temporaryDirectory: join(folder, 'temporary'),
    temporaryBytesMax: 1024 ** 2,
    memoryBytesMax: 256 * 1024 ** 2,
    threads: 1,
  })
  const connection = await instance.connect()
  expect(
    await (await connection.run('SELECT * FROM read_csv($path)', { path: inside })).getRowsJson(),
  ).toEqual([['1']])
  const denied = [
    `SELECT * FROM read_csv('${outside}')`,
    `SELECT * FROM read_csv('${join(folder, 'lake', '..', 'lake-of-others', 'a.csv')}')`,
    `SELECT * FROM read_text('/etc/passwd')`,
    `SELECT * FROM glob('/etc/*')`,
    `COPY (SELECT 1) TO '${join(folder, 'lake-of-others', 'b.csv')}'`,
    `ATTACH '${join(folder, 'other.db')}'`,
    'INSTALL httpfs',
    'LOAD httpfs',
    `SELECT * FROM read_csv('http://127.0.0.1:1/a.csv')`,
    'SET threads = 2',
    'SET enable_external_access = true',
    "SET allowed_directories = ['/']",
    'RESET lock_configuration',
  ]
  for (const sql of denied)
    await expect(connection.run(sql), sql).rejects.toThrow(
      /Permission Error|Invalid Input Error|disabled|locked|Missing Extension/i,
    )
  const [zone] = await (
    await connection.run("SELECT current_setting('TimeZone') AS zone")
  ).getRowObjectsJson()
  expect(zone).toEqual({ zone: 'UTC' })
  connection.closeSync()
  instance.closeSync()
})
