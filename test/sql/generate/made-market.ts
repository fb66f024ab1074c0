import type { Json } from '@duckdb/node-api'
import { openWriter, type Writer } from '../../../src/engine/writer.ts'
import {
  generateSpan,
  generateStocks,
  type Market,
  type MarketOptions,
  prepareMarket,
} from '../../../src/lake/generate/market.ts'
import { generateOptions } from '../../../src/lake/generate/options.ts'
import { REFERENCE_STEPS } from '../../../src/lake/generate/reference.ts'
import { type DatasetStep, SPAN_STEPS } from '../../../src/lake/generate/steps.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { THREADS } from '../../fixtures/threads.ts'

/** A market in memory: each dataset is a table of that name, with the dataset's own columns and constraints. */
export interface MadeMarket {
  readonly market: Market
  readonly writer: Writer
  /** Columns that a SELECT answered otherwise than the schema says, as `dataset.column type`; none if all is well. */
  readonly strays: readonly string[]
  rows(sql: string): Promise<Record<string, Json>[]>
  /** The only value of a query's only row, as a number. */
  figure(sql: string): Promise<number>
}

export const SMALL: Omit<MarketOptions, 'seed'> = { days: 3, tickers: 12, tradesPerDay: 2000 }
export const DATASETS = [
  'tickers',
  'daily_bars',
  'stock_bars',
  'stock_trades',
  'option_chain_days',
  'option_trades',
] as const

/** The steps of `generateSpan` that make every dataset, not only those of stocks and options. */
export const ALL_SPAN_STEPS: readonly DatasetStep[] = [...SPAN_STEPS, ...REFERENCE_STEPS]

export async function makeMarket(
  options: MarketOptions,
  threads = THREADS,
  spanSteps: readonly DatasetStep[] = SPAN_STEPS,
): Promise<MadeMarket> {
  const writer = await openWriter({ directories: ['/nowhere'], threads })
  const strays = new Set<string>()
  const take = async (name: string, table: string) => {
    const { columns, createSql } = dataset(name)
    await writer.run(createSql.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
    const made = await writer.rows(`DESCRIBE ${table}`)
    const wanted = columns.map(column => `${name}.${column.name} ${column.type}`)
    const got = made.map(row => `${name}.${row.column_name} ${row.column_type}`)
    for (const one of [
      ...wanted.filter(each => !got.includes(each)),
      ...got.filter(each => !wanted.includes(each)),
    ])
      strays.add(one)
    await writer.run(`INSERT INTO ${name} BY NAME FROM ${table}`)
  }
  const market = await prepareMarket(writer, options)
  await generateSpan(writer, market, take, spanSteps)
  for (const day of market.days) {
    await generateStocks(writer, market, day, take)
    await generateOptions(writer, market, day, take)
  }
  return {
    market,
    writer,
    strays: [...strays],
    rows: sql => writer.rows(sql),
    async figure(sql) {
      const [row = {}] = await writer.rows(sql)
      return Number(Object.values(row)[0])
    },
  }
}

/** Sums and exclusive ors of the rows' hashes, a dataset each: the same whatever the rows' order. */
export async function checksums({ rows }: MadeMarket): Promise<Record<string, Json>> {
  const sums: Record<string, Json> = {}
  for (const name of DATASETS) {
    const [row = {}] = await rows(
      `SELECT concat(count(*), ' ', sum(hash(t)), ' ', bit_xor(hash(t))) AS sum FROM ${name} AS t`,
    )
    sums[name] = row.sum ?? null
  }
  return sums
}
