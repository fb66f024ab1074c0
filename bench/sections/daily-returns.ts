/**
 * Simple returns of n days, the same in every run. Each is the sum of a market return that all symbols share and a return
 * of the symbol. Both are sums of four uniform numbers.
 */
export function dailyReturns(symbol: number, n: number): Float64Array {
  const market = mulberry(0)
  const own = mulberry(symbol + 1)
  const bell = (next: () => number) => next() + next() + next() + next() - 2
  return Float64Array.from({ length: n }, () => 0.0004 + 0.01 * bell(market) + 0.02 * bell(own))
}

/** The prices that result from these returns, starting at 100. */
export function pricesOf(returns: Float64Array): Float64Array {
  let price = 100
  return returns.map(change => {
    price *= 1 + change
    return price
  })
}

/** Mulberry32, a public-domain generator by Tommy Ettinger: the same numbers in every run. */
function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
