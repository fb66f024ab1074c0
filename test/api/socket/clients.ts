import type { AddressInfo } from 'node:net'
import { fromBinary } from '@bufbuild/protobuf'
import { Registry } from 'prom-client'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { countObservations } from '../../../src/api/metrics/metrics.ts'
import type { SocketLimits } from '../../../src/api/service/socket-limits.ts'
import { createToken } from '../../../src/api/service/token-file.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Observation } from '../../../src/engine/observation.ts'
import { type Frame, FrameSchema } from '../../../src/stream/tapehouse_pb.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { openService } from '../../fixtures/service.ts'

/** Servers with a socket and a lake of one day, whose wall clock the test sets, and clients that record their messages. */

/** 9:30 to 16:00 and the next interval take 6.6 s at this speed, so no message is due after 7 s. */
export const SPEED = 3600
export const DAY_OVER_MS = 7000

/** Shorter than the time limit of a test, so that a failure names the missing response. */
export const ANSWERED_WITHIN_MS = 5000
const CLOSED_WITHIN_MS = 8000
/** Time limit of a condition. Only a failing test reaches it, so that it suits a busy machine. */
const UNTIL_MS = 60_000

/** A lake of one day of 5 tickers with some 3000 option trades. Only to be read. */
export const oneDay = (): Promise<string> => sharedMarket('day')

export interface SocketServer {
  readonly port: number
  readonly engine: Engine
  /** A token with all permissions. */
  readonly token: string
  readonly tokensFile: string
  readonly seen: Observation[]
  /** Sets the wall clock of the replay to this time after its start. */
  elapse(wallMs: number): void
  /** Creates a token for some routes, and waits until the server has loaded it. */
  grant(name: string, routes: readonly string[], expiresAt?: Date): Promise<string>
  metrics(): Promise<string>
  close(): Promise<void>
}

export interface SocketServerOptions {
  readonly date?: string
  readonly speed?: number
  readonly limits?: Partial<SocketLimits>
}

/** A server whose tape stays at its beginning until `elapse`. */
export async function socketServer(
  folder: string,
  lakeFolder: string,
  { date, speed = SPEED, limits = {} }: SocketServerOptions = {},
): Promise<SocketServer> {
  const registry = new Registry()
  const begunMs = Date.now()
  let nowMs = begunMs
  const service = await openService(folder, lakeFolder, {
    replay: { date: date ?? null, begunMs, speed, now: () => nowMs },
    socketLimits: { tickMs: 10, lingerMs: 500, grantCheckMs: 100, ...limits },
    observe: countObservations(registry, () => ({ running: 0, queued: 0 })),
  })
  const { server, engine, grants, token, tokensFile, seen } = service
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  let closed = false
  return {
    port,
    engine,
    token,
    tokensFile,
    seen,
    elapse(wallMs) {
      nowMs = begunMs + wallMs
    },
    async grant(name, routes, expiresAt) {
      const made = await createToken(tokensFile, { name, routes, owner: null, expiresAt: expiresAt ?? null })
      await service.until(() => grants.find(made) !== null)
      return made
    },
    metrics: () => registry.metrics(),
    async close() {
      if (closed) return
      closed = true
      await service.close()
    },
  }
}

/** A JSON message: `[name, payload]`. */
export type Message = readonly [name: string, payload: Record<string, unknown>]

export interface SocketClient {
  readonly socket: WebSocket
  /** The parsed JSON messages so far, or the frames so far, decoded by another library than the server's encoder. */
  readonly received: Message[]
  readonly frames: Frame[]
  readonly protocol: string
  /** Close code and reason. Rejects if the socket is still open after some seconds. */
  closed(): Promise<readonly [code: number, reason: string]>
  send(message: unknown): void
  /** Joins a channel and waits for the response. */
  join(name: string): Promise<void>
  /** Messages of a channel, without responses. */
  data(name: string): Record<string, unknown>[]
  /** Waits until the condition holds. */
  until(condition: () => boolean): Promise<void>
}

export interface ConnectOptions {
  readonly token?: string
  readonly protocols?: readonly string[]
  readonly autoPong?: boolean
}

/** Opens a socket with the token in the query. Rejects if the server rejects it. It is closed at the end of the test. */
export async function connect(
  { port, token: own }: Pick<SocketServer, 'port' | 'token'>,
  { token = own, protocols = [], autoPong = true }: ConnectOptions = {},
): Promise<SocketClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/socket?token=${token}`, [...protocols], {
    autoPong,
    handshakeTimeout: ANSWERED_WITHIN_MS,
  })
  const received: Message[] = []
  const frames: Frame[] = []
  socket.on('message', (bytes: Buffer, binary) => {
    if (binary) frames.push(fromBinary(FrameSchema, bytes))
    else received.push(JSON.parse(bytes.toString()))
  })
  let end: readonly [code: number, reason: string] | null = null
  socket.once('close', (code, reason) => {
    end = [code, reason.toString()]
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  onTestFinished(() => socket.terminate())
  const until = (condition: () => boolean) =>
    vi.waitFor(
      () => {
        if (!condition()) throw new Error(`never true: ${condition}`)
      },
      { timeout: UNTIL_MS, interval: 10 },
    )
  const closed = () =>
    vi.waitFor(
      () => {
        if (end === null) throw new Error(`the socket is still open ${CLOSED_WITHIN_MS / 1000} s later`)
        return end
      },
      { timeout: CLOSED_WITHIN_MS, interval: 10 },
    )
  const send = (message: unknown) =>
    socket.send(
      typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message),
    )
  return {
    socket,
    received,
    frames,
    protocol: socket.protocol,
    closed,
    send,
    async join(name) {
      const answers = () =>
        received.filter(([of, payload]) => of === name && 'status' in payload).length +
        frames.filter(({ channel, payload }) => channel === name && payload.case === 'response').length
      const before = answers()
      send({ channel: name, msg_type: 'join' })
      await until(() => answers() > before)
    },
    data: name =>
      received.flatMap(([of, payload]) => (of === name && !('response' in payload) ? [payload] : [])),
    until,
  }
}
