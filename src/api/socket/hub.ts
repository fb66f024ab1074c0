import type { Socket } from 'node:net'
import { type Position, positionAt, type Replay } from '../service/replay-clock.ts'
import type { Service } from '../service/service.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import { openBroadcasts } from './broadcasts.ts'
import type { Channel } from './channels.ts'
import type { Connection } from './client.ts'
import { type Member, type Opened, openMember, recheckGrant } from './member.ts'
import { openSlices } from './slices.ts'

/** All sockets of a worker. */
export interface SocketHub {
  readonly full: boolean
  open(connection: Connection, raw: Socket, opened: Opened): void
  /** Closes every socket. Resolves when all of them are closed or terminated. */
  close(): Promise<void>
}

export function openHub(service: Service, replay: Replay, limits: SocketLimits): SocketHub {
  const { grants, observe } = service
  const slices = openSlices(service, replay, limits)
  const now = replay.now ?? Date.now
  const broadcasts = openBroadcasts({ slices, replay, limits, now, observe })
  const members = new Set<Member>()
  let onEmpty: (() => void) | null = null

  const position = (): Position | null =>
    slices.known === null ? null : positionAt(slices.known, replay, now())

  /** The feeds of channels report errors, and the next call tries again. */
  const follow = () => slices.follow().catch(() => {})

  /** Alerts are few, whatever the day has. */
  function warning({ source, ticker }: Channel): string | null {
    const perSecond = Math.ceil((slices.trades(ticker).ofBusiestMinute / 60) * replay.speed)
    if (source.kind === 'flow_alerts' || perSecond <= limits.warnedPerSecond) return null
    return `up to ${perSecond} messages per second at ${replay.speed} times real time, and a client that falls behind is disconnected: join channels of single tickers, or replay more slowly`
  }

  const tasks = periodically([
    [() => broadcasts.advance(position()), limits.tickMs],
    [
      () => {
        void follow()
        broadcasts.reportSent()
        for (const member of [...members]) recheckGrant(member, grants, broadcasts)
      },
      limits.grantCheckMs,
    ],
    [
      () => {
        const at = position()
        for (const { client } of [...members]) client.beat(at === null ? null : Math.floor(at.tapeMs))
      },
      limits.heartbeatMs,
    ],
  ])

  function onClose(member: Member): void {
    members.delete(member)
    if (members.size > 0) return
    tasks.stop()
    onEmpty?.()
  }

  return {
    get full() {
      return members.size >= limits.socketsMax
    },
    open(connection, raw, opened) {
      if (members.size === 0) tasks.start()
      // Heartbeats need the tape before a channel is joined.
      const ready = follow()
      const member = openMember(connection, raw, opened, {
        broadcasts,
        ready,
        warning,
        limits,
        observe,
        onClose,
      })
      members.add(member)
      if (onEmpty !== null) member.client.drop('draining')
    },
    close() {
      return new Promise(resolve => {
        onEmpty = resolve
        if (members.size === 0) return resolve()
        for (const { client } of [...members]) client.drop('draining')
      })
    },
  }
}

/** Functions with the intervals at which they run between `start` and `stop`. */
function periodically(tasks: readonly (readonly [run: () => void, everyMs: number])[]) {
  let timers: NodeJS.Timeout[] = []
  return {
    start() {
      timers = tasks.map(([run, everyMs]) => setInterval(run, everyMs))
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
      timers = []
    },
  }
}
