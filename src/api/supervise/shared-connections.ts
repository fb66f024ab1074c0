import type { Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import { sendTo } from './address.ts'

/**
 * Connections whose end is the end of a response, while their workers send it. The system ends the connections of a killed
 * worker as if its responses were complete, but not those that this process has too.
 */
export interface SharedConnections {
  /** A worker is about to send such a response. */
  add(worker: Worker, id: number, connection: Socket): void
  /** The response has closed: its worker has ended the connection, or reset it. */
  remove(worker: Worker, id: number): void
  /** A worker has ended: resets what it had begun. */
  ended(worker: Worker): void
  /** Resets all, before the workers are killed. */
  breakAll(): void
}

export function shareConnections(): SharedConnections {
  const shared = new Map<number, Map<number, Socket>>()
  const ended = ({ id }: Worker) => {
    for (const connection of shared.get(id)?.values() ?? []) connection.resetAndDestroy()
    shared.delete(id)
  }
  return {
    add(worker, id, connection) {
      // What the client sends or ends is the matter of the worker.
      connection.allowHalfOpen = true
      connection.on('error', () => {})
      const connections = shared.get(worker.id) ?? new Map<number, Socket>()
      shared.set(worker.id, connections.set(id, connection))
      // The last message of a killed worker can come after its end.
      if (worker.isDead()) ended(worker)
      else sendTo(worker, { kind: 'shared', id })
    },
    remove(worker, id) {
      const connections = shared.get(worker.id)
      connections?.get(id)?.destroy()
      connections?.delete(id)
    },
    ended,
    breakAll() {
      for (const connections of shared.values())
        for (const connection of connections.values()) connection.resetAndDestroy()
      shared.clear()
    },
  }
}
