import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { integer } from '../src/engine/bind.ts'
import { openWriter } from '../src/engine/writer.ts'
import { generate } from '../src/lake/generate/generate.ts'
import type { MarketOptions } from '../src/lake/generate/market.ts'

/**
 * Generates complete lakes, including derived datasets, with two connections, as `tapehouse generate` does on two cores.
 * The time is compared with a baseline on the same machine at the same time: a table of hashed values with as many rows
 * as there are trades and as many columns, on one thread. `bench/generate.js demo` generates only the demo.
 */
const LAKES: Readonly<Record<string, MarketOptions>> = {
  demo: { seed: 7, days: 30, tickers: 50, tradesPerDay: 100_000 },
  day: { seed: 7, days: 1, tickers: 50, tradesPerDay: 5_000_000 },
}
const COLUMNS = 45
const LANES = 2
const MEMORY_BYTES_MAX = 4096 * 1024 ** 2

interface Took {
  readonly wall: number
  readonly processor: number
}

async function took(work: () => Promise<void>): Promise<Took> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - start) / 1000, processor: (user + system) / 1e6 }
}

async function lake(options: MarketOptions): Promise<Took> {
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
  const writer = await openWriter({ directories: [folder], threads: 1, memoryBytesMax: MEMORY_BYTES_MAX })
  try {
    return await took(async () => {
      await generate(writer, folder, options, () => {}, LANES)
    })
  } finally {
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bare({ days, tradesPerDay }: MarketOptions): Promise<Took> {
  const writer = await openWriter({ directories: ['/nowhere'], threads: 1, memoryBytesMax: MEMORY_BYTES_MAX })
  const columns = Array.from({ length: COLUMNS }, (_, column) => `hash(row, ${column}) AS column_${column}`)
  try {
    return await took(() =>
      writer.run(`CREATE TEMP TABLE rows AS SELECT ${columns.join(', ')} FROM range($rows) AS rows (row)`, {
        rows: integer(days * tradesPerDay),
      }),
    )
  } finally {
    writer.close()
  }
}

const [only] = process.argv.slice(2)
console.log(`two lanes, 4 GiB; Node ${process.version}`)
for (const [name, options] of Object.entries(LAKES)) {
  if (only !== undefined && only !== name) continue
  const yardstick = await bare(options)
  const ours = await lake(options)
  const amounts = `${options.days} x ${options.tradesPerDay.toLocaleString('en-US')} trades`
  console.log(
    `${name.padEnd(5)}${amounts.padEnd(22)} ${ours.wall.toFixed(1)} s, ${ours.processor.toFixed(1)} s of processor time` +
      ` = ${(ours.wall / yardstick.wall).toFixed(2)} times the bare rows' ${yardstick.wall.toFixed(1)} s`,
  )
}
