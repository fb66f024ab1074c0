import { join } from 'node:path'
import { dates } from '../../../src/engine/bind.ts'
import type { Writer } from '../../../src/engine/writer.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { addDays } from '../../../src/market/day.ts'
import { isSession } from '../../../src/market/sessions.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { land, silent, writerForTest } from '../store/days.ts'

/** The sessions from January to July 2024. */
const SESSIONS: string[] = []
for (let day = '2024-01-02'; day <= '2024-07-31'; day = addDays(day, 1))
  if (isSession(day)) SESSIONS.push(day)

/**
 * Rows without a fault, by dataset. SPL has a declared split of four for one on 4 March. REU has no bars from February
 * to May, and then the same name in another spelling. Options on FULL at 100 dollars, on two days; the owners of the
 * call at 80 exercise it, so that its open interest falls without volume.
 */
const CLEAN: Readonly<Record<string, string>> = {
  daily_bars: `
    WITH days AS (SELECT unnest($days) AS date), stocks AS (
      SELECT 'FULL' AS ticker, date, 100.0 AS close, 100.0 AS adjusted_close FROM days
      UNION ALL SELECT 'SPL', date, if(date < '2024-03-04', 400.0, 100.0), 100.0 FROM days
      UNION ALL SELECT 'REU', date, if(date < '2024-02-01', 50.0, 60.0), NULL FROM days
        WHERE date < '2024-02-01' OR date >= '2024-06-03'
      UNION ALL SELECT 'F' || i, date, 10.0 + i, NULL FROM days, range(8) AS r(i)
    )
    SELECT ticker, date, close AS open, close AS high, close AS low, close, adjusted_close, 1000 AS volume FROM stocks`,
  tickers: `
    SELECT 'REU' AS ticker, unnest([DATE '2024-01-02', DATE '2024-06-03']) AS date,
      unnest(['Reuse Inc.', 'REUSE INC']) AS full_name`,
  option_chain_days: `
    WITH quotes(option_type, strike, bid, ask) AS (
      VALUES ('call', 80, 20.0, 20.4), ('call', 90, 11.0, 11.4), ('put', 90, 1.0, 1.2),
        ('call', 100, 3.0, 3.2), ('put', 100, 2.9, 3.1), ('call', 110, 0.9, 1.1), ('put', 110, 10.9, 11.3)
    )
    SELECT date, 'FULL' AS underlying_symbol,
      format('FULL240816{}{:08d}', upper(option_type[1]), strike * 1000) AS option_symbol,
      option_type, strike, DATE '2024-08-16' AS expiry, 100 AS multiplier, 'PM' AS settlement, bid, ask, bid AS last,
      100 AS volume, if(strike = 80 AND date = '2024-07-31', 0, 1000) AS open_interest, 100.0 AS underlying_price
    FROM quotes, (SELECT unnest([DATE '2024-07-30', DATE '2024-07-31']) AS date)`,
  option_trades: `
    SELECT uuid() AS id, DATE '2024-07-30' AS date, 'FULL' AS underlying_symbol,
      format('FULL240816{}{:08d}', upper(option_type[1]), strike * 1000) AS option_chain_id, option_type, strike,
      DATE '2024-08-16' AS expiry, 100 AS multiplier, TIMESTAMP '2024-07-30 14:00:00' AS executed_at, price, 1 AS size,
      price * 100 AS premium, 1 AS volume, 100.0 AS underlying_price, false AS canceled, false AS is_agg, 0 AS ask_vol,
      1 AS bid_vol, 0 AS mid_vol, 0 AS no_side_vol, 0 AS multi_vol, 0 AS stock_multi_vol, price AS nbbo_bid,
      ask AS nbbo_ask, []::VARCHAR[] AS tags, []::VARCHAR[] AS report_flags
    FROM (
      -- 18.2 is the bid of a wide quote, below the intrinsic value of 19.5.
      VALUES ('call', 80, 18.2, 21.0), ('put', 90, 1.0, 1.2), ('put', 110, 10.9, 11.3)
    ) AS trades(option_type, strike, price, ask)`,
  stock_bars: `
    SELECT 'FULL' AS ticker, DATE '2024-07-30' AS date, TIMESTAMP '2024-07-30 14:00:00' AS start, 100 AS open, 101 AS high,
      99 AS low, 100 AS close`,
  stock_splits: `SELECT 'F1' AS ticker, DATE '2023-06-01' AS date, 2 AS new_shares, 1 AS old_shares`,
  stock_trades: `
    SELECT DATE '2024-07-30' AS date, 'FULL' AS ticker, TIMESTAMP '2024-07-30 14:00:00' AS executed_at, 1 AS sequence,
      100 AS price, 1 AS size, 'Q' AS exchange, false AS canceled`,
  crypto_candles: `
    SELECT 'BTC-USD' AS pair, DATE '2024-07-30' AS date, TIMESTAMP '2024-07-30 14:00:00' AS start, 60 AS seconds, 5 AS open,
      6 AS high, 4 AS low, 5 AS close, 1 AS volume`,
  fx_quotes: `
    SELECT 'EUR' AS base, 'USD' AS quote, DATE '2024-07-30' AS date, TIMESTAMP '2024-07-30 14:00:00' AS time, 1.08 AS rate`,
}

/** A lake of `CLEAN` after the statements of `faults`. */
export async function plantedLake(faults: readonly string[]): Promise<{ lake: string; writer: Writer }> {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  for (const [name, select] of Object.entries(CLEAN)) {
    const columns = dataset(name).columns.map(column => `${column.name} ${column.type}`)
    await writer.run(`CREATE TEMP TABLE ${name} (${columns.join(', ')})`)
    await writer.run(`INSERT INTO ${name} BY NAME (${select})`, { days: dates(SESSIONS) })
  }
  for (const fault of faults) await writer.run(fault)
  for (const name of Object.keys(CLEAN)) {
    await writer.run(`CREATE OR REPLACE TEMP TABLE incoming AS FROM ${name}`)
    await land(writer, lake, dataset(name), [], silent)
  }
  return { lake, writer }
}
