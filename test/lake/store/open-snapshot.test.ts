import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSnapshot, openSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'

interface Written {
  readonly datasets: Readonly<Record<string, { readonly partitions: Record<string, string> }>>
}

/** A copy of a generated market, and the manifests of its datasets. */
async function copyOfMarket() {
  const lake = join(folderForTest(), 'lake')
  cpSync(await sharedMarket('small'), lake, { recursive: true })
  const record: Written = JSON.parse(readFileSync(join(lake, 'snapshots', '1.json'), 'utf8'))
  const manifests = (dataset: string) =>
    Object.values(record.datasets[dataset]?.partitions ?? {}).map(name => join(lake, name))
  return { lake, manifests }
}

test('a snapshot that is opened has what a loaded one has', async () => {
  const lake = await sharedMarket('small')
  const [opened, loaded] = await Promise.all([openSnapshot(lake), loadSnapshot(lake)])
  expect(opened.datasets).toEqual(loaded.datasets)
  expect(opened.datasets.length).toBeGreaterThan(20)
  for (const name of [...loaded.datasets, 'no_such_dataset']) {
    expect(opened.files(name)).toEqual(loaded.files(name))
    expect([opened.firstDate(name), opened.lastDate(name), opened.closedDate(name)]).toEqual([
      loaded.firstDate(name),
      loaded.lastDate(name),
      loaded.closedDate(name),
    ])
    expect(opened.days(name)).toEqual(loaded.days(name))
  }
})

test('it reads the manifests of the datasets that are used, and no others', async () => {
  const { lake, manifests } = await copyOfMarket()
  for (const path of manifests('posts')) rmSync(path)
  await expect(loadSnapshot(lake)).rejects.toMatchObject({ code: 'lake_damaged' })
  const opened = await openSnapshot(lake)
  expect(opened.files('stock_days').length).toBeGreaterThan(0)
  expect(() => opened.files('posts')).toThrow(expect.objectContaining({ code: 'lake_damaged' }))
})

test('it refuses a damaged manifest of a dataset that is used', async () => {
  const { lake, manifests } = await copyOfMarket()
  const [path = ''] = manifests('stock_days')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"rows":\d+/, '"rows":1'))
  const opened = await openSnapshot(lake)
  expect(() => opened.lastDate('stock_days')).toThrow(/does not match the hash in its name/)
})
