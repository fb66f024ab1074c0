import { autocorrelation } from '../../src/calculations/autocorrelation.ts'
import { covariance } from '../../src/calculations/covariance.ts'
import { histogram } from '../../src/calculations/histogram.ts'
import { kendall } from '../../src/calculations/kendall.ts'
import { maxDrawdown } from '../../src/calculations/max-drawdown.ts'
import { maximum } from '../../src/calculations/maximum.ts'
import { mean } from '../../src/calculations/mean.ts'
import { median } from '../../src/calculations/median.ts'
import { minimum } from '../../src/calculations/minimum.ts'
import { pearson } from '../../src/calculations/pearson.ts'
import { spearman } from '../../src/calculations/spearman.ts'
import { float64Vector } from '../../src/calculations/values/float64-vector.ts'
import { variance } from '../../src/calculations/variance.ts'
import { correlationTriangle, covarianceTriangle } from '../../test/calculations/to-the-end.ts'
import type { Circumstances, Measured } from '../section.ts'
import { plainAutocorrelation, plainDrawdown, plainHistogram, plainKendall } from './calculations-peers.ts'
import { dailyReturns, pricesOf } from './daily-returns.ts'

/**
 * Compares the kernels with simple-statistics or, where it has no such function, with plain JavaScript, on 500 symbols
 * with 10 years of daily returns. The implementations alternate for each group of symbols, with the numbers in the
 * processor's cache, as in the operation, which computes the returns first. Results are medians of the rounds.
 *
 * simple-statistics runs twice. "Same" uses the Float64Arrays of our vectors, which is the form of a column of the lake.
 * "Plain" uses arrays, as its types require. V8 is faster on arrays, and the time to copy them is not counted. Each
 * variant has its own copy of the library, because functions that have seen both kinds of array are slow on both.
 */
const SYMBOLS = 500
const RETURNS = 2520
const GROUP = 10
const PASSES = 3
const ROUNDS = 7

type Statistics = typeof import('simple-statistics')
const library = import.meta.resolve('simple-statistics')
const same = (await import(`${library}?same`)) as Statistics
const plain = (await import(`${library}?plain`)) as Statistics

const symbols = Array.from({ length: SYMBOLS }, (_, symbol) => {
  const returns = dailyReturns(symbol, RETURNS)
  const prices = pricesOf(returns)
  return {
    vector: float64Vector(returns),
    // Typed arrays work in spite of the types: the library only uses indexes, `slice` and `length`.
    same: returns as unknown as number[],
    plain: Array.from(returns),
    priceVector: float64Vector(prices),
    plainPrices: Array.from(prices),
  }
})

type Prepared = (typeof symbols)[number]

/** Computes a statistic of a symbol, or of a symbol and the next one. */
type Side = (of: Prepared, next: Prepared) => unknown

/** Median time of each side in microseconds per symbol. */
function time(sides: readonly Side[], count: number): number[] {
  const rounds = sides.map(() => new Float64Array(ROUNDS))
  for (let round = -1; round < ROUNDS; round++) {
    for (let group = 0; group < count; group += GROUP) {
      const members = symbols.slice(group, Math.min(group + GROUP, count))
      sides.forEach((side, s) => {
        pass(side, members)
        const start = performance.now()
        for (let i = 0; i < PASSES; i++) pass(side, members)
        const took = ((performance.now() - start) * 1000) / PASSES / count
        // Round -1 warms up the compiler.
        const figures = rounds[s] as Float64Array
        if (round >= 0) figures[round] = (figures[round] as number) + took
      })
    }
  }
  return rounds.map(figures => figures.sort()[ROUNDS >> 1] as number)
}

function pass(side: Side, members: readonly Prepared[]): void {
  for (let i = 0; i < members.length; i++) {
    side(members[i] as Prepared, members[(i + 1) % members.length] as Prepared)
  }
}

/** Measures our kernel and its peers. The ratio is the time of the last peer divided by ours. */
function compared(name: string, count: number, peers: readonly string[], sides: readonly Side[]): Measured {
  const [ours = 0, ...theirs] = time(sides, count)
  const details = Object.fromEntries(peers.map((peer, index) => [`${peer}, us`, theirs[index] ?? 0]))
  return { name, ratio: (theirs.at(-1) ?? 0) / ours, details: { 'ours, us': ours, ...details } }
}

/** Functions of simple-statistics with the corresponding kernels. */
const ofOne = { min: minimum, max: maximum, mean, median, variance } as const
const ofTwo = {
  sampleCovariance: covariance,
  sampleCorrelation: pearson,
  sampleRankCorrelation: spearman,
} as const

const others: [name: string, count: number, ours: Side, peer: Side][] = [
  ['histogram(bins=20)', SYMBOLS, of => histogram(of.vector, 20), of => plainHistogram(of.plain, 20)],
  [
    'autocorrelation(lag=1)',
    SYMBOLS,
    of => autocorrelation(of.vector, 1),
    of => plainAutocorrelation(of.plain, 1),
  ],
  ['max drawdown', SYMBOLS, of => maxDrawdown(of.priceVector), of => plainDrawdown(of.plainPrices)],
  ['Kendall', 2, (x, y) => kendall(x.vector, y.vector), (x, y) => plainKendall(x.plain, y.plain)],
]

/** The same pairs one by one. */
const eachPair = (kernel: typeof covariance) => () =>
  chosen.map((x, i) => chosen.slice(0, i + 1).map(y => kernel(x, y)))

const chosen = symbols.slice(0, 20).map(of => of.vector)
const matrices: [name: string, ours: Side, peer: Side][] = [
  ['COVARIANCE', () => covarianceTriangle(chosen), eachPair(covariance)],
  ['CORRELATION, Pearson', () => correlationTriangle(chosen, 'PEARSON'), eachPair(pearson)],
  ['CORRELATION, Spearman', () => correlationTriangle(chosen, 'SPEARMAN'), eachPair(spearman)],
  ['CORRELATION, Kendall', () => correlationTriangle(chosen, 'KENDALL'), eachPair(kendall)],
]

const TARGET = { atLeast: 2 }

export async function* calculations({ quick }: Circumstances): AsyncGenerator<Measured> {
  const peers = ['simple-statistics on typed arrays', 'simple-statistics on arrays']
  const all = quick ? GROUP : SYMBOLS
  for (const name of Object.keys(ofOne) as (keyof typeof ofOne)[]) {
    const [ours, onSame, onPlain] = [ofOne[name], same[name], plain[name]]
    const sides: Side[] = [of => ours(of.vector), of => onSame(of.same), of => onPlain(of.plain)]
    yield { ...compared(name, all, peers, sides), target: TARGET }
  }
  for (const name of Object.keys(ofTwo) as (keyof typeof ofTwo)[]) {
    const [ours, onSame, onPlain] = [ofTwo[name], same[name], plain[name]]
    const sides: Side[] = [
      (x, y) => ours(x.vector, y.vector),
      (x, y) => onSame(x.same, y.same),
      (x, y) => onPlain(x.plain, y.plain),
    ]
    // Its rank correlation takes 10 ms per pair.
    yield { ...compared(name, name === 'sampleRankCorrelation' ? GROUP : all, peers, sides), target: TARGET }
  }
  for (const [name, count, ours, peer] of others)
    yield compared(name, Math.min(count, all), ['plain JavaScript'], [ours, peer])
  for (const [name, ours, peer] of matrices)
    yield compared(`20 x 20 matrix, ${name}`, 1, ['each pair'], [ours, peer])
}
