import { parentPort } from 'node:worker_threads'
import { Failure, type FailureCode, firstLine } from '../engine/failure.ts'
import { bytesOf } from './delimited.ts'
import { type MessageKind, type MessageWriter, type StreamForm, writerOf } from './messages.ts'
import type { Batch } from './rows.ts'

/** What the thread is asked for: rows `from` to `to` of a batch, which comes with the first question about it. */
export interface Question {
  readonly batch: { readonly kind: MessageKind; readonly rows: Batch } | null
  readonly form: StreamForm
  readonly from: number
  readonly to: number
}

/** One for each question, in their order. */
export type Answer =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly code: FailureCode | null; readonly message: string }

let writer: MessageWriter | null = null

function answer({ batch, form, from, to }: Question): Answer {
  try {
    if (batch !== null) writer = writerOf({ kind: batch.kind, batches: [batch.rows] })
    if (writer === null) throw new Error('the first question about a batch lacks it')
    return { bytes: bytesOf(writer, form, from, to) }
  } catch (thrown) {
    const code = thrown instanceof Failure ? thrown.code : null
    return { code, message: firstLine(thrown) }
  }
}

parentPort?.on('message', (question: Question) => {
  const told = answer(question)
  parentPort?.postMessage(told, 'bytes' in told ? [told.bytes.buffer] : [])
})
