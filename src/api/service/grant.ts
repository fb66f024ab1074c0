import { statSync } from 'node:fs'
import { Failure, firstLine } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { digestOf, readTokens, type StoredToken } from './token-file.ts'

/** What a route pattern can match: an operation, or a channel. The path of a channel is that of the socket. */
export interface Routed {
  /** `analytics-window`, `stream.option_trades`, `stream.chain_frags.AAPL`. */
  readonly id: string
  readonly path: string
}

/** The permissions of a valid token. */
export interface Grant {
  readonly name: string
  readonly owner: string | null
  /** May see the alerts of all owners. */
  readonly admin: boolean
  allows(route: Routed): boolean
  /** Whether it can allow any route whose id starts with this id, or any route with this path. */
  reaches(route: Routed): boolean
}

export interface Grants {
  /** The grant of a token, or null if it is unknown, revoked or expired. */
  find(token: string): Grant | null
  /** Whether the token of a grant that was found is still valid. */
  isValid(grant: Grant): boolean
  close(): void
}

const CHECK_EVERY_MS = 400

/**
 * Follows a tokens file: a new token is valid at once, any other change takes effect within half a second. Throws `tokens_unreadable` if the file is unreadable
 * at the start. If it becomes unreadable later, the tokens stay as they were and the problem is reported.
 */
export function followTokens(path: string, observe: Observe): Grants {
  let loadedVersion = ''
  let byDigest = new Map<string, Grant>()
  /** Milliseconds since 1970-01-01 UTC. The grants of tokens that are no longer in the file are not among them. */
  let expiries = new Map<Grant, number>()

  const reload = () => {
    const version = versionOf(path)
    if (version === loadedVersion) return
    const tokens = readTokens(path)
    byDigest = new Map()
    expiries = new Map()
    for (const token of tokens) {
      const grant = grantOf(token)
      byDigest.set(token.digest, grant)
      expiries.set(grant, expiryOf(token))
    }
    loadedVersion = version
    observe({ kind: 'tokens_loaded', tokens: tokens.length })
  }

  reload()
  let reported = ''
  const check = () => {
    try {
      reload()
      reported = ''
    } catch (thrown) {
      const reason = thrown instanceof Failure ? thrown.message : firstLine(thrown)
      if (reason !== reported) observe({ kind: 'tokens_refused', reason })
      reported = reason
    }
  }
  const timer = setInterval(check, CHECK_EVERY_MS)
  timer.unref()

  const isValid = (grant: Grant) => (expiries.get(grant) ?? 0) > Date.now()

  return {
    find(token) {
      const digest = digestOf(token)
      // A token that is not known may have been created since the last check.
      if (!byDigest.has(digest)) check()
      const found = byDigest.get(digest)
      return found !== undefined && isValid(found) ? found : null
    },
    isValid,
    close: () => clearInterval(timer),
  }
}

/** The grant of a stored token. Its patterns are compiled once. */
function grantOf({ name, owner, admin = false, routes }: StoredToken): Grant {
  const patterns = routes.map(matcher)
  return {
    name,
    owner,
    admin,
    allows: route => patterns.some(isMatch => isMatch(route)),
    reaches: route => routes.some(pattern => mayMatch(pattern, route)),
  }
}

/** Milliseconds since 1970-01-01 UTC from which on a token is not valid. */
const expiryOf = ({ expires_at }: StoredToken) =>
  expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)

/** A text that changes whenever the file changes, is created or removed. */
function versionOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.size}` : 'none'
}

/** Whether a pattern matches an operation or a channel: by path if the pattern starts with a slash, else by id. */
export const matches = (pattern: string, route: Routed): boolean => matcher(pattern)(route)

/** `matches` of one pattern, for many routes. */
function matcher(pattern: string): (route: Routed) => boolean {
  const parts = pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const compiled = new RegExp(`^${parts.join('.*')}$`)
  const isOfPaths = pattern.startsWith('/')
  // The path of an operation is made when it is read.
  return route => compiled.test(isOfPaths ? route.path : route.id)
}

/** Whether a pattern can match an id that starts with the route's id, judging by the text before its first `*`. */
function mayMatch(pattern: string, route: Routed): boolean {
  if (pattern.startsWith('/')) return matches(pattern, route)
  const [head = '', ...rest] = pattern.split('*')
  return head.startsWith(route.id) || (rest.length > 0 && route.id.startsWith(head))
}
