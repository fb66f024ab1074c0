import type { FastifyReply } from 'fastify'
import type { Problem } from '../service/problem.ts'
import { send } from '../service/respond.ts'

/**
 * Many clients try again as soon as they are refused. Without a pause, a worker under ten times its load spends a third of its
 * time on refusals.
 */
const PAUSE_MS = 250
/** Refusals that pause at the same time. Further ones are sent at once, so that they hold no more memory. */
const PAUSING_MAX = 1000

/** Sends the 503 of an overload, after a pause. */
export function openRefusals(): (reply: FastifyReply, problem: Problem) => void {
  let pausing = 0
  return (reply, problem) => {
    if (pausing >= PAUSING_MAX) {
      send(reply, problem)
      return
    }
    pausing += 1
    setTimeout(() => {
      pausing -= 1
      send(reply, problem)
    }, PAUSE_MS)
  }
}
