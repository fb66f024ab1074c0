import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replayBegan } from '../../../src/api/socket/replayed-day.ts'
import { importFiles } from '../../../src/lake/import/import.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { connect, DAY_OVER_MS, type SocketClient, socketServer } from './clients.ts'

/** A lake to which each call of `publish` adds the trades of the samples on another day. */
function growingLake() {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const sample = readFileSync('data/samples/canonical/option_trades.csv', 'utf8')
  const publish = async (day: string) => {
    const path = join(folder, `${day}.csv`)
    // The ids are unique by day: their last group begins with its two digits.
    writeFileSync(
      path,
      sample.replaceAll('2024-01-03', day).replaceAll(/-1{10}(\d\d),/g, `-${day.slice(-2)}11111111$1,`),
    )
    await importFiles({ format: 'csv-option_trades', lake, inputs: [path], observe: () => {} })
  }
  return { folder, lake, publish }
}

const daysOf = (client: SocketClient) => [
  ...new Set(
    client.data('option_trades').map(each => new Date(Number(each.executed_at)).toISOString().slice(0, 10)),
  ),
]

test('a day that is published while the server runs is replayed from its beginning', async () => {
  const { folder, lake, publish } = growingLake()
  await publish('2024-01-03')
  const server = await socketServer(folder, lake)
  onTestFinished(() => server.close())
  const early = await connect(server)
  await early.join('option_trades')
  server.elapse(DAY_OVER_MS)
  const count = 2
  await early.until(() => early.data('option_trades').length >= count)
  expect(daysOf(early)).toEqual(['2024-01-03'])

  await publish('2024-01-04')
  // Five laps of the new day later, however long the import took.
  server.elapse(120_000)
  await early.until(() => daysOf(early).includes('2024-01-04'))
  const late = await connect(server)
  await late.join('option_trades')
  server.elapse(150_000)
  await late.until(() => late.data('option_trades').length >= count)
  expect(daysOf(late)).toEqual(['2024-01-04'])
})

test('a day given by date stays', { tags: 'slow' }, async () => {
  const { folder, lake, publish } = growingLake()
  await publish('2024-01-03')
  const server = await socketServer(folder, lake, { date: '2024-01-03' })
  onTestFinished(() => server.close())
  const client = await connect(server)
  await client.join('option_trades')
  await publish('2024-01-04')
  server.elapse(120_000)
  await client.until(() => client.data('option_trades').length >= 2)
  server.elapse(240_000)
  await client.until(() => client.data('option_trades').length >= 4)
  expect(daysOf(client)).toEqual(['2024-01-03'])
})

test('the replay of a day begins when it was published, whatever was published after it', {
  tags: 'slow',
}, async () => {
  const { lake, publish } = growingLake()
  await publish('2024-01-03')
  const begunMs = Date.now()
  await publish('2024-01-04')
  const published = Date.parse((await loadSnapshot(lake)).createdAt)
  await publish('2024-01-02')
  const newest = await loadSnapshot(lake)
  expect(newest.lastDate('option_trades')).toBe('2024-01-04')
  expect(Date.parse(newest.createdAt)).toBeGreaterThan(published)
  expect(await replayBegan(newest, begunMs)).toBe(Math.max(published, begunMs))
  // A server that was started later begins with its start.
  expect(await replayBegan(newest, published + 1_000_000)).toBe(published + 1_000_000)
})
