import type { Socket } from 'node:net'
import type { Observe, SocketEnd } from '../../engine/observation.ts'
import type { Grant, Grants } from '../service/grant.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import type { Broadcasts } from './broadcasts.ts'
import { type Channel, channelOf, routeOf } from './channels.ts'
import { type Client, type Connection, openClient } from './client.ts'
import type { Encoding } from './frames.ts'
import { type ClientRequest, readRequest } from './requests.ts'

/** Who opened a socket, and how. */
export interface Opened {
  readonly requestId: string
  readonly token: string
  readonly grant: Grant
  readonly encoding: Encoding
}

/** A client with the token that it authenticated with. */
export interface Member {
  readonly client: Client
  readonly token: string
  /** The current permissions of the token. */
  grant: Grant
}

export interface MemberNeeds {
  readonly broadcasts: Broadcasts
  /** Resolves when the tape is known, or cannot be read. Requests wait for it. */
  readonly ready: Promise<void>
  /** What a client that joins a channel should know; null if it will keep up. */
  readonly warning: (channel: Channel) => string | null
  readonly limits: SocketLimits
  readonly observe: Observe
  /** Called when the socket is closed. */
  readonly onClose: (member: Member) => void
}

/** Serves the requests of a new socket until it is closed. `raw` is the connection's TCP socket. */
export function openMember(
  connection: Connection,
  raw: Socket,
  { requestId, token, grant, encoding }: Opened,
  needs: MemberNeeds,
): Member {
  const { broadcasts, limits, observe, onClose } = needs
  const openedAt = performance.now()
  let dropped: { readonly end: SocketEnd; readonly code: number } | null = null
  const leaveAll = () => {
    for (const id of [...client.joined.keys()]) leave(client, id, broadcasts)
  }
  const client = openClient(connection, raw, encoding, limits, (end, code) => {
    dropped = { end, code }
    leaveAll()
  })
  const member: Member = { client, token, grant }

  // With the default binaryType, a message is always a single buffer.
  connection.on('message', (data, binary) => {
    void needs.ready.then(() => {
      if (dropped === null) receive(member, data as Buffer, binary, needs)
    })
  })
  connection.on('close', code => {
    leaveAll()
    observe({
      kind: 'socket_closed',
      requestId,
      token: grant.name,
      ...(dropped ?? { end: 'left' as const, code }),
      durationMs: performance.now() - openedAt,
      messages: client.sent,
    })
    onClose(member)
  })
  observe({ kind: 'socket_opened', requestId, token: grant.name, encoding })
  return member
}

/** Updates a member's permissions: drops it if its token is no longer valid, and removes it from channels that it lost. */
export function recheckGrant(member: Member, grants: Grants, broadcasts: Broadcasts): void {
  const { client, token } = member
  const grant = grants.find(token)
  if (grant === null) return client.drop('revoked')
  member.grant = grant
  for (const [id, { channel, name }] of [...client.joined]) {
    if (grant.allows(routeOf(channel))) continue
    leave(client, id, broadcasts)
    client.respond(name, 'the token no longer has permission for this channel')
  }
}

function receive(member: Member, data: Buffer, binary: boolean, needs: MemberNeeds): void {
  const request = readRequest(data, binary, needs.limits.messageBytesMax)
  const problem = 'problem' in request ? request.problem : perform(member, request, needs)
  if (problem !== null) member.client.respond(request.name, problem)
}

/** Performs a valid request and responds to it. Returns what is wrong if it cannot be performed. */
function perform(
  { client, grant }: Member,
  { name, action }: ClientRequest,
  { broadcasts, warning, limits: { channelsMax } }: MemberNeeds,
): string | null {
  const channel = channelOf(name)
  if ('problem' in channel) return channel.problem
  const isJoined = client.joined.has(channel.id)
  if (action === 'leave') {
    if (!isJoined) return 'not joined'
    leave(client, channel.id, broadcasts)
    client.respond(name, null)
    return null
  }
  if (isJoined) return 'already joined'
  if (!grant.allows(routeOf(channel)))
    return `the token has no permission for this channel: it needs the route ${channel.id}`
  if (client.joined.size >= channelsMax) return `${channelsMax} channels are joined: leave one first`
  client.joined.set(channel.id, { channel, name })
  // The response precedes the first message of the channel.
  client.respond(name, null, warning(channel))
  broadcasts.join(channel, name, client)
  return null
}

function leave(client: Client, id: string, broadcasts: Broadcasts): void {
  client.joined.delete(id)
  broadcasts.leave(id, client)
}
