import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import type { Ask } from './http.ts'

/**
 * Requests per second of so many connections, each of which sends the next request when it has an answer. A client of its
 * own, which costs less than the servers that it measures: it reads no more of an answer than its length.
 */
export async function rateOf(
  port: number,
  asks: readonly Ask[],
  connections: number,
  forMs: number,
): Promise<number> {
  const requests = asks.map(requestText)
  const sockets = Array.from({ length: connections }, () => createConnection(port, '127.0.0.1'))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const started = performance.now()
  let sent = 0
  await Promise.all(
    sockets.map(async socket => {
      socket.setNoDelay()
      const answers = answersOf(socket)
      while (performance.now() - started < forMs) {
        socket.write(requests[sent++ % requests.length] as string)
        if ((await answers.next()).done) throw new Error('the server closed a connection')
      }
      socket.destroy()
    }),
  )
  return (1000 * sent) / (performance.now() - started)
}

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
