import { parentPort } from 'node:worker_threads'
import { Failure, type FailureCode, firstLine } from '../engine/failure.ts'
import { bytesOf } from './delimited.ts'
import { type MessageKind, type MessageWriter, type StreamForm, writerOf } from './messages.ts'
import type { Batch } from './rows.ts'

/** A request to the thread: encode rows `from` to `to` of a batch. Only the first request for a batch includes it. */
export interface EncodeRequest {
  readonly batch: { readonly kind: MessageKind; readonly rows: Batch } | null
  readonly form: StreamForm
  readonly from: number
  readonly to: number
}

/** One for each request, in order. */
export type EncodeReply =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly code: FailureCode | null; readonly message: string }

let writer: MessageWriter | null = null

function encode({ batch, form, from, to }: EncodeRequest): EncodeReply {
  try {
    if (batch !== null) writer = writerOf({ kind: batch.kind, batches: [batch.rows] })
    if (writer === null) throw new Error('the first request for a batch lacks the batch')
    return { bytes: bytesOf(writer, form, from, to) }
  } catch (thrown) {
    const code = thrown instanceof Failure ? thrown.code : null
    return { code, message: firstLine(thrown) }
  }
}

parentPort?.on('message', (request: EncodeRequest) => {
  const reply = encode(request)
  parentPort?.postMessage(reply, 'bytes' in reply ? [reply.bytes.buffer] : [])
})
