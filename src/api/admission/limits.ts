import { readFileSync } from 'node:fs'

/** Limits of a worker on what clients can make it hold. */
export interface AdmissionLimits {
  /** Open connections. */
  readonly connectionsMax: number
  /** Open connections of an address; requests in progress of a client behind a trusted proxy. */
  readonly peerConnectionsMax: number
  /** Open connections that were last used with a token; requests in progress behind a trusted proxy. */
  readonly tokenConnectionsMax: number
  /** Requests per second of a token; 0: no limit. */
  readonly ratePerSecond: number
  /** Requests that are computed at the same time. */
  readonly turnsMax: number
  /** Requests that wait for their turn. */
  readonly waitingMax: number
  /** Bytes of an answer that is made as a whole. */
  readonly answerBytesMax: number
  /** Bytes of answers that are made and that clients have not read yet. */
  readonly unreadBytesMax: number
  /** Long answers that are sent at the same time. A token may have half of them. */
  readonly longAnswersMax: number
}

/** Limits without a setting of their own in this process: those of a server with the default settings. */
export const DEFAULT_LIMITS: AdmissionLimits = {
  connectionsMax: 10_000,
  peerConnectionsMax: 5000,
  tokenConnectionsMax: 5000,
  ratePerSecond: 0,
  turnsMax: 4,
  waitingMax: 64,
  answerBytesMax: 32 * 1024 ** 2,
  unreadBytesMax: 128 * 1024 ** 2,
  longAnswersMax: 32,
}

/** Descriptors that a worker needs besides its connections: files of the lake, of the engine and of the program. */
const DESCRIPTORS_KEPT = 320

/**
 * Connections that a process can hold. Of the descriptors that it may open, some are kept for files; where there are few, half
 * of them.
 */
export const connectionsFor = (descriptorsMax: number): number =>
  Math.max(descriptorsMax - DESCRIPTORS_KEPT, Math.floor(descriptorsMax / 2), 1)

/** Where the system does not say how many descriptors a process may open, as few as systems usually permit. */
const DESCRIPTORS_USUAL = 1024

/** The descriptors that this process may open. */
export function descriptorsMax(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? DESCRIPTORS_USUAL : Number(limit)
  } catch {
    return DESCRIPTORS_USUAL
  }
}
