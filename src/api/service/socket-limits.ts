/** What a socket, and all sockets of a worker together, may take. */
export interface SocketLimits {
  /** Sockets of a worker; more are answered 503. */
  readonly socketsMax: number
  /** Channels that a socket may have joined at once. */
  readonly channelsMax: number
  /** A client's message may have so many bytes; a longer one is told so. */
  readonly messageBytesMax: number
  /** A frame beyond this is not even read: it ends its socket with code 1009. */
  readonly frameBytesMax: number
  /** A client with more than this unread has fallen behind. */
  readonly bufferedBytesMax: number
  /** How often what has become due is handed out, wall time as all that follows. */
  readonly tickMs: number
  /**
   * Messages of all channels together that one tick hands out, so that requests are answered in between. A client that
   * gets all of them must not fall behind by that alone: `bufferedBytesMax` is a multiple of their bytes.
   */
  readonly messagesATick: number
  readonly heartbeatMs: number
  /** How often it is looked whether the token of each socket still counts. */
  readonly grantCheckMs: number
  /** How long a socket that is closed gets to take in what was sent before, and why. */
  readonly lingerMs: number
  /** A slice of tape is cut so that it holds about so many messages at most. */
  readonly sliceMessagesMax: number
  /** Slices that a worker loads at once. More take memory and no less time; the engine's connections are for requests. */
  readonly loadsAtOnce: number
  readonly loadDeadlineMs: number
  /** A load that failed is tried again after this. */
  readonly retryMs: number
}

export const SOCKET_LIMITS: SocketLimits = {
  socketsMax: 1000,
  channelsMax: 100,
  messageBytesMax: 4 * 1024,
  frameBytesMax: 64 * 1024,
  bufferedBytesMax: 8 * 1024 ** 2,
  tickMs: 50,
  messagesATick: 2500,
  heartbeatMs: 15_000,
  grantCheckMs: 500,
  lingerMs: 2000,
  sliceMessagesMax: 20_000,
  loadsAtOnce: 1,
  loadDeadlineMs: 60_000,
  retryMs: 1000,
}
