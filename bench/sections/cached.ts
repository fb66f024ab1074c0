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
 * Servers and routes first answer until their code is compiled, with so many connections. After 1.5 seconds alone, both send a tenth
 * less than after 4, and what was measured first after 4 was a quarter below what was measured later. Then answers of another form have less to compile.
 * They do so in turns: after 40 seconds without requests, V8 has given memory back, and a server has half its rate for a while.
 */
const WARM_CONNECTIONS = 8
const WARM_TURN_MS = 500
const WARM_TURNS = { first: 20, later: 1 }
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
    let warmTurns = quick ? 1 : WARM_TURNS.first
    for (const form of forms.filter(({ name }) => chosen(name))) {
      const empty = routes.map(({ port }): Side => ({ port, ask: { path: `/${form.bytes}` } }))
      for (let turn = 0; turn < warmTurns; turn += 1)
        for (const { port, ask } of [...form.sides, ...empty])
          await rateOf(port, [ask], WARM_CONNECTIONS, quick ? ROUND_MS : WARM_TURN_MS)
      warmTurns = WARM_TURNS.later
      for (const connections of CONNECTIONS) yield compared(form, empty, connections, quick ? 1 : ROUNDS)
    }
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

/** The rates of servers and of as many routes. Connections are kept: to hand one to a worker costs as much as several answers. */
async function compared(
  { name, sides, bytes }: Form,
  empty: readonly Side[],
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
