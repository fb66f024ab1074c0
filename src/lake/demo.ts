import { dates, instants } from '../engine/bind.ts'
import type { Observe } from '../engine/observation.ts'
import { resources } from '../engine/resources.ts'
import { openWriter } from '../engine/writer.ts'
import { newYorkInstant } from '../market/new-york.ts'
import { isSession } from '../market/sessions.ts'
import { dataset } from './datasets.ts'
import { land } from './land.ts'

const FIRST_DAY = '2022-01-03'
const LAST_DAY = '2024-12-31'
const DAYS_WITH_BARS = 10
const SESSION_OPEN_MINUTES = 570
const DAY_MS = 86_400_000

/** Fills a lake with made-up daily and 1-minute bars: the same rows every time, in a few seconds. */
export async function landDemo(lake: string, observe: Observe): Promise<void> {
  const sessions = sessionsBetween(FIRST_DAY, LAST_DAY)
  const recent = sessions.slice(-DAYS_WITH_BARS)
  const writer = await openWriter({ directories: [lake] })
  try {
    const days = resources.read('sql/generate/demo-stock-days.sql')
    await writer.run(`CREATE TABLE incoming AS ${days}`, { sessions: dates(sessions) })
    await writer.run('CREATE TABLE demo_days AS SELECT * FROM incoming WHERE list_contains($recent, date)', {
      recent: dates(recent),
    })
    await land(writer, lake, dataset('stock_days'), [], observe)
    const bars = resources.read('sql/generate/demo-stock-bars.sql')
    await writer.run(`CREATE OR REPLACE TABLE incoming AS ${bars}`, {
      sessions: dates(recent),
      opens: instants(recent.map(day => newYorkInstant(day, SESSION_OPEN_MINUTES))),
    })
    await land(writer, lake, dataset('stock_bars'), [], observe)
  } finally {
    writer.close()
  }
}

function sessionsBetween(from: string, to: string): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: days }, (_, day) =>
    new Date(Date.parse(from) + day * DAY_MS).toISOString().slice(0, 10),
  ).filter(isSession)
}
