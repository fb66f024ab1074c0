import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { sendTo } from './address.ts'

/** Time for a worker to send its metrics. */
const ANSWER_MS = 2000

/** The metrics of all workers, but for those that do not answer. */
export interface Gathered {
  readonly text: string
  /** The workers whose metrics are missing. */
  readonly missing: readonly Worker[]
}

export interface WorkerMetrics {
  /** A worker has sent its metrics in answer to question `id`. */
  receive(worker: Worker, id: number, metrics: object[]): void
  gather(workers: readonly Worker[]): Promise<Gathered>
}

/** Asks workers for their metrics, and adds them up. */
export function workerMetrics(): WorkerMetrics {
  const questions = new Map<number, (worker: Worker, metrics: object[]) => void>()
  let lastId = 0
  return {
    receive: (worker, id, metrics) => questions.get(id)?.(worker, metrics),
    async gather(workers) {
      lastId += 1
      const id = lastId
      const answers = new Map<Worker, object[]>()
      await new Promise<void>(resolve => {
        const limit = setTimeout(resolve, ANSWER_MS)
        const check = () => {
          if (answers.size < workers.length) return
          clearTimeout(limit)
          resolve()
        }
        questions.set(id, (worker, metrics) => {
          answers.set(worker, metrics)
          check()
        })
        for (const worker of workers) sendTo(worker, { kind: 'metrics_wanted', id })
        check()
      })
      questions.delete(id)
      const text = await AggregatorRegistry.aggregate([...answers.values()]).metrics()
      return { text, missing: workers.filter(worker => !answers.has(worker)) }
    },
  }
}
