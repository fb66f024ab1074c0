import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import type { Pinned } from '../../operations/answering/answer.ts'
import type { EmptyReason } from '../../operations/answering/empty.ts'
import type { Format } from '../../operations/answering/formats.ts'
import type { PageEnd } from '../../operations/answering/paging.ts'
import type { Coding } from './codings.ts'

/** What only the rows of an answer show, of which its headers speak. */
export interface Outcome {
  /** Why it has no rows; null if it has any. That depends on the whole state of the lake (see `stateOf`). */
  readonly empty: EmptyReason | null
  /** The end of a page that another one follows; null if none does. */
  readonly end: PageEnd | null
}

/** A response body, and what its headers speak of. */
export interface CachedAnswer extends Outcome {
  readonly content: Uint8Array
  readonly state: string
}

type Headers = Readonly<Record<string, string>>

/** A request whose parameters are valid, planned on a snapshot: all that its response needs besides the rows. */
export interface PreparedRequest {
  readonly pinned: Pinned
  readonly format: Format
  readonly coding: Coding
  readonly tag: string
  /** The headers of each of its responses. */
  readonly headers: Headers
  /** The headers of the last response from the cache. */
  hit: { readonly outcome: Outcome; readonly headers: Headers } | null
  /** The headers of the last 304, and the `If-None-Match` that it had. */
  match: { readonly wanted: string; readonly headers: Headers } | null
}

/**
 * Requests as they were prepared, by all that a plan depends on besides the snapshot and the time. They are dropped when
 * another snapshot is served, and when a minute ends: plans read the clock in minutes (see `now.ts`).
 */
export interface PreparedRequests {
  find(key: string, served: Snapshot): PreparedRequest | null
  /** Keeps a request that was planned on `served` at the time `plannedAtMs`, unless it would be dropped already. */
  keep(key: string, served: Snapshot, plannedAtMs: number, prepared: PreparedRequest): void
  readonly bytes: number
}

/** Answers, keyed by a hash of everything that their bodies depend on, and the requests that lead to them. */
export interface AnswerCache {
  readonly answers: LRUCache<string, CachedAnswer>
  readonly requests: PreparedRequests
}

/** The part of the cache's bytes that is for prepared requests. */
const REQUESTS_PART = 1 / 8

/** Bytes of an answer besides its content: key, state, and the objects around them. Measured, and rounded up. */
const ANSWER_BYTES = 1024

/** With `bytesMax` 0, nothing fits. */
export function openCache(bytesMax: number): AnswerCache {
  const forRequests = Math.max(1, Math.floor(bytesMax * REQUESTS_PART))
  return {
    answers: new LRUCache({
      maxSize: Math.max(1, bytesMax - forRequests),
      sizeCalculation: ({ content }) => content.byteLength + ANSWER_BYTES,
    }),
    requests: openRequests(forRequests),
  }
}

/** Bytes from which on an answer has a block that was made for it. What is not written of that takes no memory. */
const OWN_BLOCK_BYTES = 1024 ** 2

/**
 * The same bytes in memory of their own. What compression and concatenation return is often a part of a larger block, which
 * it would keep: 16 KiB for a compressed answer of 200 bytes. Megabytes are not copied, which would hold the event loop for
 * milliseconds.
 */
export const alone = (content: Uint8Array): Uint8Array =>
  content.buffer.byteLength > content.byteLength && content.byteLength < OWN_BLOCK_BYTES
    ? Buffer.from(new Uint8Array(content).buffer)
    : content

function openRequests(bytesMax: number): PreparedRequests {
  const requests = new LRUCache<string, PreparedRequest>({ maxSize: bytesMax, sizeCalculation: bytesOf })
  let snapshot: Snapshot | null = null
  let minute = Number.NaN
  return {
    find(key, served) {
      const now = minuteOf(Date.now())
      if (served !== snapshot || now !== minute) {
        requests.clear()
        snapshot = served
        minute = now
      }
      return requests.get(key) ?? null
    },
    keep(key, served, plannedAtMs, prepared) {
      if (served === snapshot && minuteOf(plannedAtMs) === minute) requests.set(key, prepared)
    },
    get bytes() {
      return requests.calculatedSize
    },
  }
}

const MINUTE_MS = 60_000

/** Distinguishes minutes, and the instants between two of them: rounding up and down differ there. */
const minuteOf = (epochMs: number) => Math.floor(epochMs / MINUTE_MS) + Math.ceil(epochMs / MINUTE_MS)

/** Bytes of a request without parameters, with its headers. Measured, and rounded up. */
const REQUEST_BYTES = 4 * 1024
/** Values that are parsed from a text take several times its length. */
const BYTES_PER_CHARACTER = 8
const BYTES_PER_FILE = 8

function bytesOf({ pinned }: PreparedRequest, key: string): number {
  let files = 0
  for (const list of pinned.files.values()) files += list.length
  return REQUEST_BYTES + BYTES_PER_CHARACTER * key.length + BYTES_PER_FILE * files
}
