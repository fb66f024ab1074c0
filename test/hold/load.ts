import { Agent, get } from 'node:http'
import { connect } from 'node:net'

/** One request of a client, with times of the process. `status` is null if it has no response. */
export interface Asked {
  readonly begunMs: number
  readonly endedMs: number
  readonly status: number | null
  readonly error: string | null
}

export interface Load {
  readonly asked: readonly Asked[]
  /** Ends the clients, each after its request. */
  stop(): Promise<readonly Asked[]>
}

/** Sends one request on a connection of its own, or on one of the agent, and reads its response. */
export function ask(
  url: string,
  token: string,
  agent: Agent | false = false,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const begunMs = performance.now()
  return new Promise(resolve => {
    const end = (status: number | null, error: string | null) =>
      resolve({ begunMs, endedMs: performance.now(), status, error })
    const request = get(
      url,
      { agent, headers: { authorization: `Bearer ${token}`, ...headers } },
      response => {
        response.once('error', ({ message }) => end(null, message))
        response.once('end', () => end(response.statusCode ?? null, null))
        response.resume()
      },
    )
    request.once('error', ({ message }) => end(null, message))
  })
}

/** Clients that send one request after another until they are stopped: each on new connections, or on one that is kept. */
export function load(url: string, token: string, clients: number, isKept = false): Load {
  const asked: Asked[] = []
  let isOver = false
  const client = async () => {
    const agent = isKept ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    while (!isOver) asked.push(await ask(url, token, agent))
    if (agent) agent.destroy()
  }
  const running = Array.from({ length: clients }, client)
  return {
    asked,
    async stop() {
      isOver = true
      await Promise.all(running)
      return asked
    },
  }
}

export const failedOf = (asked: readonly Asked[]) => asked.filter(({ status }) => status !== 200)

/** How a response ended: complete, with a reset, or with a regular end of the connection before all of it was there. */
export type Outcome = 'complete' | 'reset' | 'cut'

/** Reads a response from the connection itself, pausing for `pauseMs` after each part. */
export function download(
  port: number,
  head: string,
  isComplete: (bytes: number, tail: string) => boolean,
  pauseMs: number,
): { readonly begun: Promise<void>; readonly outcome: Promise<Outcome> } {
  const connection = connect(port, '127.0.0.1')
  connection.write(head)
  const begun = new Promise<void>(resolve => connection.once('data', () => resolve()))
  const outcome = new Promise<Outcome>(resolve => {
    let bytes = 0
    let tail = ''
    let wasReset = false
    connection.on('data', chunk => {
      bytes += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-8)
      if (pauseMs === 0) return
      connection.pause()
      setTimeout(() => connection.resume(), pauseMs)
    })
    connection.once('error', () => {
      wasReset = true
    })
    connection.once('close', () => resolve(isComplete(bytes, tail) ? 'complete' : wasReset ? 'reset' : 'cut'))
  })
  return { begun, outcome }
}
