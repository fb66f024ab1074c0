import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observation } from '../src/engine/observation.ts'
import { openWriter } from '../src/engine/writer.ts'
import { derive } from '../src/lake/derive/derive.ts'
import { generate } from '../src/lake/generate/generate.ts'
import { withDraft } from '../src/lake/land/draft.ts'
import { derivations } from '../src/lake/store/derivation.ts'
import { loadSnapshot } from '../src/lake/store/snapshot.ts'

/**
 * Computes each derived dataset of a generated market, and of one with four times the tickers and trades, and prints how
 * much the processor time grows with the rows: a figure above 1 means faster than the rows. Rows are those of the inputs
 * and the result together. Times below FLOOR_SECONDS are noise.
 */
const TIMES = 4
const FLOOR_SECONDS = 0.2
const SMALL = { seed: 7, days: 2, warmSessions: 60, tickers: 60, tradesPerDay: 60_000 }
const LARGE = { ...SMALL, tickers: SMALL.tickers * TIMES, tradesPerDay: SMALL.tradesPerDay * TIMES }

interface Cost {
  readonly seconds: number
  readonly rows: number
}

const processorSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6

async function costs(options: typeof SMALL): Promise<Map<string, Cost>> {
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
  const lake = join(folder, 'lake')
  const writer = await openWriter({ directories: [folder], threads: 2 })
  try {
    await generate(writer, lake, options, () => {})
    const snapshot = await loadSnapshot(lake)
    const rowsOf = (name: string) => snapshot.files(name).reduce((sum, { rows }) => sum + rows, 0)
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
    await withDraft(writer, lake, observe, draft => derive(draft, { afresh: true }))
    turnTo('')
    return new Map(
      [...derivations().values()].map(({ dataset, reads }) => {
        const names = new Set([dataset.name, ...reads.map(each => each.dataset.name)])
        const rows = [...names].reduce((sum, name) => sum + rowsOf(name), 0)
        return [dataset.name, { seconds: seconds.get(dataset.name) ?? 0, rows }]
      }),
    )
  } finally {
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const small = await costs(SMALL)
const large = await costs(LARGE)
for (const [name, { seconds, rows }] of small) {
  const other = large.get(name) ?? { seconds: 0, rows: 0 }
  const growth = other.seconds / Math.max(seconds, FLOOR_SECONDS) / (other.rows / rows)
  console.log(
    `${name.padEnd(24)} ${rows} to ${other.rows} rows, ${seconds.toFixed(2)} to ${other.seconds.toFixed(2)} s: ${growth.toFixed(2)} times the growth of the rows`,
  )
}
