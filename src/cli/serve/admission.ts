import {
  type AdmissionLimits,
  connectionsFor,
  DEFAULT_LIMITS,
  descriptorsMax,
} from '../../api/admission/limits.ts'
import type { Settings } from '../command/settings.ts'

const MEBIBYTE = 1024 ** 2

/** The limits of a worker on what clients can make it hold. More connections than it has descriptors for are never let in. */
export function admissionOf(settings: Settings): AdmissionLimits {
  const possible = connectionsFor(descriptorsMax())
  const connectionsMax = Math.min(settings.connections || DEFAULT_LIMITS.connectionsMax, possible)
  const half = Math.ceil(connectionsMax / 2)
  const answerBytesMax = settings.answerMib * MEBIBYTE
  return {
    connectionsMax,
    peerConnectionsMax: settings.peerConnections || half,
    tokenConnectionsMax: settings.tokenConnections || half,
    ratePerSecond: settings.rateLimit,
    turnsMax: settings.leases,
    waitingMax: settings.queue,
    answerBytesMax,
    // A token has half of it, and every answer fits into that.
    unreadBytesMax: Math.max(settings.unreadMib * MEBIBYTE, 2 * answerBytesMax),
    longAnswersMax: settings.longAnswers,
  }
}
