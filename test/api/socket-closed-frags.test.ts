import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FRAG_SOURCES } from '../../src/api/socket-channels.ts'
import { openFeed } from '../../src/api/socket-feed.ts'
import { SOCKET_LIMITS } from '../../src/api/socket-limits.ts'
import { openSlices } from '../../src/api/socket-slices.ts'
import { followLake } from '../../src/lake/follow.ts'
import { loadSnapshot } from '../../src/lake/snapshot.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { engineFor } from '../fixtures/service.ts'
import { parquetRows } from '../stream/parquet-rows.ts'
import { oneDay } from './socket-clients.ts'

const folder = temporaryFolder()
let lake = ''
beforeAll(async () => {
  lake = await oneDay(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const INTERVAL_MS = 300_000
const EVERYTHING = Number.MAX_SAFE_INTEGER

test('frags that go out when their interval closes are each what is stored, once, and not before', async () => {
  const engine = await engineFor(lake)
  const replay = { date: null, begunMs: 0, speed: 1 }
  const limits = SOCKET_LIMITS
  const slices = openSlices({ engine, lake: await followLake(lake, () => {}) }, replay, limits)
  const heard: Record<string, unknown>[] = []
  const feed = openFeed({
    channel: { source: FRAG_SOURCES.closed, ticker: null, id: 'stream.chain_frags' },
    slices,
    replay,
    limits,
    openedMs: 3 * INTERVAL_MS,
    deliver: (messages, row) => heard.push(JSON.parse(messages.json(row))),
    failed: thrown => {
      throw thrown
    },
  })
  try {
    const stored = await parquetRows(
      await loadSnapshot(lake),
      'chain_frags',
      `SELECT option_symbol, epoch_ms(start_time)::DOUBLE AS start_time, epoch_ms(tape_time)::DOUBLE AS tape_time,
         volume::INTEGER AS volume, trades::INTEGER AS trades, close::VARCHAR AS close, premium::VARCHAR AS premium,
         total_volume::INTEGER AS total_volume, delta::VARCHAR AS delta
       FROM rows ORDER BY rows.start_time, rows.tape_time, option_symbol`,
    )
    expect(stored.length).toBeGreaterThan(1000)
    const { firstMs, endMs } = await slices.tape()
    // Opened as an interval closes, so that slices of ten minutes begin and end where intervals do as well.
    const openedMs = firstMs + 3 * INTERVAL_MS
    for (const tapeMs of [openedMs, openedMs + INTERVAL_MS - 1, openedMs + INTERVAL_MS, endMs]) {
      const due = stored.filter(({ start_time }) => {
        const dueMs = Number(start_time) + INTERVAL_MS
        return dueMs >= openedMs && dueMs <= tapeMs
      })
      expect(due.length).toBeGreaterThan(0)
      await vi.waitFor(
        () => {
          feed.advance({ lap: 0, tapeMs }, EVERYTHING)
          if (heard.length < due.length) throw new Error(`${heard.length} of ${due.length} frags came`)
        },
        { timeout: 15_000, interval: 5 },
      )
      expect(heard).toEqual(due.map(frag => expect.objectContaining(frag)))
    }
  } finally {
    feed.close()
    await engine.close()
  }
})
