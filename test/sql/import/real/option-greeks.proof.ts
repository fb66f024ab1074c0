import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type OptionTerms, optionGreeks } from '../../../../src/market/black-scholes.ts'
import { daysBetween } from '../../../../src/market/day.ts'
import { impliedVolatility } from '../../../../src/market/implied-volatility.ts'
import { parseCsv } from '../../../lake/import/importing.ts'
import { importingFormat } from '../formats.ts'

const REAL = '../shared/realdata'
const CHAINS = `${REAL}/options/cboe_delayed_2023-09-14`
const YIELDS = `${REAL}/econ/treasury_daily`
const DAY = '2023-09-14'

/** The columns of IV, delta and gamma of the call and the put. */
const FIGURES = [7, 8, 9, 18, 19, 20]

/** What a chain says of a contract, and what was computed without its figures. */
interface Compared {
  readonly symbol: string
  readonly strike: number
  readonly bid: number
  readonly ask: number
  /** Cboe's. */
  readonly iv: number
  readonly delta: number
  readonly ours: Figures
  /** Without interest and dividends. */
  readonly plain: Figures
  readonly terms: OptionTerms
}

interface Figures {
  readonly iv: number
  readonly delta: number
}

const NONE: Figures = { iv: Number.NaN, delta: Number.NaN }

/** The text of a chain with 0 in place of each figure, which means that Cboe did not compute it. */
const stripped = (text: string) =>
  text
    .split('\n')
    .map(line => {
      const values = line.split(',')
      return values.length < 22 || !/^[A-Z][a-z]{2} /.test(line)
        ? line
        : values.map((value, index) => (FIGURES.includes(index) ? '0' : value)).join(',')
    })
    .join('\n')

/** Imports the treasury yields and a chain without its figures. */
async function compare(name: string): Promise<Compared[]> {
  const text = readFileSync(join(CHAINS, name), 'utf8')
  const at = importingFormat('option-chain')
  await at.import([YIELDS], { format: 'fred' })
  await at.import([at.file(name, stripped(text))])
  const rows = await at.rows(
    'SELECT option_symbol, underlying_price, rate, forward, implied_volatility, delta FROM bars',
    'option_greek_days',
  )
  const computed = new Map(rows.map(row => row.split(' ')).map(([symbol, ...values]) => [symbol, values]))
  expect(computed.size).toBeGreaterThan(7000)
  const lines = parseCsv(text).filter(([expiry = '']) => /^[A-Z][a-z]{2} [A-Z]/.test(expiry))
  return lines.flatMap(line =>
    [1, 12].map(start => {
      const [symbol = '', , , bid, ask, , iv, delta] = line.slice(start)
      const [spot, rate, forward, ...own] = (computed.get(symbol) ?? []).map(Number)
      const expiry = `20${symbol.slice(-15, -13)}-${symbol.slice(-13, -11)}-${symbol.slice(-11, -9)}`
      const years = daysBetween(DAY, expiry) / 365
      const contract = {
        type: start === 1 ? 'call' : 'put',
        spot: Number(spot),
        strike: Number(line[11]),
        years,
      } as const
      const without = { ...contract, rate: 0, dividendYield: 0 }
      const plain = years > 0 ? impliedVolatility(without, (Number(bid) + Number(ask)) / 2) : null
      return {
        symbol,
        strike: contract.strike,
        bid: Number(bid),
        ask: Number(ask),
        iv: Number(iv),
        delta: Number(delta),
        ours: { iv: own[0] ?? Number.NaN, delta: own[1] ?? Number.NaN },
        plain: plain === null ? NONE : { iv: plain, delta: optionGreeks(without, plain).delta },
        terms: {
          ...contract,
          rate: Number(rate),
          dividendYield: Number(rate) - Math.log(Number(forward) / Number(spot)) / years,
        },
      }
    }),
  )
}

/** A price of at least 0.05 with a spread of at most a tenth, of a contract that is neither certain nor hopeless. */
const isSane = ({ bid, ask, iv, delta }: Compared) =>
  bid >= 0.05 && ask - bid <= 0.05 * (ask + bid) && iv > 0 && Math.abs(delta) > 0.02 && Math.abs(delta) < 0.98

/** The call and the put of each strike, of one expiry, within 5 % of the underlying. */
const nearPairs = (all: readonly Compared[]) =>
  all.flatMap((call, index) => {
    const put = all[index + 1]
    return call.terms.type === 'call' &&
      put?.symbol.slice(-8) === call.symbol.slice(-8) &&
      Math.abs(call.strike / call.terms.spot - 1) < 0.05
      ? [[call, put] as const]
      : []
  })

function quantile(values: readonly number[], share: number): number {
  // A missing figure is as wrong as can be.
  const sorted = values.map(value => (Number.isNaN(value) ? 1 : value)).toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Median and 95th percentile of the differences from Cboe, and of the call's volatility from the put's. */
function differences(all: readonly Compared[], kind: 'plain' | 'ours') {
  const sane = all.filter(isSane)
  const gaps = nearPairs(all).filter(pair => pair.every(isSane))
  const both = (values: readonly number[]) => [0.5, 0.95].map(share => quantile(values, share))
  return {
    contracts: sane.length,
    iv: both(sane.map(each => Math.abs(each[kind].iv - each.iv))),
    delta: both(sane.map(each => Math.abs(each[kind].delta - each.delta))),
    gap: both(gaps.map(([call, put]) => Math.abs(call[kind].iv - put[kind].iv))),
  }
}

const shown = (pair: readonly number[]) =>
  pair
    .map(each => each.toFixed(4))
    .join(' ')
    .replaceAll('NaN', '-')

/** Prints the differences of contracts before and after, and answers them. */
function table(name: string, all: readonly Compared[]) {
  const found = { before: differences(all, 'plain'), after: differences(all, 'ours') }
  for (const [kind, { contracts, iv, delta, gap }] of Object.entries(found))
    process.stdout.write(
      `${name}, ${kind}: ${contracts} contracts, IV ${shown(iv)}, delta ${shown(delta)}, call to put ${shown(gap)}\n`,
    )
  return found
}

describe.skipIf(!existsSync(CHAINS) || !existsSync(YIELDS))('a chain of Cboe without its figures', () => {
  test('gets those of Cboe, of European options, and calls and puts agree within their quotes', async () => {
    const xsp = await compare('xsp_quotedata.csv')
    const { before, after } = table('XSP', xsp)
    expect(after.contracts).toBeGreaterThan(4500)
    // Cboe prints four digits, and its own volatilities of a call and a put differ by 0.005 in the median.
    expect(after.iv[0]).toBeLessThan(0.002)
    expect(after.iv[1]).toBeLessThan(0.025)
    expect(after.delta[0]).toBeLessThan(0.003)
    expect(after.delta[1]).toBeLessThan(0.01)
    expect(before.delta[0]).toBeGreaterThan(0.05)

    const pairs = nearPairs(xsp).filter(pair => pair.every(({ bid, ask }) => bid > 0 && ask > bid))
    const within = pairs.filter(([call, put]) => {
      // The volatilities of bid and ask. A bid below the intrinsic value has none.
      const [one, other] = [call, put].map(({ terms, bid, ask }) => ({
        low: impliedVolatility(terms, bid) ?? 0,
        high: impliedVolatility(terms, ask) ?? Number.POSITIVE_INFINITY,
      }))
      return one && other && one.low <= other.high && other.low <= one.high
    })
    process.stdout.write(
      `XSP: of ${pairs.length} pairs near the money ${within.length} agree in their quotes\n`,
    )
    expect(pairs.length).toBeGreaterThan(800)
    expect(within.length / pairs.length).toBeGreaterThan(0.99)
  }, 300_000)

  test('gets those of Cboe, of American options out of the money', async () => {
    const spy = await compare('spy_quotedata.csv')
    const isInside = ({ delta }: Compared) => Math.abs(delta) > 0.5
    table('SPY', spy)
    table(
      'SPY in the money',
      spy.filter(each => isInside(each)),
    )
    const { before, after } = table(
      'SPY out of the money',
      spy.filter(each => !isInside(each)),
    )
    expect(after.contracts).toBeGreaterThan(1200)
    expect(after.iv[0]).toBeLessThan(0.002)
    expect(after.delta[0]).toBeLessThan(0.006)
    expect(before.iv[0]).toBeGreaterThan(0.008)
  }, 300_000)
})
