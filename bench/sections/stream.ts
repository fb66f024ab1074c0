import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SLICE_MESSAGES, writeAll } from '../../src/cli/commands/stream.ts'
import { openEngine } from '../../src/engine/engine.ts'
import { dataset } from '../../src/lake/store/datasets.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { bytesOf } from '../../src/stream/delimited.ts'
import { encoded } from '../../src/stream/encoded.ts'
import { intervalsOf, loadSlice } from '../../src/stream/frag-tape.ts'
import { writerOf } from '../../src/stream/messages.ts'
import { processClock, replay } from '../../src/stream/replay.ts'
import { fileSink } from '../../src/stream/sink.ts'
import { loadedAhead, slicesOf } from '../../src/stream/slices.ts'
import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import type { Circumstances, Measured } from '../section.ts'

/**
 * Writes a day of frags to a file as protobuf at full speed, and measures two steps of it separately: reading the slices
 * from Parquet into Arrow, and encoding the messages of one slice in memory. Frags per second, best of several rounds. The
 * ratio is to the rate at which the slices are read.
 */
const ROUNDS = 3
/** Messages that are encoded at once. */
const ROWS = 2048

export async function* stream({ quick, folder: kept }: Circumstances): AsyncGenerator<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
  const lake = await benchLake(kept, quick ? SMALL : DEMO)
  const snapshot = await loadSnapshot(lake)
  const engine = await openEngine(
    {
      lake: snapshot.lake,
      threads: 2,
      memoryBytesMax: 1024 ** 3,
      temporaryBytesMax: 0,
      leasesMax: 2,
      queueMax: 2,
      schemaOf: dataset,
    },
    () => {},
  )
  const { signal } = new AbortController()
  const tape = { date: snapshot.lastDate('chain_frags') ?? '', ticker: null, updates: false }
  const intervals = await intervalsOf(tape, snapshot, engine, signal)
  const frags = intervals.reduce((sum, { messages }) => sum + messages, 0)
  const slices = slicesOf(intervals, SLICE_MESSAGES.frags)
  const load = () =>
    loadedAhead(slices, (slice, either) => loadSlice(tape, slice, snapshot, engine, either), signal)

  const [slice] = slices
  if (slice === undefined) throw new Error('the lake has no frags')
  const sample = await loadSlice(tape, slice, snapshot, engine, signal)
  const writer = writerOf(sample)

  const kinds: Record<string, () => Promise<number>> = {
    'to a file': async () => {
      const path = join(folder, `${performance.now()}.bin`)
      const sink = await fileSink(path)
      await writeAll(
        encoded(replay(load(), 'max', processClock, signal), 'protobuf'),
        sink,
        frags,
        false,
        () => {},
      )
      rmSync(path)
      return frags
    },
    'only Parquet to Arrow': async () => {
      let rows = 0
      for await (const messages of load()) rows += messages.rows
      return rows
    },
    'only Arrow to protobuf': async () => {
      const rounds = Math.max(1, Math.floor(frags / sample.rows / 4))
      for (let round = 0; round < rounds; round += 1)
        for (let row = 0; row < sample.rows; row += ROWS)
          bytesOf(writer, 'protobuf', row, Math.min(row + ROWS, sample.rows))
      return rounds * sample.rows
    },
  }
  const best = new Map<string, number>()
  for (const [kind, run] of Object.entries(kinds)) {
    for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
      const started = performance.now()
      const rate = ((await run()) / (performance.now() - started)) * 1000
      best.set(kind, Math.max(best.get(kind) ?? 0, rate))
    }
  }
  const bare = best.get('only Parquet to Arrow') ?? 0
  for (const [kind, rate] of best) yield { name: kind, ratio: rate / bare, details: { 'frags/s': rate } }
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
}
