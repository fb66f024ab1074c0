import { pipeline, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Failure } from '../../engine/failure.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Parts } from '../../operations/answering/pages.ts'
import type { Service } from '../service/service.ts'
import { type Coding, contentEncoder } from './negotiate.ts'

/** A client that takes nothing for this long is cut off: its page of rows must not stay in memory for ever. */
export const STALL_MS = 60_000

/** Answers in parts that a worker sends at once: each may hold a page of rows while its client is slow. */
const STREAMS_MAX = 16
const streams = new WeakMap<Service, number>()

/**
 * Sends an answer in parts, the next of which is asked for when the client has taken the one before. It arrives whole
 * or visibly broken: whatever goes wrong on the way resets the connection, so that neither the missing end of a chunked
 * transfer nor, for HTTP/1.0, the connection's end can pass for the answer's. Rejects with `overloaded` when too many
 * are under way.
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
  const underWay = streams.get(service) ?? 0
  if (underWay >= STREAMS_MAX) {
    await parts.close()
    throw new Failure('overloaded', `${underWay} long answers are on their way already`)
  }
  streams.set(service, underWay + 1)
  const broken = (error: Error) => {
    reply.raw.socket?.resetAndDestroy()
    if (error instanceof Failure && error.code === 'canceled') return
    service.observe({ kind: 'failed', requestId: reply.request.id, operation: operation.id, error })
  }
  const source = readableOf(parts, broken)
  source.once('close', () => streams.set(service, (streams.get(service) ?? 1) - 1))
  const stallMs = service.stallMs ?? STALL_MS
  reply.raw.setTimeout(stallMs, () => {
    // A long query may leave the connection idle as well: that is no fault of the client's.
    if (reply.raw.writableLength === 0) return
    broken(new Failure('canceled', `the client took nothing for ${stallMs} ms`))
  })
  const encoder = contentEncoder(coding)
  // What breaks the source breaks the encoder, and with it the reply; the reply's end ends both.
  return reply.send(encoder === null ? source : pipeline(source, encoder, () => {}))
}

/**
 * The parts as a stream that never runs ahead: with nothing buffered, it reads only while its reader drains. `broken`
 * is told of a part that failed, before the stream is.
 */
function readableOf({ first, rest, close }: Parts, broken: (error: Error) => void): Readable {
  let begun = first.byteLength === 0
  const next = async () => {
    if (begun) return (await rest?.next())?.value ?? null
    begun = true
    return first
  }
  return new Readable({
    highWaterMark: 0,
    read() {
      next().then(
        part => this.push(part),
        (thrown: unknown) => {
          const error = thrown instanceof Error ? thrown : new Error(String(thrown))
          broken(error)
          this.destroy(error)
        },
      )
    },
    destroy(error, done) {
      close().then(() => done(error), done)
    },
  })
}
