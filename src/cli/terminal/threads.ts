import { availableParallelism } from 'node:os'

/** Engine threads of a process: the configured number or, if that is 0, an equal share of the cores. */
export function engineThreads(configured: number, processes: number): number {
  return configured > 0 ? configured : Math.max(1, Math.floor(availableParallelism() / processes))
}
