import type { Socket } from 'node:net'
import { Failure, firstLine } from '../../engine/failure.ts'
import type { SocketEnd } from '../../engine/observation.ts'
import type { Grant } from '../service/grant.ts'
import { type Position, positionAt, type Replay } from '../service/replay-clock.ts'
import type { Service } from '../service/service.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import { type Channel, channelOf, routeOf } from './channels.ts'
import { type Client, type Connection, openClient } from './client.ts'
import { type Feed, openFeed } from './feed.ts'
import type { Encoding } from './frames.ts'
import { type Outlets, openOutlets } from './outlets.ts'
import { readRequest } from './requests.ts'
import { openSlices } from './slices.ts'

/** All sockets of a worker and the feeds that they listen to. */
export interface SocketHub {
  readonly full: boolean
  open(connection: Connection, raw: Socket, who: Opened): void
  /** Closes every socket and resolves when all are gone, or cut off. */
  close(): Promise<void>
}

/** Who has opened a socket. */
export interface Opened {
  readonly requestId: string
  readonly token: string
  readonly grant: Grant
  readonly encoding: Encoding
}

/** A channel that somebody has joined. */
interface Station {
  readonly channel: Channel
  readonly outlets: Outlets
  readonly feed: Feed
  /** Messages sent since this was observed last. */
  sent: number
}

interface Member {
  readonly client: Client
  readonly token: string
  grant: Grant
}

export function openHub(service: Service, replay: Replay, limits: SocketLimits): SocketHub {
  const slices = openSlices(service, replay, limits)
  const now = replay.now ?? Date.now
  const stations = new Map<string, Station>()
  const members = new Set<Member>()
  const timers: NodeJS.Timeout[] = []
  let turn = 0
  let allGone: (() => void) | null = null

  const position = (): Position | null =>
    slices.known === null ? null : positionAt(slices.known, replay, now())

  /** Hands out what is due, to each channel its share, so that one in a rush does not keep the others waiting. */
  function tick(): void {
    const at = position()
    const all = [...stations.values()]
    for (const { feed } of all) feed.prepare(at)
    if (at === null || all.length === 0) return
    const share = Math.max(1, Math.ceil(limits.messagesATick / all.length))
    let left = limits.messagesATick
    turn += 1
    for (let progress = true; progress && left > 0; ) {
      progress = false
      for (let index = 0; index < all.length && left > 0; index += 1) {
        const sent = all[(index + turn) % all.length]?.feed.advance(at, Math.min(share, left)) ?? 0
        left -= sent
        progress ||= sent > 0
      }
    }
  }

  function tune(channel: Channel): Station {
    const known = stations.get(channel.id)
    if (known !== undefined) return known
    const outlets = openOutlets(channel)
    const observeFailed = (thrown: unknown) =>
      service.observe({ kind: 'stream_failed', channel: channel.id, reason: firstLine(thrown) })
    const feed = openFeed({
      channel,
      slices,
      replay,
      limits,
      openedMs: now(),
      deliver(messages, row) {
        try {
          station.sent += outlets.deliver(messages, row)
        } catch (thrown) {
          observeFailed(thrown)
          outlets.tell('a message cannot be written and is left out')
        }
      },
      failed(thrown) {
        observeFailed(thrown)
        // Whatever else goes wrong is for the log alone: it may name files.
        const missing = thrown instanceof Failure && thrown.code === 'not_found'
        const what = missing ? thrown.message : 'the tape cannot be read at present'
        outlets.tell(`${what}; it is tried again`)
      },
    })
    const station: Station = { channel, outlets, feed, sent: 0 }
    stations.set(channel.id, station)
    return station
  }

  function untune(client: Client, id: string): void {
    client.joined.delete(id)
    const station = stations.get(id)
    if (station === undefined) return
    station.outlets.remove(client)
    if (station.outlets.size > 0) return
    station.feed.close()
    observeSent(station)
    stations.delete(id)
  }

  function observeSent(station: Station): void {
    if (station.sent === 0) return
    service.observe({
      kind: 'stream_sent',
      channel: station.channel.source.kind,
      messages: station.sent,
    })
    station.sent = 0
  }

  /** Does what a client asks, and gives what is wrong with it. */
  function serve({ client, grant }: Member, name: string, what: 'join' | 'leave'): string | null {
    const channel = channelOf(name)
    if ('problem' in channel) return channel.problem
    const joined = client.joined.get(channel.id)
    if (what === 'leave') {
      if (joined === undefined) return 'not joined'
      untune(client, channel.id)
      return null
    }
    if (joined !== undefined) return 'joined already'
    if (!grant.allows(routeOf(channel)))
      return `the token has no permission for this channel: it needs the route ${channel.id}`
    if (client.joined.size >= limits.channelsMax)
      return `${limits.channelsMax} channels are joined: leave one first`
    client.joined.set(channel.id, { channel, name })
    // The answer goes out before the first of the channel's messages.
    client.respond(name, null)
    tune(channel).outlets.add(name, client)
    return null
  }

  function receive(member: Member, data: Buffer, binary: boolean): void {
    const asked = readRequest(data, binary, limits.messageBytesMax)
    const { client } = member
    if ('problem' in asked) return client.respond(asked.name, asked.problem)
    const problem = serve(member, asked.name, asked.what)
    if (problem !== null || asked.what === 'leave') client.respond(asked.name, problem)
  }

  function checkGrants(): void {
    for (const station of stations.values()) observeSent(station)
    for (const member of [...members]) {
      const { client } = member
      const grant = service.grants.find(member.token)
      if (grant === null) {
        client.drop('revoked')
        continue
      }
      member.grant = grant
      for (const [id, { channel, name }] of [...client.joined]) {
        if (grant.allows(routeOf(channel))) continue
        untune(client, id)
        client.respond(name, 'the token has no permission for this channel any more')
      }
    }
  }

  function beat(): void {
    const at = position()
    for (const { client } of [...members]) client.beat(at === null ? null : Math.floor(at.tapeMs))
  }

  function start(): void {
    for (const [work, everyMs] of [
      [tick, limits.tickMs],
      [checkGrants, limits.grantCheckMs],
      [beat, limits.heartbeatMs],
    ] as const)
      timers.push(setInterval(work, everyMs))
  }

  function stop(): void {
    for (const timer of timers.splice(0)) clearInterval(timer)
    allGone?.()
  }

  return {
    get full() {
      return members.size >= limits.socketsMax
    },
    open(connection, raw, { requestId, token, grant, encoding }) {
      const openedAt = performance.now()
      let dropped: { readonly end: SocketEnd; readonly code: number } | null = null
      const leaveAll = () => {
        for (const id of [...client.joined.keys()]) untune(client, id)
      }
      const client = openClient(connection, raw, encoding, limits, (end, code) => {
        dropped = { end, code }
        leaveAll()
      })
      const member: Member = { client, token, grant }
      // Whole messages come as one buffer, unless a binaryType asks for something else.
      connection.on('message', (data, binary) => {
        if (dropped === null) receive(member, data as Buffer, binary)
      })
      connection.on('close', code => {
        leaveAll()
        members.delete(member)
        const durationMs = performance.now() - openedAt
        const told = {
          requestId,
          token: grant.name,
          ...(dropped ?? { end: 'left' as const, code }),
          durationMs,
          messages: client.sent,
        }
        service.observe({ kind: 'socket_closed', ...told })
        if (members.size === 0) stop()
      })
      if (members.size === 0) start()
      // For the heartbeats' sake. A channel's feed asks for it again, and tells of what is wrong with it.
      slices.tape().catch(() => {})
      members.add(member)
      service.observe({ kind: 'socket_opened', requestId, token: grant.name, encoding })
      if (allGone !== null) client.drop('draining')
    },
    close() {
      return new Promise(resolve => {
        allGone = resolve
        if (members.size === 0) return resolve()
        for (const { client } of [...members]) client.drop('draining')
      })
    },
  }
}
