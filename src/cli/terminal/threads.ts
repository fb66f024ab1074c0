import { availableParallelism } from 'node:os'

/** Engine threads of a process: as asked, or its share of the cores. */
export function engineThreads(asked: number, processes: number): number {
  return asked > 0 ? asked : Math.max(1, Math.floor(availableParallelism() / processes))
}
