import { pipeline, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Failure } from '../../engine/failure.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Parts } from '../../operations/answering/pages.ts'
import type { Coding } from '../service/codings.ts'
import { noteBroken } from '../service/cut-short.ts'
import type { Service } from '../service/service.ts'
import { contentEncoder } from './negotiate.ts'

/** A client that reads nothing for this long is disconnected, so that its page of rows does not stay in memory. */
export const STALL_MS = 60_000

/** Responses in parts that a worker sends at the same time. Each one may hold a page of rows while its client is slow. */
const STREAMS_MAX = 16
const streams = new WeakMap<Service, number>()

/**
 * Sends a response in parts. A part is requested when the client has read the previous one. The client can tell a complete
 * response from a broken one: any error resets the connection, because in HTTP/1.0 a regular close marks the end of the
 * response. Rejects with `overloaded` if the worker sends too many such responses.
 */
export async function sendParts(
  service: Service,
  operation: Operation,
  reply: FastifyReply,
  parts: Parts,
  coding: Coding,
): Promise<FastifyReply> {
  if (parts.bytes !== null && coding === 'identity') reply.header('content-length', parts.bytes)
  if (reply.request.method === 'HEAD') {
    await parts.close()
    return reply.send()
  }
  const open = streams.get(service) ?? 0
  if (open >= STREAMS_MAX) {
    await parts.close()
    throw new Failure('overloaded', `the worker sends ${open} long responses already`)
  }
  streams.set(service, open + 1)
  const reset = (error: Error) => {
    reply.raw.socket?.resetAndDestroy()
    if (error instanceof Failure && error.code === 'canceled') return
    noteBroken(reply.raw, 500)
    service.observe({ kind: 'failed', requestId: reply.request.id, operation: operation.id, error })
  }
  const source = readableOf(parts, reset)
  source.once('close', () => streams.set(service, (streams.get(service) ?? 1) - 1))
  const stallMs = service.stallMs ?? STALL_MS
  reply.raw.setTimeout(stallMs, () => {
    // With nothing to write, the connection is idle because of a long query, not because of the client.
    if (reply.raw.writableLength === 0) return
    reset(new Failure('canceled', `the client read nothing for ${stallMs} ms`))
  })
  const encoder = contentEncoder(coding)
  // An error of the source destroys the encoder and the reply. The end of the reply destroys both streams.
  return reply.send(encoder === null ? source : pipeline(source, encoder, () => {}))
}

/**
 * The parts as a stream without a buffer: it requests a part only when its reader needs one. `onError` is called for a part
 * that failed, before the stream is destroyed.
 */
function readableOf({ first, rest, close }: Parts, onError: (error: Error) => void): Readable {
  let isFirstSent = first.byteLength === 0
  const next = async () => {
    if (isFirstSent) return (await rest?.next())?.value ?? null
    isFirstSent = true
    return first
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
