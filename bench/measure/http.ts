import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Ask {
  readonly method?: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface HttpClient {
  send(ask: Ask): Promise<Reply>
  close(): void
}

/**
 * A client of a server on loopback that keeps up to `connections` of them open. A server may close one that has been idle, uvicorn
 * after 5 seconds: a request that is sent at that moment is sent again on another one.
 */
export function httpClient(port: number, connections: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = (ask: Ask): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', path, headers = {}, body } = ask
      const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        )
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const wasClosedIdle = sent.reusedSocket && CLOSED.has(error.code ?? '')
        if (wasClosedIdle) send(ask).then(resolve, reject)
        else reject(error)
      })
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

const CLOSED = new Set(['ECONNRESET', 'EPIPE'])

/** The answer to a request, which is an error if it is not 200. */
export async function answerTo(client: HttpClient, ask: Ask): Promise<Reply> {
  const answer = await client.send(ask)
  if (answer.status !== 200) throw new Error(`${ask.path}: ${answer.status} ${answer.bytes}`)
  return answer
}
