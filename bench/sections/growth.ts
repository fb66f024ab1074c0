import { readFileSync } from 'node:fs'
import { benchLake } from '../measure/bench-lake.ts'
import { httpClient } from '../measure/http.ts'
import { askUs, lakeRows } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import { treeOf } from '../measure/process-tree.ts'
import { processorMsOfRequest } from '../measure/processor-time.ts'
import { type ServedLake, servedLake } from '../measure/served-lake.ts'
import { REQUESTS } from '../operations/requests.ts'
import type { Circumstances, Measured } from '../section.ts'

const OPERATIONS = ['contract-flow', 'contract-volume-profile', 'oi-per-expiry', 'darkpool-price-levels']
const MARKET = { seed: 1, tickers: 50 }
const ROUNDS = 5

interface Kind {
  readonly name: string
  readonly sizes: readonly { readonly days: number; readonly tradesPerDay: number }[]
  readonly atMost: number
}

const KINDS: readonly Kind[] = [
  { name: 'days', sizes: [1, 30, 250].map(days => ({ days, tradesPerDay: 20_000 })), atMost: 1.2 },
  {
    name: 'trades a day',
    sizes: [100_000, 1_000_000, 5_000_000].map(tradesPerDay => ({ days: 1, tradesPerDay })),
    atMost: 1.5,
  },
]
const QUICK: readonly Kind[] = [
  { name: 'days', sizes: [1, 5].map(days => ({ days, tradesPerDay: 2000 })), atMost: 1.2 },
]

/**
 * The same look-ups in lakes with more days and in lakes with larger days: processor time in proportion to the smallest
 * lake, for 100 trades of a contract and short answers. Bytes read are those of the server's reads for an answer.
 */
export async function* growth({ quick, folder, note, chosen }: Circumstances): AsyncGenerator<Measured> {
  for (const { name, sizes, atMost } of quick ? QUICK : KINDS) {
    if (!chosen(name)) continue
    const sides: { server: ServedLake; lake: string; label: string }[] = []
    try {
      for (const { days, tradesPerDay } of sizes) {
        const label =
          name === 'days' ? `${days} days` : `${tradesPerDay.toLocaleString('en-US')} trades a day`
        note(`lake of ${label}`)
        const lake = await benchLake(folder, { ...MARKET, days, tradesPerDay })
        sides.push({ label, lake, server: await servedLake(folder, lake, { 'cache-mib': 0, workers: 1 }) })
      }
      for (const operation of OPERATIONS) yield* grown(operation, sides, atMost, quick ? 100 : 300)
    } finally {
      for (const { server } of sides) await server.stop()
    }
  }
}

async function* grown(
  operation: string,
  sides: readonly { server: ServedLake; lake: string; label: string }[],
  atMost: number,
  forMs: number,
): AsyncGenerator<Measured> {
  const measured = await Promise.all(
    sides.map(async ({ server, lake, label }) => {
      const rows = await lakeRows(lake)
      const draw = REQUESTS.find(each => each.operation === operation)?.draw ?? ''
      const ask = askUs(operation, (await rows.find(draw))[0] ?? {}, server.token)
      rows.close()
      return { server, label, ask, client: httpClient(server.port, 1), times: [] as number[] }
    }),
  )
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const { server, client, ask, times } of measured) {
      const ms = await processorMsOfRequest(server, client, [ask], forMs)
      // The first round warms up.
      if (round > 0) times.push(ms)
    }
  const [smallest] = measured
  for (const { server, client, ask, times, label } of measured) {
    const bytesBefore = bytesRead(server.pid)
    const { status, bytes } = await client.send(ask)
    if (status !== 200) throw new Error(`${ask.path}: ${status} ${bytes}`)
    const read = bytesRead(server.pid) - bytesBefore
    client.close()
    yield {
      name: `${operation}, ${label}`,
      ratio: median(times) / median(smallest?.times ?? []),
      target: { atMost },
      details: { 'processor ms': median(times), 'bytes read': read, 'answer, bytes': bytes.length },
    }
  }
}

/** Bytes that the processes have read from files and connections so far. */
const bytesRead = (root: number) =>
  treeOf(root).reduce((sum, { id }) => {
    const io = readFileSync(`/proc/${id}/io`, 'utf8')
    return sum + Number(/^rchar: (\d+)/m.exec(io)?.[1] ?? 0)
  }, 0)
