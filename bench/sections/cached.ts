import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { type Ask, answerTo, httpClient } from '../measure/http.ts'
import { askUs, lakeRows } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import { WARM_MS } from '../measure/processor-time.ts'
import { rateOf } from '../measure/rate.ts'
import { PROCESSES, type ServedLake, servedLake } from '../measure/served-lake.ts'
import { emptyRoute } from '../measure/started-route.ts'
import { REQUESTS } from '../operations/requests.ts'
import type { Circumstances, Measured } from '../section.ts'

const CONNECTIONS = [1, 8, 64]
const ROUNDS = 2
/**
 * Each server and each route first answers until its code is compiled, with so many connections. After 1.5 seconds alone, both send a tenth
 * less than after 4. Later, a server that sends answers of another form has less to compile.
 */
const WARM_CONNECTIONS = 8
const COMPILED_MS = 4000
const TARGET = { atLeast: 0.5 }
/** Operations with a short, a usual and a long answer. */
const OPERATIONS = ['oi-per-expiry', 'analytics-window', 'screener-option-contracts']

/**
 * Repeated answers, whole and as 304, against a Fastify route in one process that answers with as many bytes: requests a
 * second of 1, 8 and 64 connections, each of which sends the next request when it has an answer. Three servers and three routes
 * are measured in turns: one process in about seven takes 1.4 times as long for each answer as long as it lives.
 */
export async function* cachedAnswers(circumstances: Circumstances): AsyncGenerator<Measured> {
  const { quick, folder, chosen } = circumstances
  const forMs = quick ? 100 : 500
  const warmMs = quick ? 100 : WARM_MS
  const compiledMs = quick ? 100 : COMPILED_MS
  const processes = quick ? 1 : PROCESSES
  const lake = await benchLake(folder, quick ? SMALL : DEMO)
  const rows = await lakeRows(lake)
  const servers: ServedLake[] = []
  let isCompiled = false
  try {
    for (let time = 0; time < processes; time += 1)
      servers.push(await servedLake(folder, lake, { workers: 1 }))
    for (const operation of OPERATIONS) {
      const draw = REQUESTS.find(each => each.operation === operation)?.draw ?? ''
      const parameters = (await rows.find(draw))[0] ?? {}
      const sides = await Promise.all(
        servers.map(async ({ port, token }) => ({
          port,
          ...(await answered(port, askUs(operation, parameters, token))),
        })),
      )
      const [{ bytes } = { bytes: 0 }] = sides
      if (chosen(`${operation}, cached`)) yield* against(`${operation}, cached`, sides, bytes)
      const unchanged = sides.map(({ port, ask, etag }) => ({
        port,
        ask: { ...ask, headers: { ...ask.headers, 'if-none-match': etag } },
      }))
      if (chosen(`${operation}, 304`)) yield* against(`${operation}, 304`, unchanged, 0)
    }
  } finally {
    rows.close()
    await Promise.all(servers.map(server => server.stop()))
  }

  async function* against(form: string, sides: readonly Side[], bytes: number): AsyncGenerator<Measured> {
    const routes = await Promise.all(sides.map(() => emptyRoute(bytes)))
    try {
      const empties = routes.map(({ port }): Side => ({ port, ask: { path: '/' } }))
      await warm(sides, isCompiled ? warmMs : compiledMs)
      isCompiled = true
      await warm(empties, compiledMs)
      for (const connections of CONNECTIONS) {
        const ours: number[] = []
        const empty: number[] = []
        for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1)
          for (const [index, side] of sides.entries()) {
            const route = empties[index] as Side
            ours.push(await rateOf(side.port, [side.ask], connections, forMs))
            empty.push(await rateOf(route.port, [route.ask], connections, forMs))
          }
        yield {
          name: `${form}, ${connections} connections`,
          ratio: median(ours) / median(empty),
          target: TARGET,
          details: { 'ours, requests/s': median(ours), 'empty route, requests/s': median(empty), bytes },
        }
      }
    } finally {
      await Promise.all(routes.map(route => route.stop()))
    }
  }
}

async function warm(sides: readonly Side[], forMs: number): Promise<void> {
  for (const { port, ask } of sides) await rateOf(port, [ask], WARM_CONNECTIONS, forMs)
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
