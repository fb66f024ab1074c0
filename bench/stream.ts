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
 * Writes a day of frags to a file as protobuf at full speed, and measures two steps of it separately: reading the slices
 * from Parquet into Arrow, and encoding the messages of one slice in memory. Frags per second, best of several rounds.
 *
 * LAKE=<folder> uses the latest day of that lake. Default: a generated day of 300,000 trades, which is too short for
 * a reliable result, but shows that it works.
 */
const ROUNDS = 3
/** Messages that are encoded at once. */
const ROWS = 2048

const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
const lake = process.env.LAKE ?? join(folder, 'lake')
if (process.env.LAKE === undefined) {
  const generator = await openWriter({ directories: [lake] })
  await generate(generator, lake, { seed: 1, days: 1, tickers: 100, tradesPerDay: 300_000 }, () => {})
  generator.close()
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
