import type { ServerResponse } from 'node:http'
import { openCounts } from './counts.ts'

/** A connection of a worker. */
export interface Held {
  readonly close: () => void
  /** The address of the client; null for a trusted proxy, whose connections carry the requests of many clients. */
  readonly peer: string | null
  /** Whether it has had a request with a valid token. */
  isKnown: boolean
  /** The token that it counts against. */
  token: string | null
  /** Its latest response. */
  last: ServerResponse | null
  /** Requests that wait for the response before them. */
  waiting: number
  usedAt: number
}

/** What happens to a connection where a limit is reached: another one is closed, or the new one is. */
export type Crowding = 'closed' | 'refused' | 'refused_peer'

/** The connections of a worker, by what they count against. */
export interface Connections {
  /** Counts a connection until it is released. Makes room for it; returns null if there is none. */
  take(peer: string | null, close: () => void): Held | null
  /** Notes a request with a valid token. Returns false if the token has too many connections. */
  use(held: Held, token: string): boolean
  release(held: Held): void
  readonly size: number
}

export interface ConnectionLimits {
  readonly connectionsMax: number
  readonly peerConnectionsMax: number
  readonly tokenConnectionsMax: number
}

const isIdle = ({ last, waiting }: Held) =>
  waiting === 0 && (last === null || last.writableFinished || last.destroyed)

/**
 * Counts the connections of a worker. Where a limit is reached, another connection makes room for a new one: the oldest that
 * never had a valid token, one without a request before others, or else that without a request which was used the longest
 * time ago.
 */
export function openConnections(limits: ConnectionLimits, onCrowded: (what: Crowding) => void): Connections {
  const all = new Set<Held>()
  /** Those that never had a valid token, oldest first. */
  const unknown = new Set<Held>()
  const peers = openCounts()
  const tokens = openCounts()

  function release(held: Held): void {
    if (!all.delete(held)) return
    unknown.delete(held)
    peers.add(held.peer, -1)
    tokens.add(held.token, -1)
  }

  /** Closes a connection; one of `peer`, unless that is null. Returns whether there was one that may be closed. */
  function makeRoom(peer: string | null): boolean {
    const isOf = (held: Held) => peer === null || held.peer === peer
    const fits = (held: Held) => isOf(held) && isIdle(held)
    // Without a token there are only refusals and the documentation: a client may leave those unread.
    const found = firstOf(unknown, fits) ?? firstOf(unknown, isOf) ?? longestUnused(all, fits)
    if (found === null) return false
    release(found)
    onCrowded('closed')
    found.close()
    return true
  }

  return {
    take(peer, close) {
      if (peer !== null && peers.of(peer) >= limits.peerConnectionsMax && !makeRoom(peer)) {
        onCrowded('refused_peer')
        return null
      }
      if (all.size >= limits.connectionsMax && !makeRoom(null)) {
        onCrowded('refused')
        return null
      }
      const held = {
        close,
        peer,
        isKnown: false,
        token: null,
        last: null,
        waiting: 0,
        usedAt: performance.now(),
      }
      all.add(held)
      unknown.add(held)
      peers.add(peer, 1)
      return held
    },
    use(held, token) {
      if (held.token === token) return true
      if (!held.isKnown) {
        held.isKnown = true
        unknown.delete(held)
      }
      if (held.peer === null) return true
      if (tokens.of(token) >= limits.tokenConnectionsMax) return false
      tokens.add(held.token, -1)
      tokens.add(token, 1)
      held.token = token
      return true
    },
    release,
    get size() {
      return all.size
    },
  }
}

function firstOf(connections: ReadonlySet<Held>, fits: (held: Held) => boolean): Held | null {
  for (const held of connections) if (fits(held)) return held
  return null
}

function longestUnused(connections: ReadonlySet<Held>, fits: (held: Held) => boolean): Held | null {
  let found: Held | null = null
  for (const held of connections)
    if ((found === null || held.usedAt < found.usedAt) && fits(held)) found = held
  return found
}
