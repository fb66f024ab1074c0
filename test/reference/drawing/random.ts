/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  /** True with a probability. */
  chance(probability: number): boolean
  /** One of several, which must not be empty. */
  of<T>(values: readonly T[]): T
}

/** The generator mulberry32 by Tommy Ettinger, with 32 bits of state. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: probability => next() < probability,
    of: values => values[Math.floor(next() * values.length)] as (typeof values)[number],
  }
}
