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

/** A client of a server on loopback that keeps up to `connections` of them open. */
export function httpClient(port: number, connections: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: ({ method = 'GET', path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
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
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** The answer to a request, which is an error if it is not 200. */
export async function answerTo(client: HttpClient, ask: Ask): Promise<Reply> {
  const answer = await client.send(ask)
  if (answer.status !== 200) throw new Error(`${ask.path}: ${answer.status} ${answer.bytes}`)
  return answer
}
