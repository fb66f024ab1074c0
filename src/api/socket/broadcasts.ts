import { Failure, firstLine } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Position, Replay } from '../service/replay-clock.ts'
import type { SocketLimits } from '../service/socket-limits.ts'
import type { Channel } from './channels.ts'
import type { Client } from './client.ts'
import { type Feed, openFeed } from './feed.ts'
import type { Slices } from './slices.ts'
import { openSubscribers, type Subscribers } from './subscribers.ts'

/** The channels that have clients. All clients of a channel share one feed, which is open while there are any. */
export interface Broadcasts {
  join(channel: Channel, name: string, client: Client): void
  /** Removes a client from the channel with this id. */
  leave(id: string, client: Client): void
  /** Sends the messages that are due at this position of the tape, and loads the next ones. */
  advance(position: Position | null): void
  /** Reports the messages sent since the last report. */
  reportSent(): void
}

export interface BroadcastNeeds {
  readonly slices: Slices
  readonly replay: Replay
  readonly limits: SocketLimits
  /** The wall clock in Unix milliseconds. */
  readonly now: () => number
  readonly observe: Observe
}

interface Broadcast {
  readonly channel: Channel
  readonly subscribers: Subscribers
  readonly feed: Feed
  /** Messages sent since the last report. */
  sent: number
}

export function openBroadcasts(needs: BroadcastNeeds): Broadcasts {
  const { limits, observe } = needs
  const byChannel = new Map<string, Broadcast>()
  let turn = 0

  return {
    join(channel, name, client) {
      const broadcast = byChannel.get(channel.id) ?? openBroadcast(channel, needs)
      byChannel.set(channel.id, broadcast)
      broadcast.subscribers.add(name, client)
    },
    leave(id, client) {
      const broadcast = byChannel.get(id)
      if (broadcast === undefined) return
      broadcast.subscribers.remove(client)
      if (broadcast.subscribers.size > 0) return
      broadcast.feed.close()
      reportSent(broadcast, observe)
      byChannel.delete(id)
    },
    advance(position) {
      const feeds = [...byChannel.values()].map(({ feed }) => feed)
      for (const feed of feeds) feed.prepare(position)
      if (position === null || feeds.length === 0) return
      turn = (turn + 1) % feeds.length
      sendDue([...feeds.slice(turn), ...feeds.slice(0, turn)], position, limits.messagesPerTick)
    },
    reportSent() {
      for (const broadcast of byChannel.values()) reportSent(broadcast, observe)
    },
  }
}

/**
 * Lets the feeds send at most `messagesMax` messages that are due. They take turns, each with an equal share per turn, so
 * that a busy channel does not delay the others.
 */
function sendDue(feeds: readonly Feed[], position: Position, messagesMax: number): void {
  const share = Math.max(1, Math.ceil(messagesMax / feeds.length))
  let left = messagesMax
  for (let progress = true; progress && left > 0; ) {
    progress = false
    for (const feed of feeds) {
      if (left === 0) break
      const sent = feed.advance(position, Math.min(share, left))
      left -= sent
      progress ||= sent > 0
    }
  }
}

function openBroadcast(
  channel: Channel,
  { slices, replay, limits, now, observe }: BroadcastNeeds,
): Broadcast {
  const subscribers = openSubscribers(channel)
  const observeFailure = (thrown: unknown) =>
    observe({ kind: 'stream_failed', channel: channel.id, reason: firstLine(thrown) })
  const feed = openFeed({
    channel,
    slices,
    replay,
    limits,
    openedMs: now(),
    mayCatchUp: subscribers.canCatchUp,
    deliver(messages, row) {
      try {
        broadcast.sent += subscribers.deliver(messages, row)
      } catch (thrown) {
        observeFailure(thrown)
        subscribers.reportError('a message cannot be encoded and is skipped')
      }
    },
    failed(thrown) {
      observeFailure(thrown)
      // Other errors are only logged, because their messages may contain paths.
      const missing = thrown instanceof Failure && thrown.code === 'not_found'
      const problem = missing ? thrown.message : 'the tape cannot be read at present'
      subscribers.reportError(`${problem}; the server will try again`)
    },
  })
  const broadcast: Broadcast = { channel, subscribers, feed, sent: 0 }
  return broadcast
}

function reportSent(broadcast: Broadcast, observe: Observe): void {
  if (broadcast.sent === 0) return
  observe({ kind: 'stream_sent', channel: broadcast.channel.source.kind, messages: broadcast.sent })
  broadcast.sent = 0
}
