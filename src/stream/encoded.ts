import { Worker } from 'node:worker_threads'
import { Failure } from '../engine/failure.ts'
import type { Answer, Question } from './encoding-thread.ts'
import type { MessageColumns, StreamForm } from './messages.ts'
import type { Run } from './replay.ts'
import type { Batch } from './rows.ts'

/** Whole messages as bytes, one behind the other. */
export interface Chunk {
  readonly bytes: Uint8Array
  readonly messages: number
}

/** Threads that write. Reading the tape keeps about one core busy beside them. */
const THREADS = 2

/** Answers that may be under way: enough to keep the threads at work while this one reads the next slice. */
const AHEAD = 48

/**
 * The messages of each run in the form of the stream, written by threads of their own, batch by batch in turn, while
 * this one reads the tape on. A run's last bytes go out with it, so that nothing that is due waits for what is not. The
 * memory of the runs' columns goes to the threads. Throws what `MessageWriter` throws.
 */
export async function* encoded(
  runs: AsyncIterable<Run<MessageColumns>>,
  form: StreamForm,
): AsyncGenerator<Chunk, void> {
  const threads = Array.from({ length: THREADS }, openThread)
  const waiting: Promise<Chunk>[] = []
  async function* untilLeft(most: number): AsyncGenerator<Chunk, void> {
    while (waiting.length > most) {
      const chunk = await waiting.shift()
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
        const told = known.has(batch) ? null : { kind: messages.kind, rows: batch }
        known.add(batch)
        const chunk = thread
          .ask({ batch: told, form, ...rows })
          .then(bytes => ({ bytes, messages: rows.to - rows.from }))
        // Several are asked before the first is awaited: what one rejects with is met there.
        chunk.catch(() => {})
        waiting.push(chunk)
        yield* untilLeft(AHEAD - 1)
      }
      yield* untilLeft(0)
    }
  } finally {
    await Promise.all(threads.map(thread => thread.end()))
  }
}

interface Thread {
  /** Takes over the memory of the question's batch. */
  ask(question: Question): Promise<Uint8Array>
  end(): Promise<unknown>
}

function openThread(): Thread {
  const worker = new Worker(new URL('./encoding-thread.js', import.meta.url))
  const asked: { resolve(bytes: Uint8Array): void; reject(reason: unknown): void }[] = []
  worker.on('message', (answer: Answer) => {
    const question = asked.shift()
    if ('bytes' in answer) question?.resolve(answer.bytes)
    else
      question?.reject(
        answer.code === null ? new Error(answer.message) : new Failure(answer.code, answer.message),
      )
  })
  let dead: Error | null = null
  worker.on('error', (thrown: Error) => {
    dead = thrown
    for (const { reject } of asked.splice(0)) reject(thrown)
  })
  return {
    ask(question) {
      if (dead !== null) return Promise.reject(dead)
      const answered = new Promise<Uint8Array>((resolve, reject) => asked.push({ resolve, reject }))
      worker.postMessage(question, question.batch === null ? [] : memoryOf(question.batch.rows))
      return answered
    },
    end: () => worker.terminate(),
  }
}

/** The memory that a batch lies in, each piece once. */
function memoryOf({ columns }: Batch): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  const add = (value: unknown) => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add)
  }
  columns.forEach(add)
  return [...buffers]
}
