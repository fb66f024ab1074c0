import { dates, integers, texts } from '../../engine/bind.ts'
import type { Writer } from '../../engine/writer.ts'
import { addDays } from '../../market/day.ts'
import { isSession } from '../../market/sessions.ts'
import { SESSION_DATASETS } from '../contents/sessions.ts'
import type { LoadedSnapshot } from '../store/snapshot.ts'

/**
 * Creates the tables that checks join: `held_days` with the number of rows of each day of the datasets that have rows on
 * each session, and `sessions` with each session between the first and the last of these days and the session before it.
 */
export async function makeDayTables(
  writer: Pick<Writer, 'run'>,
  snapshot: Pick<LoadedSnapshot, 'days'>,
): Promise<void> {
  const rows = SESSION_DATASETS.flatMap(name =>
    [...(snapshot.days(name) ?? [])].map(([day, held]) => ({ dataset: name, day, rows: held })),
  )
  await writer.run(
    `CREATE OR REPLACE TEMP TABLE held_days AS
     SELECT unnest($datasets) AS dataset, unnest($days) AS date, unnest($rows) AS row_count`,
    {
      datasets: texts(rows.map(({ dataset }) => dataset)),
      days: dates(rows.map(({ day }) => day)),
      rows: integers(rows.map(each => each.rows)),
    },
  )
  const days = rows.map(({ day }) => day).toSorted()
  const sessions = sessionsBetween(days[0] ?? '', days.at(-1) ?? '')
  await writer.run(
    `CREATE OR REPLACE TEMP TABLE sessions AS
     SELECT unnest($sessions) AS date, unnest($previous) AS previous`,
    { sessions: dates(sessions.slice(1)), previous: dates(sessions.slice(0, -1)) },
  )
}

/** All sessions from one day to another, inclusive. */
function sessionsBetween(from: string, to: string): string[] {
  const sessions: string[] = []
  for (let day = from; day !== '' && day <= to; day = addDays(day, 1)) if (isSession(day)) sessions.push(day)
  return sessions
}
