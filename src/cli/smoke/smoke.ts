import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../../api/service/token-file.ts'
import { openEngine } from '../../engine/engine.ts'
import { FAILURES, Failure, firstLine } from '../../engine/failure.ts'
import { checkoutPath } from '../../engine/resources.ts'
import { temporaryFolder } from '../../engine/temporary-folder.ts'
import { dataset } from '../../lake/store/datasets.ts'
import { loadSnapshot, type Snapshot } from '../../lake/store/snapshot.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { operations } from '../../operations/index.ts'
import { readArguments } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { demoDefaults } from '../commands/demo.ts'
import { completeDemo, demoState } from '../commands/demo-lake.ts'
import { examine, type Findings } from './answer.ts'
import { addressFor, requestsFor } from './requests.ts'

/** `npm run smoke`: one request per operation to a real server over HTTP. */
const command: Command = {
  name: 'smoke',
  usage: '[--lake FOLDER]',
  examples: ['npm run smoke', 'npm run smoke -- --lake data/lake'],
  settings: ['memoryMib', 'threads', 'demoDays', 'demoTickers', 'demoTrades'],
  defaults: demoDefaults,
  flags: {
    lake: {
      value: 'FOLDER',
      help: 'The lake to serve. Default: the demo lake, which is generated if it does not exist.',
    },
  },
  run: async ({ flags, settings }) => {
    const [lake] = flags.lake ?? []
    if (lake === undefined && ['absent', 'begun'].includes(await demoState(settings))) {
      process.stderr.write('Generating the demo market (later runs reuse it) …\n')
      await completeDemo(settings)
    }
    return smokeLake(resolve(lake ?? settings.lake), lake === undefined)
  },
}

/** Runs with the arguments after `npm run smoke --` and returns the exit code. */
export async function smoke(argv: readonly string[]): Promise<number> {
  try {
    const args = readArguments(command, argv, process.env)
    if (args !== 'help') return (await command.run(args)) ?? 0
    process.stdout.write(`Usage: npm run smoke -- ${command.usage}\n`)
    return 0
  } catch (thrown) {
    // The shared message names a subcommand of tapehouse; npm starts this one.
    process.stderr.write(`smoke: ${firstLine(thrown).replace('tapehouse smoke', 'npm run smoke --')}\n`)
    return thrown instanceof Failure ? FAILURES[thrown.code].exit : 1
  }
}

/** The result of one operation; null if the lake has no data for it. */
interface Outcome extends Findings {
  readonly status: number
  readonly bytes: number
  readonly durationMs: number
  readonly address: string
}

/** Sends a request for each operation. `complete`: the lake must have data for all operations and fields. */
async function smokeLake(lake: string, complete: boolean): Promise<number> {
  // First, because its message about a folder without a lake is better than that of a server that does not start.
  const snapshot = await loadSnapshot(lake)
  const folder = temporaryFolder('smoke')
  const tokens = join(folder, 'tokens.json')
  // Before the server starts, because a running one reads new tokens with a delay.
  const token = await createToken(tokens, { name: 'smoke', routes: ['*'], owner: null, expiresAt: null })
  const server = await start(lake, tokens)
  try {
    const client = await openClient(server.url, token, snapshot)
    let good = 0
    const without: string[] = []
    for (const operation of operations) {
      const outcome = await client.operation(operation)
      process.stdout.write(lineOf(operation, outcome))
      if (outcome === null) without.push(`${operation.id} (${operation.datasets[0]})`)
      else if (outcome.problems.length === 0 && !(complete && outcome.blank.length > 0)) good += 1
    }
    await client.close()
    if (without.length > 0) process.stdout.write(`without data: ${without.join(', ')}\n`)
    process.stdout.write(`${good} of ${operations.length}\n`)
    return good === operations.length - (complete ? 0 : without.length) ? 0 : 1
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openClient(url: string, token: string, snapshot: Snapshot) {
  const MEBIBYTE = 1024 ** 2
  const engine = await openEngine(
    {
      lake: snapshot.lake,
      threads: 1,
      memoryBytesMax: 512 * MEBIBYTE,
      temporaryBytesMax: 1024 * MEBIBYTE,
      leasesMax: 1,
      queueMax: 16,
      schemaOf: dataset,
    },
    () => {},
  )
  const signal = new AbortController().signal
  const request = async (operation: Operation, address: string): Promise<Outcome> => {
    const sentMs = performance.now()
    const response = await fetch(`${url}${address}`, { headers: { authorization: `Bearer ${token}` } })
    const content = await response.text()
    const received = { status: response.status, bytes: Buffer.byteLength(content), address }
    const durationMs = performance.now() - sentMs
    if (response.status !== 200) return { ...received, durationMs, rows: 0, problems: [content], blank: [] }
    return { ...received, durationMs, ...examine(operation, JSON.parse(content)) }
  }
  return {
    /** The first request with values in all fields, else the first without a problem, else the last one. */
    async operation(operation: Operation): Promise<Outcome | null> {
      const known = operation.datasets.some(dataset => snapshot.lastDate(dataset) !== null)
      const requests = known ? await requestsFor(operation, snapshot, engine, signal) : []
      let best: Outcome | null = null
      for (const values of requests) {
        const outcome = await request(operation, addressFor(operation, values))
        if (best === null || best.problems.length > 0 || outcome.blank.length === 0) best = outcome
        if (outcome.status !== 200 || outcome.problems.length + outcome.blank.length === 0) return outcome
      }
      return best
    },
    close: () => engine.close(),
  }
}

const COLUMNS = [28, 6, 8, 11, 8] as const

function lineOf({ id }: Operation, outcome: Outcome | null): string {
  if (outcome === null) return `${id.padEnd(COLUMNS[0])}  no data\n`
  const { status, rows, bytes, durationMs, problems, blank, address } = outcome
  const cells = [status, `${rows} r`, `${bytes} B`, `${durationMs.toFixed(0)} ms`]
  const line = [
    id.padEnd(COLUMNS[0]),
    ...cells.map((cell, at) => String(cell).padStart(COLUMNS[at + 1] ?? 0)),
  ]
  const nulls = blank.length > 0 ? [`null in every row: ${blank.join(', ')}`] : []
  const details = [...problems, ...nulls].map(problem => `  ${address}\n  ${problem}\n`)
  return `${line.join(' ')}\n${details.join('')}`
}

const bin = checkoutPath('bin/tapehouse.js')
const START_MS = 60_000
const STOP_MS = 15_000

/** A server process on free ports. */
async function start(lake: string, tokens: string) {
  const flags = ['--lake', lake, '--tokens', tokens, '--port', '0', '--admin-port', '0', '--workers', '1']
  const child = spawn(process.execPath, [bin, 'serve', ...flags, '--log-level', 'warn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(done => child.once('close', () => done()))
  const stop = async () => {
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(STOP_MS, null, { ref: false })])
    child.kill('SIGKILL')
  }
  const url = await addressOf(child)
  if (url !== null) return { url, stop }
  await stop()
  throw new Failure('start_refused', 'the server did not start')
}

/** The address that the server prints; null if it ends, or prints none in time. */
function addressOf(child: ChildProcess): Promise<string | null> {
  return new Promise(resolve => {
    const found = (url: string | null) => {
      clearTimeout(timer)
      resolve(url)
    }
    const timer = setTimeout(() => found(null), START_MS)
    let output = ''
    child.stdout?.on('data', text => {
      output += text
      const [url] = /http:\/\/[\d.]+:\d+(?=\n|$)/m.exec(output) ?? []
      if (url !== undefined) found(url)
    })
    child.once('close', () => found(null))
  })
}
