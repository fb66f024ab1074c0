import { pipeline, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Failure } from '../../engine/failure.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Parts } from '../../operations/answering/pages.ts'
import { UNCOUNTED_BYTES_MAX } from '../admission/unread.ts'
import { breakOff, untilShared } from '../service/break-off.ts'
import type { Coding } from '../service/codings.ts'
import { noteBroken } from '../service/cut-short.ts'
import type { Service } from '../service/service.ts'
import { tokenOf } from './authenticate.ts'
import { contentEncoder } from './negotiate.ts'

/** A client that reads nothing for this long is disconnected, so that its page of rows does not stay in memory. */
export const STALL_MS = 60_000

/** An answer up to this size is written at once. */
const PIECE_BYTES = 256 * 1024

/**
 * Sends a response in parts. A part is requested when the client has read the previous one. The client can tell a complete
 * response from a broken one: any error resets the connection, because in HTTP/1.0 a regular close marks the end of the
 * response. Calls `leave` when it is closed.
 */
export async function sendParts(
  service: Service,
  operation: Operation,
  reply: FastifyReply,
  parts: Parts,
  coding: Coding,
  leave: () => void,
): Promise<FastifyReply> {
  if (parts.bytes !== null && coding === 'identity') reply.header('content-length', parts.bytes)
  if (reply.request.method === 'HEAD') {
    leave()
    await parts.close()
    return reply.send()
  }
  if (!reply.hasHeader('content-length')) await untilShared(reply.raw)
  const reset = (error: Error) => {
    breakOff(reply.raw)
    if (error instanceof Failure && error.code === 'canceled') return
    noteBroken(reply.raw, 500)
    service.observe({ kind: 'failed', requestId: reply.request.id, operation: operation.id, error })
  }
  const source = readableOf(parts, reset)
  source.once('close', leave)
  limitStall(service, reply, reset)
  const encoder = contentEncoder(coding)
  // An error of the source destroys the encoder and the reply. The end of the reply destroys both streams.
  return reply.send(encoder === null ? source : pipeline(source, encoder, () => {}))
}

/**
 * Sends an answer that is in memory. Its bytes count until the client has read them. A large one is written in pieces, each
 * when the client has read the previous one. Throws `overloaded` if too many bytes wait for clients.
 */
export function sendWhole(service: Service, reply: FastifyReply, content: Uint8Array): FastifyReply {
  if (content.byteLength <= UNCOUNTED_BYTES_MAX || reply.request.method === 'HEAD') return reply.send(content)
  service.admission.unread.hold(content, tokenOf(reply.request), reply.raw)
  limitStall(service, reply, () => breakOff(reply.raw))
  if (content.byteLength <= PIECE_BYTES) return reply.send(content)
  reply.header('content-length', content.byteLength)
  return reply.send(Readable.from(piecesOf(content), { objectMode: false, highWaterMark: PIECE_BYTES }))
}

function* piecesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.byteLength; start += PIECE_BYTES)
    yield content.subarray(start, start + PIECE_BYTES)
}

/** Calls `end` if the client reads nothing for a while although there is something to read. */
function limitStall(service: Service, reply: FastifyReply, end: (error: Error) => void): void {
  const stallMs = service.stallMs ?? STALL_MS
  reply.raw.setTimeout(stallMs, () => {
    // With nothing to write, the connection is idle because of a long query, not because of the client.
    if (reply.raw.writableLength === 0) return
    end(new Failure('canceled', `the client read nothing for ${stallMs} ms`))
  })
}

/**
 * The parts as a stream without a buffer: it requests a part only when its reader needs one. `onError` is called for a part
 * that failed, before the stream is destroyed.
 */
function readableOf({ first, rest, close }: Parts, onError: (error: Error) => void): Readable {
  // Not kept once it is sent: a page is large.
  let unsent: Uint8Array | null = first.byteLength === 0 ? null : first
  const next = async () => {
    const part = unsent
    unsent = null
    return part ?? (await rest?.next())?.value ?? null
  }
  return new Readable({
    highWaterMark: 0,
    read() {
      next().then(
        part => this.push(part),
        (thrown: unknown) => {
          const error = thrown instanceof Error ? thrown : new Error(String(thrown))
          onError(error)
          this.destroy(error)
        },
      )
    },
    destroy(error, done) {
      close().then(() => done(error), done)
    },
  })
}
