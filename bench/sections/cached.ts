import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { type Ask, httpClient } from '../measure/http.ts'
import { askUs, lakeRows } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import { rateOf } from '../measure/rate.ts'
import { servedLake } from '../measure/served-lake.ts'
import { emptyRoute } from '../measure/started-route.ts'
import { REQUESTS } from '../operations/requests.ts'
import type { Circumstances, Measured } from '../section.ts'

const CONNECTIONS = [1, 8, 64]
const ROUNDS = 5
/** Both servers first answer until their code is compiled, with so many connections. */
const WARM_CONNECTIONS = 8
const TARGET = { atLeast: 0.5 }
/** Operations with a short, a usual and a long answer. */
const OPERATIONS = ['oi-per-expiry', 'analytics-window', 'screener-option-contracts']

/**
 * Repeated answers, whole and as 304, against a Fastify route in one process that answers with as many bytes: requests a
 * second of 1, 8 and 64 connections, each of which sends the next request when it has an answer.
 */
export async function* cachedAnswers(circumstances: Circumstances): AsyncGenerator<Measured> {
  const { quick, folder, chosen } = circumstances
  const forMs = quick ? 100 : 500
  const warmMs = quick ? 100 : 1500
  const lake = await benchLake(folder, quick ? SMALL : DEMO)
  const rows = await lakeRows(lake)
  const server = await servedLake(folder, lake, { workers: 1 })
  try {
    for (const operation of OPERATIONS) {
      const draw = REQUESTS.find(each => each.operation === operation)?.draw ?? ''
      const ask = askUs(operation, (await rows.find(draw))[0] ?? {}, server.token)
      const client = httpClient(server.port, 1)
      const whole = await client.send(ask)
      client.close()
      if (whole.status !== 200) throw new Error(`${ask.path}: ${whole.status} ${whole.bytes}`)
      const unchanged = { ...ask, headers: { ...ask.headers, 'if-none-match': String(whole.headers.etag) } }
      const forms: readonly [string, Ask, number][] = [
        [`${operation}, cached`, ask, whole.bytes.length],
        [`${operation}, 304`, unchanged, 0],
      ]
      for (const [form, repeated, bytes] of forms) if (chosen(form)) yield* against(form, repeated, bytes)
    }
  } finally {
    rows.close()
    await server.stop()
  }

  async function* against(form: string, ask: Ask, bytes: number): AsyncGenerator<Measured> {
    const route = await emptyRoute(bytes)
    try {
      await rateOf(server.port, [ask], WARM_CONNECTIONS, warmMs)
      await rateOf(route.port, [{ path: '/' }], WARM_CONNECTIONS, warmMs)
      for (const connections of CONNECTIONS) {
        const ours: number[] = []
        const empty: number[] = []
        for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
          ours.push(await rateOf(server.port, [ask], connections, forMs))
          empty.push(await rateOf(route.port, [{ path: '/' }], connections, forMs))
        }
        yield {
          name: `${form}, ${connections} connections`,
          ratio: median(ours) / median(empty),
          target: TARGET,
          details: { 'ours, requests/s': median(ours), 'empty route, requests/s': median(empty), bytes },
        }
      }
    } finally {
      await route.stop()
    }
  }
}
