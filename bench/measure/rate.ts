import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import type { Ask } from './http.ts'

/** Connections to a server, each of which sends the next request when it has an answer. */
export interface Load {
  /** Requests per second, in turn from the first one on, for so long. */
  rateFor(ms: number): Promise<number>
  /** Requests per second of all of them, so many times. */
  rateOfAll(times: number): Promise<number>
  close(): void
}

/** A client of its own, which costs less than the servers that it measures: it reads no more of an answer than its length. */
export async function openLoad(port: number, asks: readonly Ask[], connections: number): Promise<Load> {
  const requests = asks.map(requestText)
  const sockets = Array.from({ length: connections }, () => createConnection(port, '127.0.0.1').setNoDelay())
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const sides = sockets.map(socket => ({ socket, answers: answersOf(socket) }))

  async function rate(isDue: (sent: number, passedMs: number) => boolean): Promise<number> {
    const started = performance.now()
    let sent = 0
    await Promise.all(
      sides.map(async ({ socket, answers }) => {
        while (isDue(sent, performance.now() - started)) {
          socket.write(requests[sent++ % requests.length] as string)
          if ((await answers.next()).done) throw new Error('the server closed a connection')
        }
      }),
    )
    return (1000 * sent) / (performance.now() - started)
  }

  return {
    rateFor: ms => rate((_sent, passedMs) => passedMs < ms),
    rateOfAll: times => rate(sent => sent < times * requests.length),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** What `measure` measures of new connections. */
export async function underLoad(
  port: number,
  asks: readonly Ask[],
  connections: number,
  measure: (load: Load) => Promise<number>,
): Promise<number> {
  const load = await openLoad(port, asks, connections)
  try {
    return await measure(load)
  } finally {
    load.close()
  }
}

/** Requests per second of so many new connections. */
export const rateOf = (
  port: number,
  asks: readonly Ask[],
  connections: number,
  forMs: number,
): Promise<number> => underLoad(port, asks, connections, load => load.rateFor(forMs))

function requestText({ path, headers = {} }: Ask): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Yields when an answer has arrived, of which there is one at a time. */
async function* answersOf(socket: Socket): AsyncGenerator<void> {
  let missing: number | null = null
  let head = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (missing === null) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf(HEAD_END)
      if (end === -1) continue
      missing = lengthOf(head.toString('latin1', 0, end)) - (head.length - end - HEAD_END.length)
    } else missing -= chunk.length
    if (missing > 0) continue
    missing = null
    head = Buffer.alloc(0)
    yield
  }
}

function lengthOf(head: string): number {
  const status = head.slice(9, 12)
  if (status === '304') return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (status !== '200' || length === undefined) throw new Error(`not a 200 with a length: ${head}`)
  return Number(length)
}
