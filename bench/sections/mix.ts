import { setTimeout as sleep } from 'node:timers/promises'
import { FORMATS } from '../../src/operations/answering/formats.ts'
import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { type EarlierCommit, type Edit, earlierCommit } from '../measure/earlier-commit.ts'
import { type Ask, type HttpClient, httpClient } from '../measure/http.ts'
import { askUs, lakeRows } from '../measure/lake-rows.ts'
import { median, quantile } from '../measure/medians.ts'
import { memoryMibOf, processorMsBetween, processorUse } from '../measure/process-tree.ts'
import { rateOf, underLoad } from '../measure/rate.ts'
import { type ServedLake, servedLake } from '../measure/served-lake.ts'
import { REQUESTS } from '../operations/requests.ts'
import type { Circumstances, Measured } from '../section.ts'

const CLIENTS = [1, 8, 64]
const WORKERS = 2
/** Requests that come at this part of the rate that the clients reach: the rest is room for chance. */
const LOAD = 0.8
/** Answers within this time are counted as goodput. */
const GOOD_WITHIN_MS = 1000
/** The last commit that made everything of an answer at each request, and how many times its rate is wanted. */
const BEFORE = { commit: 'f1c4c28', atLeast: 4 } as const
/**
 * Its cache cannot be turned off. With two workers, one of 1 MiB in each holds so many of the answers that a request in six was
 * answered from it. One of a byte holds none.
 */
const BEFORE_CACHES_NOTHING: Edit = {
  file: 'src/cli/commands/serve.ts',
  from: 'cacheBytesMax: settings.cacheMib * MEBIBYTE',
  to: 'cacheBytesMax: settings.cacheMib',
}

/**
 * The typical requests of all operations in turn, with 1, 8 and 64 clients: distinct ones, which no cache can answer, and
 * the same ones again and again. The rate is first that of clients that wait for their answers. Then requests come at a
 * steady rate, whether there are answers or not, and the time of an answer counts from when its request was due.
 * The rate of distinct requests, in all formats, is compared with that of an earlier commit, with the same market and settings.
 */
export async function* mixed(circumstances: Circumstances): AsyncGenerator<Measured> {
  const { quick, folder, chosen } = circumstances
  const forMs = quick ? 1000 : 6000
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
  const compared = CLIENTS.map(clients => ({ clients, name: `distinct, ${clients} clients, before` }))
  if (quick || !compared.some(({ name }) => chosen(name))) return
  const before = await earlier(circumstances)
  if (before === null) return
  const flags = { workers: WORKERS, queue: 256 }
  const inAllFormats = (server: ServedLake) =>
    Object.values(FORMATS).flatMap(({ contentType }) =>
      asksOf(server).map(ask => ({ ...ask, headers: { ...ask.headers, accept: contentType } })),
    )
  const us = await servedLake(folder, lake, { ...flags, 'cache-mib': 0 })
  try {
    const them = await servedLake(folder, before.lake, { ...flags, 'cache-mib': 1 }, before.program)
    try {
      const ours = { server: us, asks: inAllFormats(us) }
      const theirs = { server: them, asks: inAllFormats(them) }
      for (let time = 0; time < WARM_TIMES; time += 1)
        for (const { server, asks } of [ours, theirs]) await rateOf(server.port, asks, WARM_CLIENTS, WARM_MS)
      for (const { name, clients } of compared)
        if (chosen(name)) yield await compareRates(name, ours, theirs, clients)
    } finally {
      await them.stop()
    }
  } finally {
    await us.stop()
  }
}

async function earlier({ folder, note }: Circumstances): Promise<EarlierCommit | null> {
  try {
    note(`commit ${BEFORE.commit}: installs, builds and generates`)
    return await earlierCommit(BEFORE.commit, BEFORE_CACHES_NOTHING, folder, DEMO)
  } catch (thrown) {
    note(`NOT MEASURED: commit ${BEFORE.commit}: ${thrown instanceof Error ? thrown.message : thrown}`)
    return null
  }
}

interface Side {
  readonly server: ServedLake
  readonly asks: readonly Ask[]
}

/**
 * The servers are measured in turns, for all requests so many times: each has then answered the same ones, whatever its rate, and a
 * slower minute of the host is one of both.
 */
const ROUNDS = 8
const timesOf = (clients: number) => (clients === 1 ? 1 : 2)
/**
 * Both servers first answer until their copies in memory are made and most of their code is compiled, which takes half a minute.
 * They do so in turns, so that neither has been idle for longer than the other.
 */
const WARM_TIMES = 4
const WARM_CLIENTS = 8
const WARM_MS = 8000
/** Then they answer as many clients as are measured. */
const SETTLE_MS = 3000

/** The requests a second of two servers, in turns, of a client that costs little beside them. */
async function compareRates(name: string, ours: Side, theirs: Side, clients: number): Promise<Measured> {
  const us = { ...ours, rates: [] as number[], memories: [] as number[] }
  const them = { ...theirs, rates: [] as number[], memories: [] as number[] }
  for (const { server, asks } of [us, them]) await rateOf(server.port, asks, clients, SETTLE_MS)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const side of [us, them]) {
      side.rates.push(
        await underLoad(side.server.port, side.asks, clients, load => load.rateOfAll(timesOf(clients))),
      )
      side.memories.push(memoryMibOf(side.server.pid))
    }
  return {
    name,
    ratio: median(us.rates) / median(them.rates),
    target: { atLeast: BEFORE.atLeast },
    details: {
      'ours, requests/s': median(us.rates),
      'before, requests/s': median(them.rates),
      'ours, memory, MiB': median(us.memories),
      'before, memory, MiB': median(them.memories),
    },
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
