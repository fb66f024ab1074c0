import { Failure } from '../engine/failure.ts'
import { resources } from '../engine/resources.ts'
import type { EncodeReply, EncodeRequest } from './encoding-thread.ts'
import type { MessageColumns, StreamForm } from './messages.ts'
import type { Run } from './replay.ts'
import type { Batch } from './rows.ts'

/** The bytes of complete, consecutive messages. */
export interface Chunk {
  readonly bytes: Uint8Array
  readonly messages: number
}

/** Encoding threads. Reading the tape keeps about one more core busy. */
const THREADS = 2

/** The most pending requests: enough to keep the threads busy while this one reads the next slice. */
const AHEAD = 48

/**
 * The messages of each run in the form of the stream, encoded by threads, batch by batch in turn, while this thread
 * reads the next part of the tape. All bytes of a run are yielded before the next run, so that due messages do not wait
 * for later ones. The memory of the runs' columns is transferred to the threads. Throws the errors of `MessageWriter`.
 */
export async function* encoded(
  runs: AsyncIterable<Run<MessageColumns>>,
  form: StreamForm,
): AsyncGenerator<Chunk, void> {
  const threads = Array.from({ length: THREADS }, openThread)
  const pending: Promise<Chunk>[] = []
  async function* reduceTo(most: number): AsyncGenerator<Chunk, void> {
    while (pending.length > most) {
      const chunk = await pending.shift()
      if (chunk !== undefined) yield chunk
    }
  }
  const known = new WeakSet<Batch>()
  try {
    for await (const { messages, from, to } of runs) {
      let start = 0
      for (const [index, batch] of messages.batches.entries()) {
        const rows = { from: Math.max(from - start, 0), to: Math.min(to - start, batch.rows) }
        start += batch.rows
        const thread = threads[index % THREADS]
        if (thread === undefined || rows.from >= rows.to) continue
        const newBatch = known.has(batch) ? null : { kind: messages.kind, rows: batch }
        known.add(batch)
        const chunk = thread
          .encode({ batch: newBatch, form, ...rows })
          .then(bytes => ({ bytes, messages: rows.to - rows.from }))
        // A rejection is handled where the chunk is awaited, after later requests have been sent.
        chunk.catch(() => {})
        pending.push(chunk)
        yield* reduceTo(AHEAD - 1)
      }
      yield* reduceTo(0)
    }
  } finally {
    await Promise.all(threads.map(thread => thread.end()))
  }
}

interface Thread {
  /** Takes over the memory of the request's batch. */
  encode(request: EncodeRequest): Promise<Uint8Array>
  end(): Promise<unknown>
}

function openThread(): Thread {
  const worker = resources.startThread(new URL('./encoding-thread.js', import.meta.url))
  const pending: { resolve(bytes: Uint8Array): void; reject(reason: unknown): void }[] = []
  worker.on('message', (reply: EncodeReply) => {
    const request = pending.shift()
    if ('bytes' in reply) request?.resolve(reply.bytes)
    else
      request?.reject(reply.code === null ? new Error(reply.message) : new Failure(reply.code, reply.message))
  })
  let dead: Error | null = null
  worker.on('error', (thrown: Error) => {
    dead = thrown
    for (const { reject } of pending.splice(0)) reject(thrown)
  })
  return {
    encode(request) {
      if (dead !== null) return Promise.reject(dead)
      const encodedBytes = new Promise<Uint8Array>((resolve, reject) => pending.push({ resolve, reject }))
      worker.postMessage(request, request.batch === null ? [] : memoryOf(request.batch.rows))
      return encodedBytes
    },
    end: () => worker.terminate(),
  }
}

/** The buffers of a batch, without duplicates. */
function memoryOf({ columns }: Batch): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  const add = (value: unknown) => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add)
  }
  columns.forEach(add)
  return [...buffers]
}
