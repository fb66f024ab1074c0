import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { onMessage, type WorkerMessage } from './messages.ts'

/** Without a free descriptor, the supervisor never gets a connection. The response then begins nevertheless. */
const SHARE_MS = 2000

/**
 * Shares connections with the supervisor until a response closes. The system ends the connections of a killed process
 * regularly, but not those that another process has too: the supervisor resets them.
 */
export function shareWithSupervisor(
  send: (message: WorkerMessage) => void,
): (connection: Socket, response: ServerResponse) => Promise<void> {
  /** Called when the supervisor has the connection. */
  const waiting = new Map<number, () => void>()
  let lastId = 0
  let turn = Promise.resolve()
  onMessage('shared', ({ id }) => waiting.get(id)?.())

  const share = (connection: Socket, response: ServerResponse) =>
    new Promise<void>(resolve => {
      if (response.destroyed || !process.connected) return resolve()
      lastId += 1
      const id = lastId
      const end = () => {
        clearTimeout(limit)
        waiting.delete(id)
        resolve()
      }
      const limit = setTimeout(end, SHARE_MS)
      waiting.set(id, end)
      response.once('close', () => {
        end()
        send({ kind: 'unshare', id })
      })
      const message: WorkerMessage = { kind: 'share', id }
      withoutServer(connection, () => process.send?.(message, connection, { keepOpen: true }, () => {}))
    })
  // One after the other: a message with a connection that waits for the one before is sent later than `withoutServer` can see.
  return (connection, response) => {
    turn = turn.then(() => share(connection, response))
    return turn
  }
}

/** Node would wait at the end of a server for the copies of its connections in other processes. */
function withoutServer(connection: Socket & { server?: unknown }, send: () => void): void {
  const { server } = connection
  connection.server = null
  send()
  connection.server = server
}
