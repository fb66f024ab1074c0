import { type Connections, type Crowding, openConnections } from './connections.ts'
import { openCosts } from './costs.ts'
import { type Counts, openCounts } from './counts.ts'
import { type AdmissionLimits, DEFAULT_LIMITS } from './limits.ts'
import { openRate, type Rate } from './rate.ts'
import { openShares, type Shares } from './shares.ts'
import { openTurns, type Turns } from './turns.ts'
import { openUnread, type Unread } from './unread.ts'

/** What decides in a worker which connections and requests are let in, and when. */
export interface Admission {
  readonly limits: AdmissionLimits
  readonly connections: Connections
  /** Requests in progress of clients and tokens behind trusted proxies. */
  readonly behindProxy: { readonly clients: Counts; readonly tokens: Counts }
  /** Requests per second of a grant; null without a limit. */
  readonly rate: Rate<object> | null
  readonly turns: Turns
  /** Turns to compute pages of long answers, each of which needs one of `turns` too. */
  readonly pageTurns: Turns
  readonly unread: Unread
  readonly longAnswers: Shares
}

/** Limits that are not given are those of `DEFAULT_LIMITS`. */
export function openAdmission(
  given: Partial<AdmissionLimits> = {},
  onCrowded: (what: Crowding) => void = () => {},
): Admission {
  const limits = { ...DEFAULT_LIMITS, ...given }
  return {
    limits,
    connections: openConnections(limits, onCrowded),
    behindProxy: { clients: openCounts(), tokens: openCounts() },
    rate: openRate(limits.ratePerSecond),
    turns: openTurns(limits.turnsMax, limits.waitingMax, openCosts()),
    pageTurns: openTurns(pageTurnsMax(limits), limits.waitingMax, openCosts(), 'pages of long responses'),
    unread: openUnread(limits.unreadBytesMax),
    longAnswers: openShares(limits.longAnswersMax),
  }
}

/** A page takes several times as much memory while it is computed as when it is sent. Therefore half of the turns are for pages. */
const pageTurnsMax = ({ turnsMax }: AdmissionLimits) => Math.max(1, Math.floor(turnsMax / 2))
