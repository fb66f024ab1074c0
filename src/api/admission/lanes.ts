/** A request that waits for its turn. */
export interface Waiting {
  /** Expected milliseconds of its turn. */
  readonly cost: number
  readonly grant: () => void
  readonly refuse: (reason: Error) => void
}

/** The requests of a token. */
export interface Lane {
  running: number
  readonly waiting: Waiting[]
  /** Milliseconds of turns, on a clock that all lanes share. The one with the least is next. */
  used: number
  /** When it last had a request. */
  activeAt: number
}

/** Time without a request after which a lane has no share. */
const ACTIVE_MS = 1000

/** The time in which a client sends its next request after a response. */
const NEXT_MS = 20

export const openLane = (used: number): Lane => ({ running: 0, waiting: [], used, activeAt: 0 })

/** The lanes with requests, now or shortly before. Forgets the others. */
export function activeLanes(lanes: Map<string, Lane>, nowMs: number): Lane[] {
  const active: Lane[] = []
  for (const [token, lane] of lanes) {
    if (lane.running + lane.waiting.length > 0 || nowMs - lane.activeAt < ACTIVE_MS) active.push(lane)
    else lanes.delete(token)
  }
  return active
}

/** Whether a lane has requests, or had one a moment ago. */
export const isBusy = ({ running, waiting, activeAt }: Lane, nowMs: number): boolean =>
  running + waiting.length > 0 || nowMs - activeAt < NEXT_MS

/** Turns at once that each of `active` lanes can rely on. */
const shareOf = (active: number, turnsMax: number) => Math.max(1, Math.floor(turnsMax / Math.max(1, active)))

/** Whether a lane may begin another turn: one of its share, or one that is left when all have theirs. */
export function isWithin(lane: Lane, active: readonly Lane[], turnsMax: number): boolean {
  const share = shareOf(active.length, turnsMax)
  if (lane.running < share) return true
  const left = turnsMax - share * active.length
  const beyond = active.reduce((sum, { running }) => sum + Math.max(0, running - share), 0)
  return beyond < left
}

/** The lane that begins the next turn; null if none that waits may. */
export function nextLane(active: readonly Lane[], turnsMax: number): Lane | null {
  let next: Lane | null = null
  for (const lane of active) {
    if (lane.waiting.length === 0 || (next !== null && lane.used >= next.used)) continue
    if (isWithin(lane, active, turnsMax)) next = lane
  }
  return next
}

/** The lane with the most requests that wait; null if there are none. */
export function longestLane(lanes: ReadonlyMap<string, Lane>): Lane | null {
  let longest: Lane | null = null
  for (const lane of lanes.values()) if (lane.waiting.length > (longest?.waiting.length ?? 0)) longest = lane
  return longest
}

/** Milliseconds until a new request of a lane would have its turn, if the others use their shares. */
export function expectedWait({ waiting }: Lane, active: number, turnsMax: number): number {
  const before = waiting.reduce((sum, { cost }) => sum + cost, 0)
  return before / shareOf(active, turnsMax)
}
