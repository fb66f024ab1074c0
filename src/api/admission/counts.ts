/** Counts by key. A key whose count is 0 is forgotten. */
export interface Counts {
  of(key: string): number
  /** Adds to the count of a key; does nothing without one. */
  add(key: string | null, amount: number): void
  readonly total: number
}

export function openCounts(): Counts {
  const counts = new Map<string, number>()
  let total = 0
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    add(key, amount) {
      if (key === null) return
      total += amount
      const count = of(key) + amount
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
    get total() {
      return total
    },
  }
}
