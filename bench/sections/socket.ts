import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { files, text } from '../../src/engine/bind.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { median } from '../measure/medians.ts'
import { servedTape } from '../measure/served-tape.ts'
import type { Circumstances, Measured } from '../section.ts'

/**
 * Opens many sockets to `serve`, each with one channel of one ticker, and measures the messages received and lost, the
 * delay of the slowest client relative to the fastest one, and the resident memory of the workers.
 * Clients use different tickers as far as there
 * are enough, and alternate between `chain_frags:T` and `option_trades:T`. DuckDB counts the messages that a client should
 * have received between its first and its last one.
 */
const CLIENTS = 200
const SPEED = 60
const WORKERS = 2

const TAPE = 'read_parquet($paths, hive_partitioning = false)'

interface Client {
  readonly ticker: string
  readonly kind: 'chain_frags' | 'option_trades'
  readonly socket: WebSocket
  /** Number of messages by millisecond of the tape. */
  readonly received: Map<number, number>
  /** The first and the last of these milliseconds. */
  first: number
  last: number
  trouble: string | null
}

const TIMES = { chain_frags: /"tape_time":(\d+)/, option_trades: /"executed_at":(\d+)/ } as const

function open(address: string, tickers: readonly string[], index: number): Client {
  const kind = index % 2 === 0 ? 'chain_frags' : 'option_trades'
  const ticker = tickers[index % tickers.length] ?? ''
  const socket = new WebSocket(address)
  const client: Client = {
    ticker,
    kind,
    socket,
    received: new Map(),
    first: Infinity,
    last: 0,
    trouble: null,
  }
  socket.on('open', () => socket.send(JSON.stringify({ channel: `${kind}:${ticker}`, msg_type: 'join' })))
  socket.on('message', (data: Buffer) => {
    const message = data.toString('latin1')
    if (message.includes('"status":"error"')) client.trouble = message
    if (!message.startsWith(`["${kind}`)) return
    const at = Number(TIMES[kind].exec(message)?.[1])
    if (!Number.isFinite(at)) return
    client.received.set(at, (client.received.get(at) ?? 0) + 1)
    client.first = Math.min(client.first, at)
    client.last = Math.max(client.last, at)
  })
  socket.on('close', (code, reason) => {
    client.trouble ??= `closed with ${code} ${reason}`
  })
  return client
}

export async function* sockets({ quick, folder: kept }: Circumstances): AsyncGenerator<Measured> {
  const seconds = quick ? 10 : 60
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
  const lake = await benchLake(kept, quick ? SMALL : { ...DEMO, days: 1, tickers: 100 })
  const writer = await openWriter({ directories: [folder, lake], threads: 2 })
  const snapshot = await loadSnapshot(lake)
  const day = snapshot.lastDate('option_trades') ?? ''
  const paths = files(snapshot.files('option_trades', { from: day, to: day }).map(({ path }) => path))
  const tickers = (
    await writer.rows(
      `SELECT underlying_symbol AS ticker FROM ${TAPE} GROUP BY ALL ORDER BY count(*) DESC LIMIT ${CLIENTS}`,
      { paths },
    )
  ).map(({ ticker }) => String(ticker))

  const server = await servedTape(folder, lake, { workers: WORKERS, speed: SPEED })

  const clients = Array.from({ length: CLIENTS }, (_, index) => open(server.address, tickers, index))
  const residentMiB: number[] = []
  for (let second = 0; second < seconds; second += 5) {
    await sleep(Math.min(5, seconds - second) * 1000)
    const pids = [...server.output().matchAll(/"pid":(\d+),"msg":"worker_started"/g)].map(([, pid]) => pid)
    pids.forEach((pid, index) => {
      const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
      residentMiB[index] = Math.max(residentMiB[index] ?? 0, resident)
    })
  }
  const troubles = clients.flatMap(({ trouble }) => trouble ?? [])
  for (const { socket } of clients) socket.terminate()
  await server.stop()

  let receivedAll = 0
  let lost = 0
  let silent = 0
  for (const { ticker, kind, received, first, last } of clients) {
    if (received.size < 2) {
      silent += 1
      continue
    }
    // The last millisecond may be incomplete.
    const count = [...received].reduce((sum, [at, messages]) => sum + (at < last ? messages : 0), 0)
    const [row] = await writer.rows(
      `SELECT count(*)::INTEGER AS trades FROM ${TAPE}
       WHERE underlying_symbol = $ticker AND epoch_ms(executed_at) >= ${first} AND epoch_ms(executed_at) < ${last}
         ${kind === 'chain_frags' ? 'AND NOT canceled' : ''}`,
      { paths, ticker: text(ticker) },
    )
    receivedAll += count
    lost += Number(row?.trades) - count
  }
  writer.close()
  rmSync(folder, { recursive: true, force: true })

  const furthest = clients.reduce((most, { last }) => Math.max(most, last), 0)
  const minutesBehind = clients
    .filter(({ received }) => received.size > 0)
    .map(({ last }) => (furthest - last) / 60_000)
  yield {
    name: `${CLIENTS} sockets, ${SPEED} times real time`,
    details: {
      'messages/s': Math.round(receivedAll / seconds),
      'lost messages': lost,
      'median delay, min of tape': median(minutesBehind),
      'longest delay, min of tape': Math.max(...minutesBehind),
      'silent sockets': silent,
      'failed sockets': troubles[0] === undefined ? 0 : `${troubles.length} (${troubles[0]})`,
      'resident by worker, MiB': residentMiB.map(mib => Math.round(mib)).join(' '),
    },
  }
}
