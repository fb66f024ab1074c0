import type { Socket } from 'node:net'
import type { SocketEnd } from '../../engine/observation.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import type { Channel } from './channels.ts'
import { type Encoding, heartbeat, response } from './frames.ts'

/** What of a WebSocket is used here. */
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

/** A socket's one client. */
export interface Client {
  readonly encoding: Encoding
  /** Channels joined, by id, each with the name that the client calls it. */
  readonly joined: Map<string, { readonly channel: Channel; readonly name: string }>
  /** Messages of the tape sent so far. */
  readonly sent: number
  /** Sends bytes made for its encoding. A client that has fallen behind is dropped instead. */
  send(bytes: Buffer): void
  /** Answers a message of the client's; `reason` as for `response`. */
  respond(name: string, reason: string | null): void
  /** Says that the server lives, and drops a client that has not answered the last time. */
  beat(tapeMs: number | null): void
  /** Drops the client: it is told why if it still reads, and cut off after a while. */
  drop(end: Exclude<SocketEnd, 'left'>): void
}

const bytesText = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`)

/** Close codes and reasons, by why a client is dropped. RFC 6455, section 7.4; codes from 4000 on are an application's own. */
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
  draining: { code: 1001, reason: () => 'the server goes away: connect again' },
  unresponsive: { code: 1001, reason: () => 'no answer to the last ping' },
}

/** `raw` is what `connection` writes to; `dropped` is told once, before the client hears of it. */
export function openClient(
  connection: Connection,
  raw: Socket,
  encoding: Encoding,
  limits: SocketLimits,
  dropped: (end: Exclude<SocketEnd, 'left'>, code: number) => void,
): Client {
  const binary = { binary: encoding === 'protobuf' }
  let answered = true
  let sent = 0
  let over = false
  let corked = false
  connection.on('pong', () => {
    answered = true
  })

  function drop(end: Exclude<SocketEnd, 'left'>): void {
    if (over) return
    over = true
    const { code, reason } = ENDS[end]
    dropped(end, code)
    if (end === 'unresponsive') return connection.terminate()
    connection.close(code, reason(limits))
    setTimeout(() => connection.terminate(), limits.lingerMs).unref()
  }

  function write(bytes: Buffer): void {
    if (over) return
    // What one turn of the event loop sends goes out in one write.
    if (!corked) {
      corked = true
      raw.cork()
      process.nextTick(() => {
        corked = false
        raw.uncork()
      })
    }
    connection.send(bytes, binary)
    if (connection.bufferedAmount > limits.bufferedBytesMax) drop('slow')
  }

  return {
    encoding,
    joined: new Map(),
    get sent() {
      return sent
    },
    send(bytes) {
      if (!over) sent += 1
      write(bytes)
    },
    respond: (name, reason) => write(response(encoding, name, reason)),
    beat(tapeMs) {
      if (!answered) return drop('unresponsive')
      answered = false
      if (over) return
      connection.ping()
      write(heartbeat(encoding, tapeMs))
    },
    drop,
  }
}
