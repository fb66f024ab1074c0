import { openWriter, type Writer } from '../../../../src/engine/writer.ts'
import { generateSpan, prepareMarket } from '../../../../src/lake/generate/market.ts'
import { REFERENCE_STEPS } from '../../../../src/lake/generate/reference.ts'

/** The last session of every synthetic market. */
export const LAST_SESSION = '2024-12-31'

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
export async function makeMarket({ threads = 2, ...shape }: MarketShape): Promise<Market> {
  const writer = await openWriter({ directories: [], threads })
  const market = await prepareMarket(writer, { ...shape, tradesPerDay: 400 })
  const take = async (name: string, table: string) => writer.run(`ALTER TABLE ${table} RENAME TO ${name}`)
  await generateSpan(writer, market, take, REFERENCE_STEPS)
  return { writer, first: market.from, close: () => writer.close() }
}
