/** Limits of a socket, and of all sockets of a worker together. */
export interface SocketLimits {
  /** Open sockets per worker; further requests get 503. */
  readonly socketsMax: number
  /** Channels that a socket may have joined at the same time. */
  readonly channelsMax: number
  /** Size of a client's message; a longer one gets an error response. */
  readonly messageBytesMax: number
  /** Size of a frame; a longer one is not read and closes its socket with code 1009. */
  readonly frameBytesMax: number
  /** Bytes that wait to be sent to a client; with more than this, the client is dropped as too slow. */
  readonly bufferedBytesMax: number
  /**
   * Bytes that may wait for a client while its channel is behind the tape. With more than this, the channel sends only as
   * much of the tape as passes, until the client has read them. `bufferedBytesMax` exceeds it by the bytes of one tick.
   */
  readonly catchUpBytesMax: number
  /** Messages per tick and channel beyond what passes. A client has read a tick's bytes only when it has read all of them. */
  readonly catchUpPerTick: number
  /** Time without reading anything after which a channel that is behind does not wait for a client any longer. */
  readonly catchUpWaitMs: number
  /** Interval at which due messages are sent. All times here are wall time. */
  readonly tickMs: number
  /**
   * Messages of all channels together per tick, so that requests can be served between ticks. `bufferedBytesMax` is a
   * multiple of their bytes, so that one tick alone does not make a client too slow.
   */
  readonly messagesPerTick: number
  /**
   * Messages per second of wall time, in the busiest minute, above which the response to a join warns. A worker sends more,
   * but it shares its processor with the requests, and the client has to read about 1 KiB per message.
   */
  readonly warnedPerSecond: number
  readonly heartbeatMs: number
  /** Interval at which the tokens of open sockets are checked again. */
  readonly grantCheckMs: number
  /** Time for a closed socket to receive what was sent before, and the close reason, before it is terminated. */
  readonly lingerMs: number
  /** Approximate maximum number of messages in a slice of the tape. */
  readonly sliceMessagesMax: number
  /** Slices that a worker loads at once. More would use memory and connections of the engine without saving time. */
  readonly loadsAtOnce: number
  readonly loadDeadlineMs: number
  /** Pause before a failed load is retried. */
  readonly retryMs: number
}

export const SOCKET_LIMITS: SocketLimits = {
  socketsMax: 1000,
  channelsMax: 100,
  messageBytesMax: 4 * 1024,
  frameBytesMax: 64 * 1024,
  bufferedBytesMax: 8 * 1024 ** 2,
  catchUpBytesMax: 1024 ** 2,
  catchUpPerTick: 250,
  catchUpWaitMs: 5000,
  tickMs: 50,
  messagesPerTick: 2500,
  warnedPerSecond: 4000,
  heartbeatMs: 15_000,
  grantCheckMs: 500,
  lingerMs: 2000,
  sliceMessagesMax: 20_000,
  loadsAtOnce: 1,
  loadDeadlineMs: 60_000,
  retryMs: 1000,
}
