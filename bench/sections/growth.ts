import type { MarketOptions } from '../../src/lake/generate/market.ts'
import { benchLake } from '../measure/bench-lake.ts'
import { answerTo, httpClient } from '../measure/http.ts'
import { askUs, lakeRows } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import { processorMsOfRequest, untilCompiled, untilIdle } from '../measure/processor-time.ts'
import { PROCESSES, type ServedLake, servedLake } from '../measure/served-lake.ts'
import { fileReads } from '../operations/file-reads.ts'
import type { Circumstances, Measured } from '../section.ts'

const SEED = 1
const TICKERS = 50
const ROUNDS = 5
const ROUND_MS = 300
const QUICK_MS = 100

/** A contract with about as many trades in every lake, so that answers are of one size. */
const CONTRACT = `option_chain_id AS id, $day AS date FROM {option_trades} WHERE date = $day
  GROUP BY option_chain_id ORDER BY abs(count(*) - 200), id LIMIT 1`
const TICKER = 'ticker, $day AS date FROM {option_ticker_days} WHERE date = $day ORDER BY volume DESC LIMIT 1'

/** Operations, and how to find the parameters of a request. */
type Draws = Readonly<Record<string, string>>
const LOOK_UPS: Draws = {
  'contract-flow': `SELECT 100 AS "limit", ${CONTRACT}`,
  'contract-volume-profile': `SELECT ${CONTRACT}`,
  'oi-per-expiry': `SELECT ${TICKER}`,
  'darkpool-price-levels': `SELECT ${TICKER}`,
}
const SCREENER: Draws = {
  'screener-option-contracts': `SELECT 'premium' AS "order", 45 AS max_dte, 10000 AS min_premium, 50 AS "limit"`,
}

interface Kind {
  readonly name: string
  readonly lakes: readonly (Pick<MarketOptions, 'days' | 'tradesPerDay'> & { readonly tickers?: number })[]
  readonly draws: Draws
  readonly atMost: number
  /** Servers of each lake, where the ratio is near its bound. */
  readonly processes?: number
}

const KINDS: readonly Kind[] = [
  {
    name: 'days',
    lakes: [1, 30, 250].map(days => ({ days, tradesPerDay: 20_000 })),
    draws: LOOK_UPS,
    atMost: 1.2,
  },
  {
    name: 'trades a day',
    lakes: [100_000, 1_000_000, 5_000_000, 10_000_000].map(tradesPerDay => ({ days: 1, tradesPerDay })),
    draws: LOOK_UPS,
    atMost: 1.5,
  },
  {
    name: 'contracts',
    lakes: [190, 760].map(tickers => ({ days: 1, tradesPerDay: 100_000, tickers })),
    draws: SCREENER,
    atMost: 1.5,
    processes: PROCESSES,
  },
]
const QUICK: readonly Kind[] = [
  {
    name: 'days',
    lakes: [1, 5].map(days => ({ days, tradesPerDay: 2000 })),
    draws: LOOK_UPS,
    atMost: 1.2,
  },
]

const LABELS: Readonly<Record<string, (lake: Kind['lakes'][number]) => string>> = {
  days: ({ days }) => `${days} days`,
  'trades a day': ({ tradesPerDay }) => `${tradesPerDay.toLocaleString('en-US')} trades a day`,
  contracts: ({ tickers = TICKERS }) => `${tickers} tickers`,
}

interface Side {
  readonly servers: ServedLake[]
  readonly lake: string
  readonly label: string
}

/**
 * The same look-ups in lakes with more days and in lakes with larger days, and the screener with more contracts: processor
 * time in proportion to the smallest lake. Files opened and bytes read are those of an engine that reads Parquet files and
 * has none of them open. The server's engine has one thread, as that of each worker of a server with a worker per core.
 */
export async function* growth({ quick, folder, note, chosen }: Circumstances): AsyncGenerator<Measured> {
  for (const { name, lakes, draws, atMost, processes = 1 } of quick ? QUICK : KINDS) {
    if (!chosen(name)) continue
    const sides: Side[] = []
    try {
      for (const market of lakes) {
        const label = LABELS[name]?.(market) ?? name
        note(`lake of ${label}`)
        const lake = await benchLake(folder, { seed: SEED, tickers: TICKERS, ...market })
        const servers: ServedLake[] = []
        sides.push({ label, lake, servers })
        for (let time = 0; time < processes; time += 1)
          servers.push(await servedLake(folder, lake, { 'cache-mib': 0, workers: 1, threads: 1 }))
      }
      for (const [operation, draw] of Object.entries(draws))
        yield* grown(operation, draw, sides, atMost, quick)
    } finally {
      for (const server of sides.flatMap(({ servers }) => servers)) await server.stop()
    }
  }
}

async function* grown(
  operation: string,
  draw: string,
  sides: readonly Side[],
  atMost: number,
  quick: boolean,
): AsyncGenerator<Measured> {
  const measured = await Promise.all(
    sides.map(async ({ servers, lake, label }) => {
      const rows = await lakeRows(lake)
      const parameters = (await rows.find(draw))[0] ?? {}
      rows.close()
      const reads = await fileReads(lake, operation, parameters)
      const asked = servers.map(server => ({
        server,
        ask: askUs(operation, parameters, server.token),
        client: httpClient(server.port, 1),
      }))
      return { label, reads, asked, times: [] as number[] }
    }),
  )
  for (const { server, client, ask } of measured.flatMap(({ asked }) => asked)) {
    if (quick) await processorMsOfRequest(server, client, [ask], QUICK_MS)
    else await untilCompiled(client, [ask])
    await untilIdle(server)
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { asked, times } of measured)
      for (const { server, client, ask } of asked)
        times.push(await processorMsOfRequest(server, client, [ask], quick ? QUICK_MS : ROUND_MS))
  const [smallest] = measured
  for (const { asked, times, label, reads } of measured) {
    const [first] = asked
    const bytes = first ? (await answerTo(first.client, first.ask)).bytes.length : 0
    for (const { client } of asked) client.close()
    yield {
      name: `${operation}, ${label}`,
      ratio: median(times) / median(smallest?.times ?? []),
      target: { atMost },
      details: {
        'processor ms': median(times),
        'files opened': reads.files,
        'bytes read': reads.bytes,
        'answer, bytes': bytes,
      },
    }
  }
}
