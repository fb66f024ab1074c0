import { once } from 'node:events'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Listening } from '../../../src/api/process/server.ts'
import { openCache } from '../../../src/api/service/answer-cache.ts'
import type { Service } from '../../../src/api/service/service.ts'
import type { Observation } from '../../../src/engine/observation.ts'
import { followLake } from '../../../src/lake/store/follow.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

/** A service that listens, and how many of its requests went through a route. */
interface Way {
  readonly service: TestService
  readonly port: number
  routed: number
}

/** Two services of a lake. The first answers repeated requests without a route; the second has a route for all requests. */
export interface BothWays {
  readonly short: Way
  readonly long: Way
  readonly token: string
  /**
   * Sends bytes to both on a connection each, and returns what each has sent, but for the time of day, once `responses` have come
   * or the connection has ended; and the lines of the log.
   */
  exchange(sent: string, responses?: number): Promise<readonly [Exchanged, Exchanged]>
}

export interface Exchanged {
  readonly received: string
  readonly lines: readonly Partial<Observation>[]
  /** Requests that went through a route. */
  readonly routed: number
}

export async function bothWays(
  lake: string,
  more: () => Partial<Service> = () => ({}),
  listening: Listening = {},
): Promise<BothWays> {
  const folder = folderForTest()
  // An answer that one of them has computed is in the cache of both.
  const shared = { lake: await followLake(lake, () => {}), cache: openCache(32 * 1024 ** 2) }
  const short = await listen(await openService(folder, lake, { ...shared, ...more() }, listening))
  const { grants, token } = short.service
  const long = await listen(await openService(folder, lake, { ...shared, ...more(), grants }, listening))
  long.service.server.server.removeAllListeners('request')
  long.service.server.server.on('request', long.service.server.routing)
  return {
    short,
    long,
    token,
    exchange: async (sent, responses = 1) => [
      await exchangeWith(short, sent, responses),
      await exchangeWith(long, sent, responses),
    ],
  }
}

async function listen(service: TestService): Promise<Way> {
  onTestFinished(() => service.close())
  const { server } = service
  const way = { service, port: 0, routed: 0 }
  const route = server.routing.bind(server)
  Object.assign(server, {
    routing(...request: Parameters<typeof route>) {
      way.routed += 1
      route(...request)
    },
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  way.port = (server.server.address() as AddressInfo).port
  return way
}

async function exchangeWith(way: Way, sent: string, responses: number): Promise<Exchanged> {
  const { service, port, routed } = way
  const before = service.seen.length
  const lines = () => service.seen.slice(before).filter(({ kind }) => kind === 'request')
  const socket = createConnection(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(sent, 'latin1')
  const received = await receive(socket, responses)
  await service.until(() => lines().length >= responses)
  socket.destroy()
  return {
    received: received.replaceAll(/\r\nDate: [^\r]*/g, ''),
    lines: lines().map(line => ({ ...line, durationMs: 0 })),
    routed: way.routed - routed,
  }
}

/** What has arrived once so many responses are complete, or the connection has ended. */
async function receive(socket: Socket, responses: number): Promise<string> {
  let received = ''
  for await (const chunk of socket) {
    received += (chunk as Buffer).toString('latin1')
    if (completeIn(received) >= responses && !/\r\nconnection: close\r\n/i.test(received)) break
  }
  return received
}

function completeIn(received: string): number {
  let complete = 0
  let start = 0
  for (;;) {
    const end = received.indexOf('\r\n\r\n', start)
    if (end === -1) return complete
    const head = received.slice(start, end)
    const length = / 304 /.test(head.slice(0, 14)) ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    start = end + 4 + Number(length ?? Number.POSITIVE_INFINITY)
    if (received.length < start) return complete
    complete += 1
  }
}
