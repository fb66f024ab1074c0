import { Failure } from '../../engine/failure.ts'
import type { Costs } from './costs.ts'
import {
  activeLanes,
  expectedWait,
  isBusy,
  isWithin,
  type Lane,
  longestLane,
  nextLane,
  openLane,
  type Waiting,
} from './lanes.ts'

/** Who asks for a turn, and for what. */
export interface Asking {
  readonly token: string
  readonly operation: string
  /** Time that the request may take, its wait included. */
  readonly deadlineMs: number
  /** Whether it continues an answer that has begun. It then waits, however many others do. */
  readonly follows: boolean
}

/** Turns to compute. Those who wait get them in a fair order. */
export interface Turns {
  /**
   * Runs `work` when it is the turn of the request. Rejects with `overloaded` if the request would wait too long, and with the
   * reason of the signal if it aborts first.
   */
  run<T>(asking: Asking, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /**
   * Notes a connection that had waited for this long until the worker could take it. Of those that wait, the worker takes one per
   * pass of its event loop. After one that waited long, it computes a single answer at a time for a moment, so that passes are
   * short, and those whose requests have no place are refused soon.
   */
  connected(waitedMs: number): void
  /** Why a request of a token could not wait for a turn now; null if it could. Costs less than to prepare the request first. */
  refusal(token: string, deadlineMs: number): Failure | null
  /** Whether tokens other than this one have requests, or had some a moment ago. */
  isShared(token: string): boolean
  readonly running: number
  readonly waiting: number
}

/** Time that a connection may wait, before the worker favours taking connections. */
const CONNECTION_WAIT_MS = 500
/** How long it does so after each such connection. */
const FAVOUR_MS = 100

/** The part of its deadline that a request may be expected to wait. The rest is for its query. */
const WAIT_PART = 0.8

/**
 * At most `turnsMax` turns at once, and `waitingMax` requests that wait for one.
 *
 * Each token with requests is a lane. While several are active, each of them may use its share of the turns at once, and what
 * exceeds its share waits. Of the lanes that wait, the one that has used the least time is next: fair queuing by measured
 * cost, with the expected time at the start of a turn, corrected at its end.
 */
export function openTurns(
  turnsMax: number,
  waitingMax: number,
  costs: Costs,
  /** What is computed, for messages. */
  what = 'requests',
  now = performance.now.bind(performance),
): Turns {
  const lanes = new Map<string, Lane>()
  let running = 0
  let waiting = 0
  /** The used time of the lane that had the latest turn: a lane that becomes active begins there. */
  let usedBefore = 0

  /** Runs while connections are favoured. */
  let favour: NodeJS.Timeout | null = null
  const turnsNow = () => (favour === null ? turnsMax : 1)

  const laneOf = (token: string) => {
    const lane = lanes.get(token) ?? openLane(usedBefore)
    lanes.set(token, lane)
    if (lane.running + lane.waiting.length === 0) lane.used = Math.max(lane.used, usedBefore)
    return lane
  }

  function begin(lane: Lane, cost: number): void {
    running += 1
    lane.running += 1
    usedBefore = Math.max(usedBefore, lane.used)
    lane.used += cost
  }

  function end(lane: Lane, operation: string, cost: number, ms: number): void {
    running -= 1
    lane.running -= 1
    lane.used += ms - cost
    lane.activeAt = now()
    costs.note(operation, ms)
    grantNext()
  }

  function grantNext(): void {
    while (waiting > 0 && running < turnsNow()) {
      const lane = nextLane(activeLanes(lanes, now()), turnsNow())
      const next = lane?.waiting.shift()
      if (lane === null || next === undefined) return
      waiting -= 1
      begin(lane, next.cost)
      next.grant()
    }
  }

  const busy = (why: string) =>
    new Failure('overloaded', `the worker computes ${turnsMax} ${what} at once, and ${why}`)

  /** Why a request of a lane cannot wait; null if it can. Where all places are taken, one of a longer lane becomes free. */
  function refusalOf(lane: Lane, deadlineMs: number): Failure | null {
    const waitMs = expectedWait(lane, activeLanes(lanes, now()).length, turnsMax)
    if (waitMs > deadlineMs * WAIT_PART)
      return busy(`the requests before this one take ${Math.round(waitMs)} ms longer`)
    const longest = waiting < waitingMax ? null : longestLane(lanes)
    return waiting < waitingMax || (longest !== null && longest.waiting.length > lane.waiting.length + 1)
      ? null
      : busy(`${waitingMax} requests are waiting already`)
  }

  /** Refuses the latest request of the longest lane, if all places are taken. */
  function makeRoom(): void {
    if (waiting < waitingMax) return
    waiting -= 1
    longestLane(lanes)
      ?.waiting.pop()
      ?.refuse(busy(`${waitingMax} requests are waiting already`))
  }

  function wait(
    lane: Lane,
    cost: number,
    { deadlineMs, follows }: Asking,
    signal: AbortSignal,
  ): Promise<void> {
    if (!follows) {
      const refusal = refusalOf(lane, deadlineMs)
      if (refusal !== null) throw refusal
      makeRoom()
    }
    return new Promise((resolve, reject) => {
      const settle = () => signal.removeEventListener('abort', abort)
      const entry: Waiting = {
        cost,
        grant: () => {
          settle()
          resolve()
        },
        refuse: reason => {
          settle()
          reject(reason)
        },
      }
      const abort = () => {
        lane.waiting.splice(lane.waiting.indexOf(entry), 1)
        waiting -= 1
        reject(signal.reason)
      }
      lane.waiting.push(entry)
      waiting += 1
      signal.addEventListener('abort', abort, { once: true })
      grantNext()
    })
  }

  return {
    connected(waitedMs) {
      if (waitedMs <= CONNECTION_WAIT_MS) return
      favour ??= setTimeout(() => {
        favour = null
        grantNext()
      }, FAVOUR_MS).unref()
      favour.refresh()
    },
    refusal(token, deadlineMs) {
      const lane = lanes.get(token)
      return lane === undefined || lane.waiting.length === 0 ? null : refusalOf(lane, deadlineMs)
    },
    isShared(token) {
      const nowMs = now()
      for (const [other, lane] of lanes) if (other !== token && isBusy(lane, nowMs)) return true
      return false
    },
    async run(asking, signal, work) {
      signal.throwIfAborted()
      const { token, operation } = asking
      const lane = laneOf(token)
      lane.activeAt = now()
      const cost = costs.of(operation)
      const isFree = running < turnsNow() && lane.waiting.length === 0
      if (isFree && isWithin(lane, activeLanes(lanes, now()), turnsNow())) begin(lane, cost)
      else await wait(lane, cost, asking, signal)
      const begunAt = now()
      try {
        return await work()
      } finally {
        end(lane, operation, cost, now() - begunAt)
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}
