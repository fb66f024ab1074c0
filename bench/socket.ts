import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { createToken } from '../src/api/service/token-file.ts'
import { files, text } from '../src/engine/bind.ts'
import { openWriter } from '../src/engine/writer.ts'
import { generate } from '../src/lake/generate/generate.ts'
import { loadSnapshot } from '../src/lake/store/snapshot.ts'

/**
 * Many sockets, each on one channel of one ticker, against `serve`: messages heard and lost, how far the slowest is behind
 * the one that is furthest on the tape, and the workers' resident memory. `TAPEHOUSE_BENCH_LAKE` names a lake; else one day
 * of 100,000 trades is made. Each client has a ticker of its own as long as there are so many, every other one as
 * `chain_frags:T`, the rest as `option_trades:T`. What a client should have heard between its first and its last message
 * is counted by DuckDB.
 */
const CLIENTS = Number(process.env.TAPEHOUSE_BENCH_CLIENTS ?? 200)
const SECONDS = Number(process.env.TAPEHOUSE_BENCH_SECONDS ?? 60)
const SPEED = 60
const WORKERS = 2

const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
const lake = process.env.TAPEHOUSE_BENCH_LAKE ?? join(folder, 'lake')
const writer = await openWriter({ directories: [folder, lake], threads: 2 })
if (process.env.TAPEHOUSE_BENCH_LAKE === undefined)
  await generate(writer, lake, { seed: 1, days: 1, tickers: 100, tradesPerDay: 100_000 }, () => {})
const snapshot = await loadSnapshot(lake)
const day = snapshot.lastDate('option_trades') ?? ''
const paths = files(snapshot.files('option_trades', { from: day, to: day }).map(({ path }) => path))
const TAPE = 'read_parquet($paths, hive_partitioning = false)'
const tickers = (
  await writer.rows(
    `SELECT underlying_symbol AS ticker FROM ${TAPE} GROUP BY ALL ORDER BY count(*) DESC LIMIT ${CLIENTS}`,
    { paths },
  )
).map(({ ticker }) => String(ticker))

const tokens = join(folder, 'tokens.json')
const token = await createToken(tokens, { name: 'bench', routes: ['*'], owner: null, expiresAt: null })
const main = fileURLToPath(new URL('../src/main.js', import.meta.url))
const server = spawn(
  process.execPath,
  [
    main,
    'serve',
    ...['--lake', lake, '--tokens', tokens, '--port', '0', '--admin-port', '0', '--log-level', 'info'],
    ...['--workers', String(WORKERS), '--replay-speed', String(SPEED)],
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
)
let output = ''
for (const stream of [server.stdout, server.stderr])
  stream.on('data', chunk => {
    output += chunk
  })
const ended = new Promise(resolve => server.once('close', resolve))
while (!/^Serving/m.test(output)) await sleep(50)
const port = Number(/127\.0\.0\.1:(\d+)/.exec(output)?.[1])

interface Client {
  readonly ticker: string
  readonly kind: 'chain_frags' | 'option_trades'
  readonly socket: WebSocket
  /** Messages by the tape's millisecond. */
  readonly heard: Map<number, number>
  /** The first and the last of these. */
  first: number
  last: number
  trouble: string | null
}

const TIMES = { chain_frags: /"tape_time":(\d+)/, option_trades: /"executed_at":(\d+)/ } as const

function open(index: number): Client {
  const kind = index % 2 === 0 ? 'chain_frags' : 'option_trades'
  const ticker = tickers[index % tickers.length] ?? ''
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/socket?token=${token}`)
  const client: Client = { ticker, kind, socket, heard: new Map(), first: Infinity, last: 0, trouble: null }
  socket.on('open', () => socket.send(JSON.stringify({ channel: `${kind}:${ticker}`, msg_type: 'join' })))
  socket.on('message', (data: Buffer) => {
    const said = data.toString('latin1')
    if (said.includes('"status":"error"')) client.trouble = said
    if (!said.startsWith(`["${kind}`)) return
    const at = Number(TIMES[kind].exec(said)?.[1])
    if (!Number.isFinite(at)) return
    client.heard.set(at, (client.heard.get(at) ?? 0) + 1)
    client.first = Math.min(client.first, at)
    client.last = Math.max(client.last, at)
  })
  socket.on('close', (code, reason) => {
    client.trouble ??= `closed with ${code} ${reason}`
  })
  return client
}

const clients = Array.from({ length: CLIENTS }, (_, index) => open(index))
const residentMiB: number[] = []
for (let second = 0; second < SECONDS; second += 5) {
  await sleep(Math.min(5, SECONDS - second) * 1000)
  const pids = [...output.matchAll(/"pid":(\d+),"msg":"worker_started"/g)].map(([, pid]) => pid)
  pids.forEach((pid, index) => {
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    residentMiB[index] = Math.max(residentMiB[index] ?? 0, resident)
  })
}
const troubles = clients.flatMap(({ trouble }) => trouble ?? [])
for (const { socket } of clients) socket.terminate()
server.kill('SIGTERM')
await ended

let heardAll = 0
let lost = 0
let silent = 0
for (const { ticker, kind, heard, first, last } of clients) {
  if (heard.size < 2) {
    silent += 1
    continue
  }
  // The last millisecond may have been cut off.
  const count = [...heard].reduce((sum, [at, messages]) => sum + (at < last ? messages : 0), 0)
  const [row] = await writer.rows(
    `SELECT count(*)::INTEGER AS trades FROM ${TAPE}
     WHERE underlying_symbol = $ticker AND epoch_ms(executed_at) >= ${first} AND epoch_ms(executed_at) < ${last}
       ${kind === 'chain_frags' ? 'AND NOT canceled' : ''}`,
    { paths, ticker: text(ticker) },
  )
  heardAll += count
  lost += Number(row?.trades) - count
}
writer.close()
rmSync(folder, { recursive: true, force: true })

const furthest = clients.reduce((most, { last }) => Math.max(most, last), 0)
const slowest = clients
  .filter(({ heard }) => heard.size > 0)
  .map(({ kind, ticker, last }) => ({ channel: `${kind}:${ticker}`, minutes: (furthest - last) / 60_000 }))
  .toSorted((one, other) => other.minutes - one.minutes)
const tapeMinutes = clients.reduce((most, { first, last }) => Math.max(most, (last - first) / 60_000), 0)
console.log(
  `${CLIENTS} sockets on ${tickers.length} tickers, ${SECONDS} s at ${SPEED} times, ${WORKERS} workers; Node ${process.version}`,
)
console.log(
  `messages heard   ${heardAll} (${Math.round(heardAll / SECONDS)}/s, ${tapeMinutes.toFixed(1)} min of tape)`,
)
console.log(`messages lost    ${lost}`)
console.log(
  `behind at end    ${slowest[slowest.length >> 1]?.minutes.toFixed(1)} min of tape (median), ${slowest[0]?.minutes.toFixed(1)} (most, ${slowest[0]?.channel})`,
)
console.log(`silent sockets   ${silent}`)
console.log(`troubled sockets ${troubles.length}${troubles[0] === undefined ? '' : ` (${troubles[0]})`}`)
console.log(`resident, MiB    ${residentMiB.map(mib => Math.round(mib)).join(' ')} (greatest, by worker)`)
