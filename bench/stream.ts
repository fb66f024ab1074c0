import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SLICE_MESSAGES, writeAll } from '../src/cli/commands/stream.ts'
import { openEngine } from '../src/engine/engine.ts'
import { openWriter } from '../src/engine/writer.ts'
import { generate } from '../src/lake/generate/generate.ts'
import { datasets } from '../src/lake/store/datasets.ts'
import { loadSnapshot } from '../src/lake/store/snapshot.ts'
import { bytesOf } from '../src/stream/delimited.ts'
import { encoded } from '../src/stream/encoded.ts'
import { intervalsOf, loadSlice } from '../src/stream/frag-tape.ts'
import { writerOf } from '../src/stream/messages.ts'
import { processClock, replay } from '../src/stream/replay.ts'
import { fileSink } from '../src/stream/sink.ts'
import { loadedAhead, slicesOf } from '../src/stream/slices.ts'

/**
 * A day of frags to a file as protobuf, as fast as it goes: the whole way, beside its parts alone: reading the slices
 * from Parquet into Arrow, and writing the messages of one slice into memory. Frags a second; the best of some rounds.
 *
 * LAKE=<folder> takes the last day of that lake. Without it a day of 300,000 trades is made: too short for a figure,
 * enough to see that it works.
 */
const ROUNDS = 3
/** Messages that are written at once. */
const ROWS = 2048

const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
const lake = process.env.LAKE ?? join(folder, 'lake')
if (process.env.LAKE === undefined) {
  const maker = await openWriter({ directories: [lake] })
  await generate(maker, lake, { seed: 1, days: 1, tickers: 100, tradesPerDay: 300_000 }, () => {})
  maker.close()
}
const snapshot = await loadSnapshot(lake)
const engine = await openEngine(
  {
    lake: snapshot.lake,
    threads: 2,
    memoryBytesMax: 1024 ** 3,
    temporaryBytesMax: 0,
    leasesMax: 2,
    queueMax: 2,
    schemas: [...datasets().values()],
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
  'to a file, the whole way': async () => {
    const path = join(folder, `${performance.now()}.bin`)
    const sink = await fileSink(path)
    await writeAll(encoded(replay(load(), 'max', processClock, signal), 'protobuf'), sink, frags, false)
    rmSync(path)
    return frags
  },
  'Parquet to Arrow alone': async () => {
    let rows = 0
    for await (const messages of load()) rows += messages.rows
    return rows
  },
  'Arrow to protobuf alone': async () => {
    const rounds = Math.max(1, Math.floor(frags / sample.rows / 4))
    for (let round = 0; round < rounds; round += 1)
      for (let row = 0; row < sample.rows; row += ROWS)
        bytesOf(writer, 'protobuf', row, Math.min(row + ROWS, sample.rows))
    return rounds * sample.rows
  },
}
for (const [kind, run] of Object.entries(kinds)) {
  let best = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    best = Math.max(best, ((await run()) / (performance.now() - started)) * 1000)
  }
  process.stdout.write(`${kind.padEnd(26)}${Math.round(best).toLocaleString('en-US').padStart(12)} frags/s\n`)
}
process.stdout.write(`${frags.toLocaleString('en-US')} frags in ${slices.length} slices\n`)

await engine.close()
rmSync(folder, { recursive: true, force: true })
