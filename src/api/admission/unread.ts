import type { ServerResponse } from 'node:http'
import { Failure } from '../../engine/failure.ts'
import { openShares } from './shares.ts'

/** Bytes of answers that are made and that clients have not read yet. */
export interface Unread {
  /**
   * Counts the bytes of an answer until its response closes. Responses that share the bytes count once, for the token of the
   * first of them. Throws `overloaded` if they do not fit.
   */
  hold(content: Uint8Array, token: string, response: ServerResponse): void
  readonly bytes: number
}

/** A response up to this size is not counted: the system takes it from the program at once. */
export const UNCOUNTED_BYTES_MAX = 16 * 1024

export function openUnread(bytesMax: number): Unread {
  const shares = openShares(bytesMax)
  const held = new Map<Uint8Array, { responses: number; readonly token: string }>()
  return {
    hold(content, token, response) {
      const bytes = content.byteLength
      // A response whose client has left is closed already, and would never give its bytes back.
      if (bytes <= UNCOUNTED_BYTES_MAX || response.destroyed) return
      const entry = held.get(content) ?? { responses: 0, token }
      if (entry.responses === 0) {
        const whose = shares.exceeded(token, bytes)
        if (whose !== null)
          throw new Failure(
            'overloaded',
            `clients have not read ${shares.taken} bytes of ${whose === 'all' ? 'other answers' : 'the answers to this token'} yet`,
          )
        shares.add(token, bytes)
        held.set(content, entry)
      }
      entry.responses += 1
      response.once('close', () => {
        entry.responses -= 1
        if (entry.responses > 0) return
        held.delete(content)
        shares.add(entry.token, -bytes)
      })
    },
    get bytes() {
      return shares.taken
    },
  }
}
