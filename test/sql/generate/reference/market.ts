import { openWriter, type Writer } from '../../../../src/engine/writer.ts'
import { generateSpan, prepareMarket } from '../../../../src/lake/generate/market.ts'
import { REFERENCE_STEPS } from '../../../../src/lake/generate/reference.ts'
import { THREADS } from '../../../fixtures/threads.ts'

/** The last session of every synthetic market. */
export const LAST_SESSION = '2024-12-31'

/** The markets of the quick tests: a small one, and one with stocks, funds, the index and an ADR. */
export const FEW: MarketShape = { seed: 1, tickers: 4, days: 2 }
export const MANY: MarketShape = { seed: 11, tickers: 12, days: 3 }

export interface MarketShape {
  readonly seed: number
  readonly tickers: number
  readonly days: number
  readonly threads?: number
}

export interface Market {
  readonly writer: Writer
  /** The first session of the warm-up. */
  readonly first: string
  close(): void
}

/**
 * A market in a writer of its own, without stocks and options: the market's tables, and one table a dataset of
 * REFERENCE_STEPS, named after it. The market closes with `close`.
 */
export async function makeMarket({ threads = THREADS, ...shape }: MarketShape): Promise<Market> {
  const writer = await openWriter({ directories: [], threads })
  const market = await prepareMarket(writer, { ...shape, tradesPerDay: 400 })
  const take = async (name: string, table: string) => writer.run(`ALTER TABLE ${table} RENAME TO ${name}`)
  await generateSpan(writer, market, take, REFERENCE_STEPS)
  return { writer, first: market.from, close: () => writer.close() }
}

const shared = new Map<string, Promise<Market>>()

/** A market that the test files of a worker share: they only read it, and it is never closed. */
export function sharedMarket(shape: MarketShape): Promise<Market> {
  const name = JSON.stringify(shape)
  const market = shared.get(name) ?? makeMarket(shape)
  shared.set(name, market)
  return market
}
