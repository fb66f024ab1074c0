import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '../../src/engine/engine.ts'
import { openInstance } from '../../src/engine/instance.ts'
import { dataset } from '../../src/lake/store/datasets.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { type Ask, answerTo, type HttpClient, httpClient } from '../measure/http.ts'
import { askUs, lakeRows, type Parameters } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import {
  processorMsOfRequest,
  processorMsOfRun,
  untilCompiled,
  untilIdle,
} from '../measure/processor-time.ts'
import { PROCESSES, type ServedLake, servedLake } from '../measure/served-lake.ts'
import { emptyRoutes } from '../measure/started-route.ts'
import { openBest } from '../operations/best.ts'
import { REQUESTS } from '../operations/requests.ts'
import { bareRun, statementsOf } from '../operations/statements.ts'
import type { Circumstances, Measured } from '../section.ts'

const ENGINE = { threads: 1, memoryBytesMax: 1024 ** 3, temporaryBytesMax: 1024 ** 3 }
const TARGET = { atMost: 1.25 }
const EMPTY_BYTES = 1000
const EMPTY = [{ path: `/${EMPTY_BYTES}` }]
const WARM_UP = 5

/**
 * Each operation against its floor: the same statements in the bare engine, as kept prepared statements with the same
 * encoder, and a Fastify route that does nothing. Then against the best statements that are known over native tables. Processor
 * time of a request, nothing cached, one thread, one client.
 */
export async function* operationFloors(circumstances: Circumstances): AsyncGenerator<Measured> {
  const { quick, folder, chosen } = circumstances
  const [rounds, forMs] = quick ? [1, 50] : [5, 150]
  const lake = await benchLake(folder, quick ? SMALL : DEMO)
  const temporaryDirectory = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
  const snapshot = await loadSnapshot(lake)
  const rows = await lakeRows(lake)
  const instance = await openInstance({ ...ENGINE, directories: [lake, tmpdir()], temporaryDirectory })
  const connection = await instance.connect()
  const bestStatements = await openBest(connection)
  const engine = await openEngine({ ...ENGINE, lake, leasesMax: 1, queueMax: 8, schemaOf: dataset }, () => {})
  const servers: { server: ServedLake; client: HttpClient }[] = []
  const route = await emptyRoutes([EMPTY_BYTES])
  const routeClient = httpClient(route.port, 1)
  try {
    // Warm before it is measured: the first answers compile.
    await processorMsOfRequest(route, routeClient, EMPTY, 500)
    const empty = await processorMsOfRequest(route, routeClient, EMPTY, 1000)
    for (let time = 0; time < (quick ? 1 : PROCESSES); time += 1) {
      const server = await servedLake(folder, lake, { 'cache-mib': 0, workers: 1, threads: 1 })
      servers.push({ server, client: httpClient(server.port, 1) })
    }
    const requests: { name: string; operation: string; parameters: Parameters; sides: Side[] }[] = []
    for (const { operation, form, draw } of REQUESTS) {
      const name = `${operation}, ${form}`
      const parameters = (await rows.find(draw))[0] ?? {}
      const sides = (form === 'heavy' ? servers : servers.slice(0, 1)).map(({ server, client }) => ({
        server,
        client,
        ask: askUs(operation, parameters, server.token),
      }))
      if (chosen(name)) requests.push({ name, operation, parameters, sides })
    }
    for (let time = 0; time < (quick ? 3 : 15); time += 1)
      for (const { sides } of requests) for (const { client, ask } of sides) await client.send(ask)
    for (const { server } of servers) await untilIdle(server)
    for (const { name, operation, parameters, sides } of requests) {
      const [bytes = 0] = await Promise.all(sides.map(bytesOf))
      const asked = await statementsOf(operation, parameters, snapshot, engine)
      const bare = await bareRun(asked, engine, connection)
      const best = await bestStatements.prepare(asked, engine)
      for (let time = 0; time < WARM_UP; time += 1)
        await Promise.all([...sides.map(({ client, ask }) => client.send(ask)), bare(), best()])
      if (!quick) await Promise.all(sides.map(({ client, ask }) => untilCompiled(client, [ask])))
      const taken: { ours: number[]; bare: number; best: number }[] = []
      for (let round = 0; round < rounds; round += 1) {
        const ours: number[] = []
        for (const side of sides) ours.push(await processorMsOf(side, forMs))
        taken.push({
          ours,
          bare: await processorMsOfRun(bare, forMs),
          best: await processorMsOfRun(best, forMs),
        })
      }
      const ours = median(taken.flatMap(each => each.ours))
      const compared = (what: string, statement: number) => ({
        ratio: ours / (statement + empty),
        details: {
          'ours, processor ms': ours,
          [`${what} statement, processor ms`]: statement,
          'empty route, processor ms': empty,
          bytes,
        },
      })
      yield { name, target: TARGET, ...compared('bare', median(taken.map(each => each.bare))) }
      yield { name: `${name}, best`, ...compared('best', median(taken.map(each => each.best))) }
    }
  } finally {
    for (const { client } of servers) client.close()
    routeClient.close()
    await Promise.all([...servers.map(({ server }) => server.stop()), route.stop(), engine.close()])
    rows.close()
    connection.closeSync()
    instance.closeSync()
    rmSync(temporaryDirectory, { recursive: true, force: true })
  }
}

/** A request to one of our servers. */
interface Side {
  readonly server: ServedLake
  readonly client: HttpClient
  readonly ask: Ask
}

const processorMsOf = ({ server, client, ask }: Side, forMs: number) =>
  processorMsOfRequest(server, client, [ask], forMs)

/** The number of bytes of an answer. */
async function bytesOf({ client, ask }: Side): Promise<number> {
  return (await answerTo(client, ask)).bytes.length
}
