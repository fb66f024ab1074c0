import type { Socket } from 'node:net'
import type { SocketEnd } from '../../engine/observation.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import type { Channel } from './channels.ts'
import { type Encoding, heartbeat, response } from './frames.ts'

/** The part of a WebSocket that this module uses. */
export interface Connection {
  readonly bufferedAmount: number
  send(data: Buffer, options: { binary: boolean }): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'message', listener: (data: Buffer | ArrayBuffer | Buffer[], binary: boolean) => void): unknown
  on(event: 'pong', listener: () => void): unknown
  on(event: 'close', listener: (code: number) => void): unknown
}

/** The client at the other end of a socket. */
export interface Client {
  readonly encoding: Encoding
  /** The joined channels by id, with the name that the client used. */
  readonly joined: Map<string, { readonly channel: Channel; readonly name: string }>
  /** Messages of the tape sent so far. */
  readonly sent: number
  /** Whether it can get more than the tape's own rate: it has read most of what was sent, or it does not read at all. */
  canCatchUp(): boolean
  /** Sends a message in the client's encoding. Drops the client if it is too far behind. Does nothing once it is dropped. */
  send(bytes: Buffer): void
  /** Responds to a request; `reason` and `warning` as for `response`. */
  respond(name: string, reason: string | null, warning?: string | null): void
  /** Sends a heartbeat, or drops the client if it has not answered the last one. */
  beat(tapeMs: number | null): void
  /** Closes the connection with a code and a reason, and terminates it after `lingerMs`. */
  drop(end: Exclude<SocketEnd, 'left'>): void
}

const bytesText = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`)

/** Close codes and reasons. RFC 6455, section 7.4, reserves the codes from 4000 for applications. */
const ENDS: Readonly<
  Record<
    Exclude<SocketEnd, 'left'>,
    { readonly code: number; readonly reason: (limits: SocketLimits) => string }
  >
> = {
  slow: {
    code: 1013,
    reason: ({ bufferedBytesMax }) =>
      `fell behind by more than ${bytesText(bufferedBytesMax)}: read faster, or join fewer channels`,
  },
  revoked: { code: 4401, reason: () => 'the token is revoked or has expired' },
  draining: { code: 1001, reason: () => 'the server is shutting down: connect again' },
  unresponsive: { code: 1001, reason: () => 'no answer to the last ping' },
}

/** `raw` is the TCP socket of `connection`. `onDrop` is called once, before the connection is closed. */
export function openClient(
  connection: Connection,
  raw: Socket,
  encoding: Encoding,
  limits: SocketLimits,
  onDrop: (end: Exclude<SocketEnd, 'left'>, code: number) => void,
): Client {
  const binary = { binary: encoding === 'protobuf' }
  let pongReceived = true
  let sent = 0
  /** Bytes written; those that were read when `canCatchUp` last found more than before, and when that was. */
  let written = 0
  let read = Number.NEGATIVE_INFINITY
  let readAt = 0
  let dropped = false
  let corked = false
  connection.on('pong', () => {
    pongReceived = true
  })

  function drop(end: Exclude<SocketEnd, 'left'>): void {
    if (dropped) return
    dropped = true
    const { code, reason } = ENDS[end]
    onDrop(end, code)
    if (end === 'unresponsive') return connection.terminate()
    connection.close(code, reason(limits))
    setTimeout(() => connection.terminate(), limits.lingerMs).unref()
  }

  function write(bytes: Buffer): void {
    if (dropped) return
    // Combines the messages of one turn of the event loop into one write.
    if (!corked) {
      corked = true
      raw.cork()
      process.nextTick(() => {
        corked = false
        raw.uncork()
      })
    }
    connection.send(bytes, binary)
    written += bytes.length
    if (connection.bufferedAmount > limits.bufferedBytesMax) drop('slow')
  }

  return {
    encoding,
    joined: new Map(),
    get sent() {
      return sent
    },
    canCatchUp() {
      const waiting = connection.bufferedAmount
      if (waiting <= limits.catchUpBytesMax) return true
      if (written - waiting > read) {
        read = written - waiting
        readAt = performance.now()
      }
      return performance.now() - readAt > limits.catchUpWaitMs
    },
    send(bytes) {
      if (!dropped) sent += 1
      write(bytes)
    },
    respond: (name, reason, warning = null) => write(response(encoding, name, { reason, warning })),
    beat(tapeMs) {
      if (!pongReceived) return drop('unresponsive')
      pongReceived = false
      if (dropped) return
      connection.ping()
      write(heartbeat(encoding, tapeMs))
    },
    drop,
  }
}
