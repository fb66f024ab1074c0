import { resolve } from 'node:path'
import { type Engine, openEngine } from '../../engine/engine.ts'
import { Failure } from '../../engine/failure.ts'
import { datasets } from '../../lake/store/datasets.ts'
import { snapshotLoader } from '../../lake/store/snapshot.ts'
import { isValidDate } from '../../market/day.ts'
import { ticker } from '../../operations/parameters/market.ts'
import { type Chunk, encoded } from '../../stream/encoded.ts'
import { type FragTape, intervalsOf, loadSlice } from '../../stream/frag-tape.ts'
import type { StreamForm } from '../../stream/messages.ts'
import { processClock, replay, type Speed } from '../../stream/replay.ts'
import { fileSink, type Sink, streamSink } from '../../stream/sink.ts'
import { loadedAhead, slicesOf } from '../../stream/slices.ts'
import { usage } from '../command/arguments.ts'
import type { Arguments, Command } from '../command/command.ts'
import { progressOn, untilInterrupted } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'

/** Messages that are loaded at once, unless five minutes alone have more. Updates are found by a pass over the day. */
export const SLICE_MESSAGES = { frags: 200_000, updates: 150_000 }

const SPEED_MAX = 3600

export const stream: Command = {
  name: 'stream',
  usage: '[--date YYYY-MM-DD] [flags]',
  details: `Replays the chain_frags of a day: what every contract that traded did, five minutes by five minutes, in the tape's order. A frag goes out when its interval is over; with --updates it goes out after each trade, so that the latest of an interval wins. The first message goes out at once, each other one as long after it as it was on the day, divided by the speed. protobuf is the message ChainFrag of src/stream/tapehouse.proto behind its length as a varint ("delimited"); json is a line of ProtoJSON a message. A reader that leaves ends the replay.`,
  examples: [
    'tapehouse stream --date 2024-12-31 --speed max --output frags.bin',
    'tapehouse stream --ticker ACME --speed 60 --updates --format json | head',
  ],
  settings: ['lake', 'memoryMib', 'temporaryMib', 'threads'],
  flags: {
    date: { value: 'YYYY-MM-DD', help: 'The trading day. Default: the last one that has frags.' },
    ticker: { value: 'TICKER', help: 'Only contracts on this underlying. Default: all.' },
    speed: {
      value: 'N|max',
      default: '1',
      help: `Times as fast as it happened, up to ${SPEED_MAX}; max: as fast as it is read.`,
    },
    updates: { help: 'Send a frag again after each of its trades.' },
    format: { value: 'protobuf|json', default: 'protobuf', help: 'What to write.' },
    output: {
      value: 'FILE',
      help: 'A file to write to, which must not exist; it has its name once it is whole. Default: standard output.',
    },
  },
  run,
}

async function run(given: Arguments): Promise<number> {
  const { positionals, settings, flags } = given
  if (positionals.length > 0)
    throw usage(stream, `stream takes no argument such as ${JSON.stringify(positionals[0])}`)
  const asked = { date: dateOf(flags.date?.[0]), ticker: tickerOf(flags.ticker?.[0]) }
  const speed = speedOf(flags.speed?.[0] ?? '')
  const form = formOf(flags.format?.[0] ?? '')
  const output = flags.output?.[0]
  if (output === undefined && form === 'protobuf' && process.stdout.isTTY)
    throw usage(stream, 'protobuf is no text for a terminal: give --output FILE, a pipe or --format json')

  const signal = interruption()
  const snapshots = snapshotLoader(resolve(settings.lake))
  const snapshot = await snapshots()
  const date = asked.date ?? snapshot.lastDate('chain_frags')
  if (date === null)
    throw new Failure('not_found', 'the lake has no chain_frags: run tapehouse derive chain_frags')
  const tape: FragTape = { date, ticker: asked.ticker, updates: flags.updates?.length === 1 }
  const engine = await openEngine(
    {
      lake: snapshot.lake,
      threads: engineThreads(settings.threads, 1),
      memoryBytesMax: settings.memoryMib * 1024 ** 2,
      temporaryBytesMax: settings.temporaryMib * 1024 ** 2,
      leasesMax: 2,
      queueMax: 2,
      schemas: [...datasets().values()],
    },
    () => {},
  )
  try {
    const intervals = await intervalsOf(tape, snapshot, engine, signal)
    const slices = slicesOf(intervals, SLICE_MESSAGES[tape.updates ? 'updates' : 'frags'])
    const sink = output === undefined ? streamSink(process.stdout) : await fileSink(resolve(output))
    const loads = loadedAhead(
      slices,
      // What is current by then: the files of a snapshot may be gone hours later.
      async (slice, either) => loadSlice(tape, slice, await snapshots(), engine, either),
      signal,
    )
    const total = intervals.reduce((sum, { messages }) => sum + messages, 0)
    const chunks = encoded(replay(loads, speed, processClock, signal), form)
    await writeAll(chunks, sink, total, output !== undefined || !process.stdout.isTTY)
  } finally {
    await closeQuietly(engine, signal)
  }
  return 0
}

/** Writes every chunk as the sink takes it. `shown`: the terminal is free for telling how far it is. */
export async function writeAll(
  chunks: AsyncIterable<Chunk>,
  sink: Sink,
  total: number,
  shown: boolean,
): Promise<void> {
  const progress = shown && process.stderr.isTTY ? progressOn(process.stderr) : null
  let done = 0
  try {
    // One chunk is written while the next is made.
    let writing = Promise.resolve(true)
    for await (const { bytes, messages } of chunks) {
      if (!(await writing)) return await sink.abandon()
      writing = sink.write(bytes)
      // What it rejects with is met when it is awaited.
      writing.catch(() => {})
      done += messages
      progress?.observe({ kind: 'progress', task: 'stream', done, total, unit: 'messages' })
    }
    if (!(await writing)) return await sink.abandon()
    await sink.done()
  } catch (thrown) {
    await sink.abandon()
    throw thrown
  } finally {
    progress?.end()
  }
}

/** Ctrl-C as a signal whose reason a person can read. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  untilInterrupted().addEventListener('abort', () =>
    controller.abort(new Failure('canceled', 'the replay was ended before all was sent')),
  )
  return controller.signal
}

async function closeQuietly(engine: Engine, signal: AbortSignal): Promise<void> {
  await engine.close().catch(thrown => {
    if (!signal.aborted) throw thrown
  })
}

function dateOf(text: string | undefined): string | null {
  if (text === undefined) return null
  if (isValidDate(text)) return text
  throw usage(stream, `--date must be a day such as 2024-12-31, not ${JSON.stringify(text)}`)
}

const TICKER = ticker('Ticker of the underlying.')

function tickerOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const parsed = TICKER.parse([text])
  if ('problem' in parsed) throw usage(stream, `--ticker ${parsed.problem}`)
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
