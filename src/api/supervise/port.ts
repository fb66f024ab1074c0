import type { Worker } from 'node:cluster'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { descriptorsMax } from '../admission/limits.ts'
import type { ServeConfig } from '../process/config.ts'
import type { SupervisorMessage } from '../process/messages.ts'
import { portFailure } from '../process/port-failure.ts'

/** Time that a connection waits for a worker. After it the connection is reset. */
const WAIT_MS = 15_000
/** Connections that no worker has taken yet, at most. */
const WAITING_MAX = 4096
/** Connections that were sent to a worker and not yet taken, at most. The others stay free for a faster worker. */
const SENT_MAX = 16
const SWEEP_EVERY_MS = 1000

interface Connection {
  readonly id: number
  readonly socket: Socket
  readonly sinceMs: number
}

/** The port of the server. It is open from the start to the end of the supervisor, whether or not workers run. */
export interface Port {
  readonly port: number
  /** Connections that no worker has taken yet. */
  readonly waiting: number
  /** Hands new connections to a worker too. */
  add(worker: Worker): void
  /** Hands no more new connections to a worker. */
  remove(worker: Worker): void
  /** A worker took a connection. */
  taken(worker: Worker, id: number): void
  /** A worker has ended: what it has not taken goes to another one. */
  ended(worker: Worker): void
  close(): void
}

/**
 * Listens, and hands each connection to the workers in turn. The supervisor keeps a connection until its worker says that it
 * took it, so that one on its way to a worker that dies is not lost. It never reads from a connection.
 */
export async function openPort({ host, port }: Pick<ServeConfig, 'host' | 'port'>): Promise<Port> {
  // The others are for the supervisor itself, which needs some to start a worker.
  const waitingMax = Math.min(WAITING_MAX, Math.floor(descriptorsMax() / 2))
  const waiting: Connection[] = []
  const turn: Worker[] = []
  const sent = new Map<number, { readonly worker: Worker; readonly connections: Map<number, Connection> }>()
  let lastId = 0

  const sentTo = (worker: Worker) => {
    const found = sent.get(worker.id) ?? { worker, connections: new Map<number, Connection>() }
    sent.set(worker.id, found)
    return found.connections
  }
  const nextWorker = (): Worker | undefined => {
    const index = turn.findIndex(worker => worker.isConnected() && sentTo(worker).size < SENT_MAX)
    const [worker] = index < 0 ? [] : turn.splice(index, 1)
    if (worker) turn.push(worker)
    return worker
  }
  const handOver = () => {
    while (waiting.length > 0) {
      const worker = nextWorker()
      if (worker === undefined) return
      const connection = waiting.shift()
      if (connection === undefined) return
      sentTo(worker).set(connection.id, connection)
      const { id, sinceMs } = connection
      const message: SupervisorMessage = { kind: 'connection', id, waitedMs: performance.now() - sinceMs }
      // A failure to send means that the worker has ended: `ended` follows.
      worker.send(message, connection.socket, { keepOpen: true }, () => {})
    }
  }
  const countWaiting = () =>
    [...sent.values()].reduce((sum, { connections }) => sum + connections.size, waiting.length)
  const accept = (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    if (countWaiting() >= waitingMax) {
      socket.resetAndDestroy()
      return
    }
    lastId += 1
    waiting.push({ id: lastId, socket, sinceMs: performance.now() })
    handOver()
  }
  const look = () => {
    const overdue = ({ sinceMs }: Connection) => performance.now() - sinceMs > WAIT_MS
    while (waiting[0] && overdue(waiting[0])) waiting.shift()?.socket.resetAndDestroy()
    // A worker without a free descriptor never receives its connection.
    for (const { connections } of sent.values())
      for (const connection of connections.values())
        if (overdue(connection) && connections.delete(connection.id)) connection.socket.resetAndDestroy()
    handOver()
  }

  const servers = await listenAll(host, port, accept)
  const sweep = setInterval(look, SWEEP_EVERY_MS)
  return {
    port: portOf(servers),
    get waiting() {
      return countWaiting()
    },
    add(worker) {
      turn.push(worker)
      handOver()
    },
    remove(worker) {
      const index = turn.indexOf(worker)
      if (index >= 0) turn.splice(index, 1)
    },
    taken(worker, id) {
      const connections = sentTo(worker)
      connections.get(id)?.socket.destroy()
      connections.delete(id)
      handOver()
    },
    ended(worker) {
      waiting.unshift(...(sent.get(worker.id)?.connections.values() ?? []))
      sent.delete(worker.id)
      handOver()
    },
    close() {
      clearInterval(sweep)
      for (const server of servers) server.close()
      for (const { socket } of waiting.splice(0)) socket.destroy()
    },
  }
}

/** One server for each address. Of `localhost`, addresses after the first one are left out where they cannot be used. */
async function listenAll(host: string, port: number, accept: (socket: Socket) => void): Promise<Server[]> {
  const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }]
  const servers: Server[] = []
  for (const { address } of addresses) {
    const server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, accept)
    try {
      server.listen(servers.length === 0 ? port : portOf(servers), address)
      await once(server, 'listening')
      // Accepting fails while no descriptor is free; libuv then closes the connection.
      server.on('error', () => {})
      servers.push(server)
    } catch (thrown) {
      if (servers.length === 0) throw portFailure(thrown, host, port, '--port')
    }
  }
  return servers
}

const portOf = ([server]: readonly Server[]): number => (server?.address() as AddressInfo | null)?.port ?? 0
