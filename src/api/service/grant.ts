import { statSync } from 'node:fs'
import { Failure, firstLine } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { digestOf, readTokens, type StoredToken } from './token-file.ts'

/** What a route pattern can mean: an operation, or a channel of the socket, whose path is the socket's. */
export interface Routed {
  /** `analytics-window`, `stream.option_trades`, `stream.chain_frags.AAPL`. */
  readonly id: string
  readonly path: string
}

/** What a valid token may do. */
export interface Grant {
  readonly name: string
  readonly owner: string | null
  /** Sees the alerts of all owners. */
  readonly admin: boolean
  allows(route: Routed): boolean
  /** Whether it may allow anything whose id starts so, or that has the path. */
  reaches(route: Routed): boolean
}

export interface Grants {
  /** The grant of a token, or null if it is unknown, revoked or expired. */
  find(token: string): Grant | null
  close(): void
}

const LOOK_EVERY_MS = 400

/**
 * Follows a tokens file: a change counts within half a second. A file that turns unreadable leaves the tokens as they
 * were, and is observed; at the start it is refused.
 */
export function followTokens(path: string, observe: Observe): Grants {
  let seen = ''
  let byDigest = new Map<string, StoredToken>()

  const look = () => {
    const mark = markOf(path)
    if (mark === seen) return
    const tokens = readTokens(path)
    byDigest = new Map(tokens.map(token => [token.digest, token]))
    seen = mark
    observe({ kind: 'tokens_loaded', tokens: tokens.length })
  }

  look()
  let refused = ''
  const timer = setInterval(() => {
    try {
      look()
      refused = ''
    } catch (thrown) {
      const reason = thrown instanceof Failure ? thrown.message : firstLine(thrown)
      if (reason !== refused) observe({ kind: 'tokens_refused', reason })
      refused = reason
    }
  }, LOOK_EVERY_MS)
  timer.unref()

  return {
    find(token) {
      const stored = byDigest.get(digestOf(token))
      if (!stored || (stored.expires_at !== null && Date.parse(stored.expires_at) <= Date.now())) return null
      return {
        name: stored.name,
        owner: stored.owner,
        admin: stored.admin ?? false,
        allows: route => stored.routes.some(pattern => matches(pattern, route)),
        reaches: route => stored.routes.some(pattern => mayMatch(pattern, route)),
      }
    },
    close: () => clearInterval(timer),
  }
}

/** What changes whenever the file does; a file that is not there is a state like any other. */
function markOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.size}` : 'none'
}

/** Whether a route pattern means an operation or a channel: by its id, or by its path where it starts with a slash. */
export function matches(pattern: string, { id, path }: Routed): boolean {
  const parts = pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(pattern.startsWith('/') ? path : id)
}

/** Whether a pattern can mean anything whose id starts with the route's, going by what stands before its first `*`. */
function mayMatch(pattern: string, route: Routed): boolean {
  if (pattern.startsWith('/')) return matches(pattern, route)
  const [head = '', ...rest] = pattern.split('*')
  return head.startsWith(route.id) || (rest.length > 0 && route.id.startsWith(head))
}
