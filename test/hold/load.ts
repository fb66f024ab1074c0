import { Agent, get } from 'node:http'

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
