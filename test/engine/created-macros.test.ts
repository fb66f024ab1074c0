import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openInstance } from '../../src/engine/instance.ts'
import { macros, macrosUsed, openMacros } from '../../src/engine/macros.ts'
import { folderForTest } from '../fixtures/lake.ts'

async function instanceWithout() {
  const folder = folderForTest()
  mkdirSync(join(folder, 'temporary'))
  const instance = await openInstance({
    directories: [folder],
    temporaryDirectory: join(folder, 'temporary'),
    temporaryBytesMax: 1024 ** 2,
    memoryBytesMax: 256 * 1024 ** 2,
    threads: 1,
    hasMacros: false,
  })
  const created = async () => {
    const connection = await instance.connect()
    const result = await connection.run(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type LIKE '%macro' AND NOT internal ORDER BY ALL",
    )
    const rows = await result.getRows()
    connection.closeSync()
    return rows.map(([name]) => String(name))
  }
  return { instance, created }
}

test('a template gets the macros that it calls, directly or through others, and no others', async () => {
  const { instance, created } = await instanceWithout()
  const used = openMacros(instance)
  await used.ready('SELECT 1')
  expect(await created()).toEqual([])
  for (const { name } of macros()) {
    const template = `SELECT ${name}(1)`
    await used.ready(template)
    expect(await created()).toEqual(expect.arrayContaining(macrosUsed(template).map(each => each.name)))
  }
  expect(await created()).toEqual(
    macros()
      .map(each => each.name)
      .toSorted(),
  )
  instance.closeSync()
})

test('templates that need the same macros at the same time get them once', async () => {
  const { instance, created } = await instanceWithout()
  const used = openMacros(instance)
  const templates = macros().map(({ name }) => `SELECT ${name}(1)`)
  await Promise.all([...templates, ...templates.toReversed()].map(template => used.ready(template)))
  expect(await created()).toEqual(
    macros()
      .map(each => each.name)
      .toSorted(),
  )
  instance.closeSync()
})
