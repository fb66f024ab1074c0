import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { files } from '../../src/engine/bind.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { generate } from '../../src/lake/generate/generate.ts'
import type { MarketOptions } from '../../src/lake/generate/market.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'

/** The market of `tapehouse demo`, which the figures of the documentation are about. */
export const DEMO: MarketOptions = { seed: 1, days: 30, tickers: 50, tradesPerDay: 100_000 }
/** A market that is generated in seconds. */
export const SMALL: MarketOptions = { seed: 1, days: 3, tickers: 20, tradesPerDay: 10_000 }

/** What is made once is kept here: `folder`, complete, or made by `make`. */
export async function madeOnce(folder: string, make: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  await make(unfinished)
  renameSync(unfinished, folder)
  return folder
}

/** A generated lake, kept in the folder of the benchmarks. */
export function benchLake(folder: string, market: MarketOptions): Promise<string> {
  const { seed, days, tickers, tradesPerDay } = market
  return madeOnce(join(folder, `lake-${seed}-${days}-${tickers}-${tradesPerDay}`), async lake => {
    const writer = await openWriter({ directories: [lake], threads: 1, memoryBytesMax: 4 * 1024 ** 3 })
    await generate(writer, lake, market, () => {}, 2)
    writer.close()
  })
}

/** Datasets that peers load, each in one file, and those that have a file per day. */
const TABLES = [
  ...['flow_alerts', 'tickers', 'insider_trades', 'crypto_candles', 'congress_trades', 'stock_days'],
  ...['etf_holdings', 'option_ticker_days'],
]
const TABLES_BY_DAY = ['option_trades', 'contract_days', 'option_chain_days', 'price_levels']

/**
 * The data that peers load: Parquet files in the order and with the row groups of the lake, in the layout that a person
 * would choose, `<dataset>.parquet` or `<dataset>/<day>.parquet`.
 */
export function exported(lake: string): Promise<string> {
  return madeOnce(`${lake}-exported`, async folder => {
    const snapshot = await loadSnapshot(lake)
    const writer = await openWriter({ directories: [folder, lake] })
    for (const table of TABLES) {
      const paths = files(snapshot.files(table).map(({ path }) => path))
      await writer.run(
        `COPY (FROM read_parquet($paths, hive_partitioning = false))
         TO '${join(folder, table)}.parquet' (FORMAT parquet, COMPRESSION zstd)`,
        { paths },
      )
    }
    for (const table of TABLES_BY_DAY) {
      mkdirSync(join(folder, table))
      for (const { path, dates } of snapshot.files(table))
        copyFileSync(path, join(folder, table, `${dates[0]}.parquet`))
    }
    writer.close()
  })
}
