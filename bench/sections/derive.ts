import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observation } from '../../src/engine/observation.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { derive } from '../../src/lake/derive/derive.ts'
import { generate } from '../../src/lake/generate/generate.ts'
import { showHeld } from '../../src/lake/import/held.ts'
import { type Draft, withDraft } from '../../src/lake/land/draft.ts'
import { land } from '../../src/lake/land/land.ts'
import { dataset } from '../../src/lake/store/datasets.ts'
import { derivations } from '../../src/lake/store/derivation.ts'
import type { Circumstances, Measured } from '../section.ts'

/**
 * Computes each derived dataset of a generated market, and of one with four times the tickers, trades and institutions.
 * The ratio is the growth of the processor time divided by that of the rows: a ratio above 1 means that it grows faster than
 * the rows. Rows are those of the inputs and the result together. Times below FLOOR_SECONDS are noise.
 */
const TIMES = 4
const FLOOR_SECONDS = 0.2
const MARKET = { seed: 7, days: 2, warmSessions: 60, tickers: 60, tradesPerDay: 60_000 }
const QUICK = { ...MARKET, warmSessions: 20, tickers: 10, tradesPerDay: 5000 }

/** A market has the same institutions whatever its size: gives each of them further ones with equal holdings. */
async function multiplyInstitutions(draft: Draft, times: number): Promise<void> {
  const holdings = dataset('institution_holdings')
  const view = await showHeld(draft, holdings)
  await draft.writer.run(
    `CREATE OR REPLACE TEMP TABLE incoming AS
     SELECT * EXCLUDE (copy) REPLACE ((cik::BIGINT + 100000 * copy)::VARCHAR AS cik)
     FROM (FROM ${view}) CROSS JOIN (SELECT range AS copy FROM range(${times})) AS copies`,
  )
  await land(draft, holdings)
}

interface Cost {
  readonly seconds: number
  readonly rows: number
}

const processorSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6

async function costs(options: typeof MARKET, institutions: number): Promise<Map<string, Cost>> {
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
  const lake = join(folder, 'lake')
  const writer = await openWriter({ directories: [folder], threads: 2 })
  try {
    await generate(writer, lake, options, () => {})
    const seconds = new Map<string, number>()
    let current = ''
    let since = processorSeconds()
    const turnTo = (dataset: string) => {
      const now = processorSeconds()
      seconds.set(current, (seconds.get(current) ?? 0) + now - since)
      current = dataset
      since = now
    }
    // Tasks are named "derive <dataset>" and "write <dataset>".
    const observe = (each: Observation) => each.kind === 'progress' && turnTo(each.task.split(' ')[1] ?? '')
    return await withDraft(writer, lake, observe, async draft => {
      await multiplyInstitutions(draft, institutions)
      turnTo('')
      await derive(draft, { afresh: true })
      turnTo('')
      const rowsOf = async (name: string) =>
        (await draft.manifests(dataset(name)))
          .flatMap(({ files }) => files)
          .reduce((sum, { rows }) => sum + rows, 0)
      const found = new Map<string, Cost>()
      for (const { dataset: derived, reads } of derivations().values()) {
        let rows = 0
        for (const name of new Set([derived.name, ...reads.map(each => each.dataset.name)]))
          rows += await rowsOf(name)
        found.set(derived.name, { seconds: seconds.get(derived.name) ?? 0, rows })
      }
      return found
    })
  } finally {
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function* derivation({ quick }: Circumstances): AsyncGenerator<Measured> {
  const market = quick ? QUICK : MARKET
  const { tickers, tradesPerDay } = market
  const small = await costs(market, 1)
  const large = await costs(
    { ...market, tickers: tickers * TIMES, tradesPerDay: tradesPerDay * TIMES },
    TIMES,
  )
  for (const [name, { seconds, rows }] of small) {
    const other = large.get(name) ?? { seconds: 0, rows: 0 }
    const growth = other.seconds / Math.max(seconds, FLOOR_SECONDS)
    yield {
      name: `${name}, ${TIMES} times the market`,
      ratio: growth / (other.rows / rows),
      target: { atMost: 1.2 },
      details: {
        'small, processor s': seconds,
        'large, processor s': other.seconds,
        'rows grow': other.rows / rows,
      },
    }
  }
}
