import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { type Ask, answerTo, httpClient } from '../measure/http.ts'
import { askUs, lakeRows } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import { openLoad, rateOf } from '../measure/rate.ts'
import { PROCESSES, type ServedLake, servedLake } from '../measure/served-lake.ts'
import type { Started } from '../measure/started.ts'
import { emptyRoutes } from '../measure/started-route.ts'
import { REQUESTS } from '../operations/requests.ts'
import type { Circumstances, Measured } from '../section.ts'

const CONNECTIONS = [1, 8, 64]
/**
 * Each server and each route in turn, for a short time: what else happens on a host changes from one second to the next. A turn
 * begins with requests that do not count, since the processors' caches have other data: for 0.03 seconds at a time, an empty route has half its rate.
 */
const ROUNDS = 7
const SETTLE_MS = 50
const ROUND_MS = 100
/**
 * Servers and routes first answer all forms of requests with each number of connections, in turns, until their code is compiled for
 * all of them. What a process has answered before makes a difference: after 10 seconds of one form, a route has up to a quarter more than
 * once it has answered the others, and a server a quarter less. After 40 seconds without requests, V8 has given memory back, and a server can
 * have half its rate for a while.
 */
const WARM_TURNS = 4
const WARM_MS = 150
const TARGET = { atLeast: 0.5 }
/** Operations with a short, a usual and a long answer. */
const OPERATIONS = ['oi-per-expiry', 'analytics-window', 'screener-option-contracts']

/**
 * Repeated answers, whole and as 304, against a Fastify route in one process that answers with as many bytes: requests a
 * second of 1, 8 and 64 connections, each of which sends the next request when it has an answer. Three servers and three processes with
 * routes are measured in turns: one process in about seven takes 1.4 times as long for each answer as long as it lives.
 */
export async function* cachedAnswers({ quick, folder, chosen }: Circumstances): AsyncGenerator<Measured> {
  const lake = await benchLake(folder, quick ? SMALL : DEMO)
  const rows = await lakeRows(lake)
  const servers: ServedLake[] = []
  const routes: Started[] = []
  try {
    for (let time = 0; time < (quick ? 1 : PROCESSES); time += 1)
      servers.push(await servedLake(folder, lake, { workers: 1 }))
    const forms: Form[] = []
    for (const operation of OPERATIONS) {
      const draw = REQUESTS.find(each => each.operation === operation)?.draw ?? ''
      const parameters = (await rows.find(draw))[0] ?? {}
      const whole = await Promise.all(
        servers.map(async ({ port, token }) => ({
          port,
          ...(await answered(port, askUs(operation, parameters, token))),
        })),
      )
      const unchanged = whole.map(({ port, ask, etag }) => ({
        port,
        ask: { ...ask, headers: { ...ask.headers, 'if-none-match': etag } },
      }))
      forms.push({ name: `${operation}, cached`, sides: whole, bytes: whole[0]?.bytes ?? 0 })
      forms.push({ name: `${operation}, 304`, sides: unchanged, bytes: 0 })
    }
    const sizes = new Set(forms.map(({ bytes }) => bytes))
    for (const _ of servers) routes.push(await emptyRoutes(sizes))
    const compared = forms
      .filter(({ name }) => chosen(name))
      .map(
        (form): Compared => ({
          ...form,
          empty: routes.map(({ port }) => ({ port, ask: { path: `/${form.bytes}` } })),
        }),
      )
    const warming = compared.flatMap(({ sides, empty }) =>
      CONNECTIONS.flatMap(connections => [...sides, ...empty].map(side => ({ ...side, connections }))),
    )
    const [turns, warmMs] = quick ? [1, WARM_MS / 5] : [WARM_TURNS, WARM_MS]
    for (let turn = 0; turn < turns; turn += 1)
      for (const { port, ask, connections } of warming) await rateOf(port, [ask], connections, warmMs)
    for (const form of compared)
      for (const connections of CONNECTIONS) yield measured(form, connections, quick ? 1 : ROUNDS)
  } finally {
    rows.close()
    await Promise.all([...servers, ...routes].map(server => server.stop()))
  }
}

/** Requests of which the answers are alike, to each server. */
interface Form {
  readonly name: string
  readonly sides: readonly Side[]
  /** Of the body of an answer. */
  readonly bytes: number
}

interface Compared extends Form {
  /** Requests to as many routes, with answers of as many bytes. */
  readonly empty: readonly Side[]
}

/** The rates of servers and of as many routes. Connections are kept: to hand one to a worker costs as much as several answers. */
async function measured(
  { name, sides, bytes, empty }: Compared,
  connections: number,
  rounds: number,
): Promise<Measured> {
  const rates = { ours: [] as number[], empty: [] as number[] }
  const open = async ({ port, ask }: Side, into: number[]) => ({
    load: await openLoad(port, [ask], connections),
    into,
  })
  const turns = await Promise.all(
    sides.flatMap((side, index) => [open(side, rates.ours), open(empty[index] as Side, rates.empty)]),
  )
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const { load, into } of turns) {
        await load.rateFor(SETTLE_MS)
        into.push(await load.rateFor(ROUND_MS))
      }
  } finally {
    for (const { load } of turns) load.close()
  }
  const [ours, route] = [median(rates.ours), median(rates.empty)]
  return {
    name: `${name}, ${connections} connections`,
    ratio: ours / route,
    target: TARGET,
    details: { 'ours, requests/s': ours, 'empty route, requests/s': route, bytes },
  }
}

/** A request to one server. */
interface Side {
  readonly port: number
  readonly ask: Ask
}

/** The request with the tag and the length of its answer. */
async function answered(port: number, ask: Ask): Promise<{ ask: Ask; etag: string; bytes: number }> {
  const client = httpClient(port, 1)
  const { headers, bytes } = await answerTo(client, ask)
  client.close()
  return { ask, etag: String(headers.etag), bytes: bytes.length }
}
