import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { integer } from '../../src/engine/bind.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { generate } from '../../src/lake/generate/generate.ts'
import type { MarketOptions } from '../../src/lake/generate/market.ts'
import { DEMO, SMALL } from '../measure/bench-lake.ts'
import type { Circumstances, Measured } from '../section.ts'

/**
 * Generates complete lakes, including derived datasets, with two connections, as `tapehouse generate` does on two cores.
 * The processor time is compared with a baseline on the same machine at the same time: a table of hashed values with as many rows
 * as there are trades and as many columns, on one thread.
 */
const DAY: MarketOptions = { ...DEMO, days: 1, tradesPerDay: 2_000_000 }
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

export async function* generation({ quick }: Circumstances): AsyncGenerator<Measured> {
  const markets = quick
    ? { small: SMALL }
    : { 'ten days of the demo': { ...DEMO, days: 10 }, 'day of 2,000,000 trades': DAY }
  for (const [name, market] of Object.entries(markets)) {
    const yardstick = await bare(market)
    const ours = await lake(market)
    yield {
      name,
      ratio: ours.processor / yardstick.processor,
      details: {
        'ours, processor s': ours.processor,
        'ours, s': ours.wall,
        'bare rows, processor s': yardstick.processor,
      },
    }
  }
}
