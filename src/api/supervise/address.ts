import type { Worker } from 'node:cluster'
import type { SupervisorMessage } from '../process/messages.ts'

/** A worker in a line of the log. */
export const nameOf = (worker: Worker) => ({ worker: worker.id, workerPid: worker.process.pid ?? 0 })

/** A worker that ends cannot receive a message, and does not need it. */
export function sendTo(worker: Worker, message: SupervisorMessage): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** Kills a worker that has not ended by then. */
export function endAfter(worker: Worker, limitMs: number): void {
  if (limitMs === 0) {
    worker.process.kill('SIGKILL')
    return
  }
  const overdue = setTimeout(() => worker.process.kill('SIGKILL'), limitMs).unref()
  worker.once('exit', () => clearTimeout(overdue))
}
