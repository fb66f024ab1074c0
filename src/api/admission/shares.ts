import { openCounts } from './counts.ts'

/** Something of which a worker has a limited amount, and each token at most half of it. */
export interface Shares {
  /** Whose limit `amount` more would exceed; null if nobody's. */
  exceeded(token: string, amount: number): 'all' | 'token' | null
  add(token: string, amount: number): void
  readonly taken: number
  readonly max: number
  readonly tokenMax: number
}

export function openShares(max: number): Shares {
  const tokenMax = Math.ceil(max / 2)
  const tokens = openCounts()
  return {
    exceeded(token, amount) {
      if (tokens.total + amount > max) return 'all'
      return tokens.of(token) + amount > tokenMax ? 'token' : null
    },
    add: (token, amount) => tokens.add(token, amount),
    get taken() {
      return tokens.total
    },
    max,
    tokenMax,
  }
}
