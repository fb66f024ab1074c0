/** The time that a turn of each operation takes, measured. */
export interface Costs {
  /** The expected milliseconds of a turn; 0 before the first one. */
  of(operation: string): number
  note(operation: string, ms: number): void
}

/** The weight of the latest turn in the average. */
const LATEST = 0.2

/** A moving average for each operation, of which there are few. */
export function openCosts(): Costs {
  const averages = new Map<string, number>()
  const of = (operation: string) => averages.get(operation) ?? 0
  return {
    of,
    note(operation, ms) {
      const average = averages.get(operation)
      averages.set(operation, average === undefined ? ms : average + LATEST * (ms - average))
    },
  }
}
