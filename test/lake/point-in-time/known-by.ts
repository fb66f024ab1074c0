import { date, files } from '../../../src/engine/bind.ts'
import type { Writer } from '../../../src/engine/writer.ts'
import { derive } from '../../../src/lake/derive/derive.ts'
import { withDraft } from '../../../src/lake/land/draft.ts'
import { land } from '../../../src/lake/land/land.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import type { Snapshot } from '../../../src/lake/store/snapshot.ts'
import { columnList } from '../../../src/lake/store/sorted-files.ts'

/** 20:00 New York on $day, in UTC. */
const EVENING = `(($day + TIME '20:00') AT TIME ZONE 'America/New_York' AT TIME ZONE 'UTC')`

/**
 * What had been published by 20:00 New York on $day, of each dataset that is imported: written from docs/point-in-time.md,
 * not from the schemas, so that the two are compared.
 */
export const KNOWN_BY: Readonly<Record<string, string>> = {
  alerts: `created_at <= ${EVENING}`,
  cash_flow_statements: 'updated_at < $day + 1',
  congress_trades: 'filed_at_date <= $day',
  crypto_candles: `epoch(start) + seconds <= epoch(${EVENING})`,
  daily_bars: 'date <= $day',
  // Daily and weekly rates, then months, quarters, half-years and years by the days after their end.
  economic_points: `CASE
    WHEN interval = 'daily' THEN
      (SELECT count(*) FROM range(date + 1, $day + 1, INTERVAL 1 DAY) AS later (day) WHERE dayofweek(day) BETWEEN 1 AND 5) >= 2
    WHEN interval = 'weekly' THEN date <= $day - 10
    ELSE date + CASE interval
        WHEN 'monthly' THEN INTERVAL 1 MONTH
        WHEN 'quarterly' THEN INTERVAL 3 MONTHS
        WHEN 'semiannual' THEN INTERVAL 6 MONTHS
        WHEN 'annual' THEN INTERVAL 1 YEAR
      END <= $day - CASE
        WHEN indicator IN ('treasury-yield', 'fed-funds') THEN 5
        WHEN indicator IN ('unemployment', 'payrolls') THEN 12
        WHEN indicator IN ('cpi', 'retail-sales') THEN 20
        WHEN indicator = 'inflation' THEN 200
        ELSE 31
      END
  END`,
  // The weekday after the date of the list.
  etf_holdings:
    'date < $day AND NOT (isodow(date) = 5 AND $day < date + 3) AND NOT (isodow(date) = 6 AND $day < date + 2)',
  etfs: 'date <= $day',
  fec_committees: 'cycle_end <= $day',
  fec_contributions: `CASE
    WHEN month(coalesce(date, cycle_end)) < 7 THEN $day >= (year(date)::VARCHAR || '-07-31')::DATE
    ELSE year($day) > year(coalesce(date, cycle_end)) + 1
      OR (year($day) = year(coalesce(date, cycle_end)) + 1 AND dayofyear($day) >= 31)
  END`,
  fx_quotes: `time <= ${EVENING}`,
  insider_trades: 'filing_date <= $day',
  insiders: 'updated_on <= $day',
  institution_holdings: 'filing_date <= $day',
  institutions: 'updated_on <= $day',
  lobbying_reports: `CASE
    WHEN year(period_start) < 2008 THEN period_start + INTERVAL 6 MONTHS + INTERVAL 47 DAYS
    ELSE period_start + INTERVAL 3 MONTHS + INTERVAL 22 DAYS
  END <= $day`,
  option_chain_days: 'date <= $day',
  option_trades: 'date <= $day',
  posts: `timestamp <= ${EVENING}`,
  prediction_books: `timestamp <= ${EVENING}`,
  prediction_markets: 'updated_at < $day + 1',
  prediction_positions: 'date <= $day AND created_at < $day + 1',
  stock_bars: 'date <= $day',
  stock_dividends: 'ex_date <= $day OR declared_date <= $day',
  stock_splits: 'date <= $day',
  stock_trades: 'date <= $day',
  tickers: 'date <= $day',
}

/** Makes a lake of the rows of another that had been published by `day`, as if nothing had ever been imported later. */
export async function rebuildAsOf(writer: Writer, from: Snapshot, day: string, lake: string): Promise<void> {
  await withDraft(
    writer,
    lake,
    () => {},
    async draft => {
      for (const [name, condition] of Object.entries(KNOWN_BY)) {
        const paths = from.files(name).map(({ path }) => path)
        if (paths.length === 0) continue
        await writer.run(
          `CREATE OR REPLACE TEMP TABLE incoming AS
           SELECT ${columnList(dataset(name))} FROM read_parquet($files, hive_partitioning = false) WHERE ${condition}`,
          { files: files(paths), ...(condition.includes('$day') ? { day: date(day) } : {}) },
        )
        await land(draft, dataset(name))
      }
      await derive(draft)
      // The market's days are closed; as of `day`, those up to it were.
      await draft.publish({ generated: null, closed: day })
    },
  )
}
