import { setTimeout as sleep } from 'node:timers/promises'
import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { type Ask, type HttpClient, httpClient } from '../measure/http.ts'
import { askUs, lakeRows } from '../measure/lake-rows.ts'
import { quantile } from '../measure/medians.ts'
import { memoryMibOf, processorMsBetween, processorUse } from '../measure/process-tree.ts'
import { type ServedLake, servedLake } from '../measure/served-lake.ts'
import { REQUESTS } from '../operations/requests.ts'
import type { Circumstances, Measured } from '../section.ts'

const CLIENTS = [1, 8, 64]
const WORKERS = 2
/** Requests that come at this part of the rate that the clients reach: the rest is room for chance. */
const LOAD = 0.8
/** Answers within this time are counted as goodput. */
const GOOD_WITHIN_MS = 1000

/**
 * The typical requests of all operations in turn, with 1, 8 and 64 clients: distinct ones, which no cache can answer, and
 * the same ones again and again. The rate is first that of clients that wait for their answers. Then requests come at a
 * steady rate, whether there are answers or not, and the time of an answer counts from when its request was due.
 */
export async function* mixed({ quick, folder, chosen }: Circumstances): AsyncGenerator<Measured> {
  const forMs = quick ? 1000 : 8000
  const lake = await benchLake(folder, quick ? SMALL : DEMO)
  const rows = await lakeRows(lake)
  const typical = REQUESTS.filter(({ form }) => form === 'typical')
  const parameters = await Promise.all(typical.map(async ({ draw }) => (await rows.find(draw))[0] ?? {}))
  rows.close()
  const asksOf = ({ token }: ServedLake) =>
    typical.map(({ operation }, index) => askUs(operation, parameters[index] ?? {}, token))
  for (const [form, flags] of [
    ['distinct', { 'cache-mib': 0 }],
    ['repeated', {}],
  ] as const) {
    const server = await servedLake(folder, lake, { workers: WORKERS, queue: 256, ...flags })
    try {
      const asks = asksOf(server)
      for (const clients of CLIENTS) {
        const name = `${form}, ${clients} clients`
        if (chosen(name)) yield await loaded(name, server, asks, clients, forMs)
      }
    } finally {
      await server.stop()
    }
  }
}

async function loaded(
  name: string,
  server: ServedLake,
  asks: readonly Ask[],
  clients: number,
  forMs: number,
): Promise<Measured> {
  const client = httpClient(server.port, clients)
  // Once each, so that what is made at first is made.
  for (const ask of asks) await client.send(ask)
  const before = processorUse(server.pid)
  const closed = await closedLoop(client, asks, clients, forMs)
  const processorMs = processorMsBetween(before, processorUse(server.pid)) / closed.sent
  const open = await openLoop(client, asks, (closed.sent / closed.ms) * LOAD, forMs)
  client.close()
  const good = open.times.filter(ms => ms <= GOOD_WITHIN_MS).length
  return {
    name,
    details: {
      'requests/s': (1000 * closed.sent) / closed.ms,
      'processor ms': processorMs,
      'goodput/s': (1000 * good) / open.ms,
      'p50, ms': quantile(open.times, 0.5),
      'p99, ms': quantile(open.times, 0.99),
      'not 200': closed.failed + open.failed,
      'memory, MiB': memoryMibOf(server.pid),
    },
  }
}

async function closedLoop(client: HttpClient, asks: readonly Ask[], clients: number, forMs: number) {
  const started = performance.now()
  let sent = 0
  let failed = 0
  const send = async () => {
    while (performance.now() - started < forMs) {
      const { status } = await client.send(asks[sent++ % asks.length] as Ask)
      if (status !== 200) failed += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, send))
  return { sent, failed, ms: performance.now() - started }
}

/** Sends requests at a steady rate per millisecond. A request that finds no free connection waits. */
async function openLoop(client: HttpClient, asks: readonly Ask[], rate: number, forMs: number) {
  const started = performance.now()
  const times: number[] = []
  const pending: Promise<void>[] = []
  let failed = 0
  for (let sent = 0; sent / rate < forMs; sent += 1) {
    const due = started + sent / rate
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
    pending.push(
      client.send(asks[sent % asks.length] as Ask).then(({ status }) => {
        if (status === 200) times.push(performance.now() - due)
        else failed += 1
      }),
    )
  }
  await Promise.all(pending)
  return { times, failed, ms: performance.now() - started }
}
