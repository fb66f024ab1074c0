import { performance } from 'node:perf_hooks'
import { integer } from '../src/engine/bind.ts'
import { openWriter } from '../src/engine/writer.ts'
import { generateStocks, prepareMarket } from '../src/lake/generate-market.ts'
import { generateOptions } from '../src/lake/generate-options.ts'

/**
 * One day of a synthetic market against the least that so many rows cost: a table of as many rows and columns of plain
 * hashed values. 2 threads and 2 GiB of engine memory; seconds of wall time, one run each after a small one.
 */
const SIZES = [
  { tickers: 50, tradesPerDay: 100_000 },
  { tickers: 500, tradesPerDay: 5_000_000 },
] as const
const COLUMNS = 45

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Seconds to make a day's rows, and of these the option trades alone; nothing is written to a lake. */
async function ours(tickers: number, tradesPerDay: number) {
  const writer = await openWriter({ directories: ['/nowhere'], threads: 2 })
  const market = await prepareMarket(writer, { seed: 7, days: 1, tickers, tradesPerDay })
  const contracts: string[] = []
  const day = await seconds(async () => {
    await generateStocks(writer, market, market.to, async (_, table) => writer.run(`DROP TABLE ${table}`))
    await generateOptions(writer, market, market.to, async (dataset, table) => {
      if (dataset !== 'option_chain_days') return
      const [row = {}] = await writer.rows(`SELECT count(*) AS contracts FROM ${table}`)
      contracts.push(String(row.contracts))
    })
  })
  writer.close()
  return { day, contracts: contracts.join() }
}

async function bare(rows: number): Promise<number> {
  const writer = await openWriter({ directories: ['/nowhere'], threads: 2 })
  const columns = Array.from({ length: COLUMNS }, (_, column) => `hash(row, ${column}) AS column_${column}`)
  const took = await seconds(() =>
    writer.run(`CREATE TEMP TABLE rows AS SELECT ${columns.join(', ')} FROM range($rows) AS rows (row)`, {
      rows: integer(rows),
    }),
  )
  writer.close()
  return took
}

await ours(5, 1000)
console.log(`one generated day; 2 threads, 2 GiB; Node ${process.version}`)
console.log(
  `${'trades'.padStart(10)}${'contracts'.padStart(11)}${'ours, s'.padStart(10)}${'bare rows, s'.padStart(14)}${'ratio'.padStart(8)}`,
)
for (const { tickers, tradesPerDay } of SIZES) {
  const peer = await bare(tradesPerDay)
  const { day, contracts } = await ours(tickers, tradesPerDay)
  const cells = [
    String(tradesPerDay).padStart(10),
    contracts.padStart(11),
    day.toFixed(2).padStart(10),
    peer.toFixed(2).padStart(14),
    `${(day / peer).toFixed(1)}x`.padStart(8),
  ]
  console.log(cells.join(''))
}
