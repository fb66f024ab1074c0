import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'

/** The number of days that a notice names. */
const SHOWN = 5

/**
 * Collects the days in computed rows of price_adjustments that look like a split which stock_splits does not have, and
 * reports them in one notice.
 */
export function suspectedSplits(writer: Writer, observe: Observe) {
  const first: string[] = []
  let count = 0
  return {
    /** Takes the rows of a table. */
    async collect(table: string): Promise<void> {
      const rows = await writer.rows(`
        SELECT
          count(*)::DOUBLE AS count,
          min(concat(date, ' ', ticker, ' (', suspected_split, ')'), ${SHOWN}) AS first
        FROM ${table}
        WHERE suspected_split IS NOT NULL
        HAVING count > 0`)
      for (const row of rows) {
        count += Number(row.count)
        first.push(...(row.first as unknown as string[]))
      }
    },
    report(): void {
      if (count === 0) return
      const more = count > SHOWN ? ` and ${count - SHOWN} more` : ''
      observe({
        kind: 'notice',
        message: `warning: prices moved as by a split that stock_splits does not have: ${first.slice(0, SHOWN).join(', ')}${more}. Import the splits with "tapehouse import stock-splits", with a ratio of 1:1 where there was none`,
      })
    },
  }
}
