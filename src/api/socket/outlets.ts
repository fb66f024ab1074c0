import type { Messages } from '../../stream/messages.ts'
import type { Channel } from './channels.ts'
import type { Client } from './client.ts'
import { type Encoding, payloads } from './frames.ts'

/** The clients of one channel, by the name that they call it and by encoding: those alike share each message's bytes. */
export interface Outlets {
  readonly size: number
  add(name: string, client: Client): void
  remove(client: Client): void
  /** Sends one row to all, and gives to how many. Throws, having sent it to none, where a row has no form. */
  deliver(messages: Messages, row: number): number
  /** Tells all that something is wrong with the channel. */
  tell(reason: string): void
}

interface Outlet {
  readonly name: string
  readonly encoding: Encoding
  readonly write: (messages: Messages, row: number) => Buffer
  readonly clients: Set<Client>
}

export function openOutlets({ source }: Channel): Outlets {
  let outlets: readonly Outlet[] = []

  return {
    get size() {
      return outlets.reduce((sum, { clients }) => sum + clients.size, 0)
    },
    add(name, client) {
      const alike = outlets.find(each => each.name === name && each.encoding === client.encoding)
      if (alike !== undefined) {
        alike.clients.add(client)
        return
      }
      const { encoding } = client
      const write = payloads(encoding, source.kind, name)
      outlets = [...outlets, { name, encoding, write, clients: new Set([client]) }]
    },
    remove(client) {
      for (const { clients } of outlets) clients.delete(client)
      outlets = outlets.filter(({ clients }) => clients.size > 0)
    },
    deliver(messages, row) {
      const written = outlets.map(({ write, clients }) => ({ bytes: write(messages, row), clients }))
      let sent = 0
      for (const { bytes, clients } of written) {
        sent += clients.size
        for (const client of clients) client.send(bytes)
      }
      return sent
    },
    tell(reason) {
      for (const { name, clients } of outlets) for (const client of clients) client.respond(name, reason)
    },
  }
}
