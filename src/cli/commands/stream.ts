import { resolve } from 'node:path'
import { type Engine, openEngine } from '../../engine/engine.ts'
import { Failure } from '../../engine/failure.ts'
import { dataset } from '../../lake/store/datasets.ts'
import { locator } from '../../lake/store/layout.ts'
import { snapshotLoader } from '../../lake/store/snapshot.ts'
import { isValidDate } from '../../market/day.ts'
import { ticker } from '../../operations/parameters/market.ts'
import { sentence } from '../../operations/parameters/problem.ts'
import { type Chunk, encoded } from '../../stream/encoded.ts'
import { type FragTape, intervalsOf, loadSlice } from '../../stream/frag-tape.ts'
import type { StreamForm } from '../../stream/messages.ts'
import { processClock, replay, type Speed } from '../../stream/replay.ts'
import { fileSink, type Sink, streamSink } from '../../stream/sink.ts'
import { loadedAhead, slicesOf } from '../../stream/slices.ts'
import { assertOnlyFlags, usage } from '../command/arguments.ts'
import type { Arguments, Command } from '../command/command.ts'
import { commandProofs } from '../command/proofs.ts'
import { selectedSnapshot } from '../command/selected-snapshot.ts'
import { untilInterrupted } from '../terminal/interrupt.ts'
import { note, SYNTHETIC } from '../terminal/note.ts'
import { progressOn } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'

/**
 * Messages that are loaded at once, or more if five minutes have more. Fewer for updates, because each load of them reads
 * the whole day.
 */
export const SLICE_MESSAGES = { frags: 200_000, updates: 150_000 }

const SPEED_MAX = 3600

export const stream: Command = {
  name: 'stream',
  usage: '[--date YYYY-MM-DD] [flags]',
  details: `Replays the chain_frags of a trading day in the order of the tape. A frag summarises the trades of one contract in a five-minute interval. It is sent at the end of the interval or, with --updates, after each trade; then the last frag of an interval is the final one. The first message is sent immediately. The time between messages is that of the trading day divided by the speed. protobuf writes each message ChainFrag of src/stream/tapehouse.proto after its length as a varint ("delimited"); json writes one line of ProtoJSON per message. The replay ends when its reader closes the pipe.`,
  examples: [
    'tapehouse stream --date 2024-12-31 --speed max --output frags.bin',
    'tapehouse stream --ticker ACME --speed 60 --updates --format json | head',
  ],
  settings: [
    'lake',
    'snapshot',
    'proofsDir',
    'closedPercent',
    'closedSessions',
    'memoryMib',
    'temporaryMib',
    'threads',
  ],
  flags: {
    date: { value: 'YYYY-MM-DD', help: 'Trading date. Default: the last closed date with frags.' },
    ticker: { value: 'TICKER', help: 'Only contracts of this underlying. Default: all.' },
    speed: {
      value: 'N|max',
      default: '1',
      help: `Speed as a multiple of real time, up to ${SPEED_MAX}; max: as fast as possible.`,
    },
    updates: { help: 'Send a frag again after each of its trades.' },
    format: { value: 'protobuf|json', default: 'protobuf', help: 'Output format.' },
    output: {
      value: 'FILE',
      help: 'File to create. It must not exist, and appears when it is complete. Default: standard output.',
    },
  },
  run,
}

async function run({ positionals, settings, flags }: Arguments): Promise<number> {
  assertOnlyFlags(stream, positionals)
  const requested = { date: dateOf(flags.date?.[0]), ticker: tickerOf(flags.ticker?.[0]) }
  const speed = speedOf(flags.speed?.[0] ?? '')
  const form = formOf(flags.format?.[0] ?? '')
  const output = flags.output?.[0]
  if (output === undefined && form === 'protobuf' && process.stdout.isTTY)
    throw usage(
      stream,
      'protobuf cannot be written to a terminal: use --output FILE, a pipe or --format json',
    )

  const controller = interruption()
  const { signal } = controller
  const snapshots = snapshotLoader(resolve(settings.lake), {
    percent: settings.closedPercent,
    sessions: settings.closedSessions,
  })
  const selected = await selectedSnapshot(settings)
  const snapshot = await snapshots(selected)
  const date = requested.date ?? snapshot.closedDate('chain_frags')
  if (date === null)
    throw new Failure('not_found', 'the lake has no chain_frags: run tapehouse derive chain_frags')
  const tape: FragTape = { date, ticker: requested.ticker, updates: flags.updates?.length === 1 }
  const proofs = commandProofs(settings, snapshot.lake)
  const engine = await openEngine(
    {
      lake: snapshot.lake,
      guard: proofs,
      locate: locator(snapshot.lake),
      threads: engineThreads(settings.threads, 1),
      memoryBytesMax: settings.memoryMib * 1024 ** 2,
      temporaryBytesMax: settings.temporaryMib * 1024 ** 2,
      leasesMax: 2,
      queueMax: 2,
      schemaOf: dataset,
    },
    () => {},
  )
  try {
    const intervals = await intervalsOf(tape, snapshot, engine, signal)
    const slices = slicesOf(intervals, SLICE_MESSAGES[tape.updates ? 'updates' : 'frags'])
    const sink = output === undefined ? streamSink(process.stdout) : await fileSink(resolve(output))
    if (snapshot.synthetic) note(SYNTHETIC)
    const loads = loadedAhead(
      slices,
      // Unless one is selected, the current snapshot at that time: the files of an older one may have been deleted.
      async (slice, either) => loadSlice(tape, slice, await snapshots(selected), engine, either),
      signal,
    )
    const total = intervals.reduce((sum, { messages }) => sum + messages, 0)
    const chunks = encoded(replay(loads, speed, processClock, signal), form)
    await writeAll(chunks, sink, total, output !== undefined || !process.stdout.isTTY, () =>
      controller.abort(),
    )
  } finally {
    await closeQuietly(engine, signal)
    proofs.close()
  }
  return 0
}

/**
 * Writes all chunks to the sink. `shown`: whether to show progress if standard error is a terminal. `stop` ends the chunks:
 * it is called when the sink fails or nobody reads it.
 */
export async function writeAll(
  chunks: AsyncIterable<Chunk>,
  sink: Sink,
  total: number,
  shown: boolean,
  stop: () => void,
): Promise<void> {
  const progress = shown && process.stderr.isTTY ? progressOn(process.stderr) : null
  let done = 0
  // One chunk is written while the next one is encoded.
  let writing = Promise.resolve(true)
  try {
    for await (const { bytes, messages } of chunks) {
      if (!(await writing)) return await sink.abandon()
      writing = sink.write(bytes)
      // The next message may be due much later. A rejection is handled when `writing` is awaited.
      writing.then(isWanted => isWanted || stop(), stop)
      done += messages
      progress?.observe({ kind: 'progress', task: 'stream', done, total, unit: 'messages' })
    }
    if (!(await writing)) return await sink.abandon()
    await sink.done()
  } catch (thrown) {
    await sink.abandon()
    // A replay that was stopped because nobody reads it has not failed.
    if (await writing) throw thrown
  } finally {
    progress?.end()
  }
}

/** Aborted by Ctrl-C, with a reason for the user. */
function interruption(): AbortController {
  const controller = new AbortController()
  untilInterrupted().addEventListener('abort', () =>
    controller.abort(new Failure('canceled', 'the replay was interrupted before its end')),
  )
  return controller
}

async function closeQuietly(engine: Engine, signal: AbortSignal): Promise<void> {
  await engine.close().catch(thrown => {
    if (!signal.aborted) throw thrown
  })
}

function dateOf(text: string | undefined): string | null {
  if (text === undefined) return null
  if (isValidDate(text)) return text
  throw usage(stream, `--date must be a date such as 2024-12-31, not ${JSON.stringify(text)}`)
}

const TICKER = ticker('Ticker of the underlying.')

function tickerOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const parsed = TICKER.parse([text])
  if ('problems' in parsed) throw usage(stream, `--ticker ${parsed.problems.map(sentence).join(' and ')}`)
  return parsed.value
}

function speedOf(text: string): Speed {
  if (text === 'max') return 'max'
  const speed = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (speed > 0 && speed <= SPEED_MAX) return speed
  throw usage(
    stream,
    `--speed must be max or a number above 0 up to ${SPEED_MAX}, such as 60, not ${JSON.stringify(text)}`,
  )
}

function formOf(text: string): StreamForm {
  if (text === 'protobuf' || text === 'json') return text
  throw usage(stream, `--format must be protobuf or json, not ${JSON.stringify(text)}`)
}
