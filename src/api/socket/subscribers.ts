import type { Messages } from '../../stream/messages.ts'
import type { Channel } from './channels.ts'
import type { Client } from './client.ts'
import { type Encoding, payloads } from './frames.ts'

/**
 * The clients that have joined one channel, grouped by the channel name that they used and by encoding. The clients of a
 * group share the bytes of each message.
 */
export interface Subscribers {
  readonly size: number
  /** Whether all clients can get more than the tape's own rate. */
  canCatchUp(): boolean
  add(name: string, client: Client): void
  remove(client: Client): void
  /** Sends one row to all clients and returns their number. If the row cannot be encoded, throws and sends to none. */
  deliver(messages: Messages, row: number): number
  /** Sends an error about the channel to all clients. */
  reportError(reason: string): void
}

interface Group {
  readonly name: string
  readonly encoding: Encoding
  readonly write: (messages: Messages, row: number) => Buffer
  readonly clients: Set<Client>
}

export function openSubscribers({ source }: Channel): Subscribers {
  let groups: readonly Group[] = []

  return {
    get size() {
      return groups.reduce((sum, { clients }) => sum + clients.size, 0)
    },
    canCatchUp: () => groups.every(({ clients }) => [...clients].every(client => client.canCatchUp())),
    add(name, client) {
      const { encoding } = client
      const group = groups.find(each => each.name === name && each.encoding === encoding)
      if (group !== undefined) {
        group.clients.add(client)
        return
      }
      const write = payloads(encoding, source.kind, name)
      groups = [...groups, { name, encoding, write, clients: new Set([client]) }]
    },
    remove(client) {
      for (const { clients } of groups) clients.delete(client)
      groups = groups.filter(({ clients }) => clients.size > 0)
    },
    deliver(messages, row) {
      const written = groups.map(({ write, clients }) => ({ bytes: write(messages, row), clients }))
      let sent = 0
      for (const { bytes, clients } of written) {
        sent += clients.size
        for (const client of clients) client.send(bytes)
      }
      return sent
    },
    reportError(reason) {
      for (const { name, clients } of groups) for (const client of clients) client.respond(name, reason)
    },
  }
}
