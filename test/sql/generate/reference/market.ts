import { date, integer } from '../../../../src/engine/bind.ts'
import { resources } from '../../../../src/engine/resources.ts'
import { openWriter, type Writer } from '../../../../src/engine/writer.ts'
import { REFERENCE_STEPS } from '../../../../src/lake/generate/reference.ts'
import { newYorkInstant } from '../../../../src/market/new-york.ts'
import { isSession, sessionClose } from '../../../../src/market/sessions.ts'

/** The last session of every synthetic market. */
export const LAST_SESSION = '2024-12-31'
const WARM_UP = 260
const DAY_MS = 86_400_000
const OPEN_MINUTES = 570

/** The macros that the reference steps use. */
const MACROS = [
  'unit(h) AS ((h >> 11) + 0.5) / 9007199254740992.0',
  'normal(h, g) AS sqrt(-2 * ln(unit(h))) * cos(2 * pi() * unit(g))',
  'pick(h, list) AS list[1 + (h % len(list))::BIGINT]',
  "is_company(issue_type) AS issue_type IN ('Common Stock', 'ADR')",
]

export interface MarketShape {
  readonly seed: number
  readonly tickers: number
  readonly days: number
  readonly threads?: number
}

export interface Market {
  readonly writer: Writer
  readonly first: string
  close(): void
}

/** The last `count` sessions up to LAST_SESSION, ascending. */
function lastSessions(count: number): string[] {
  const found: string[] = []
  for (let ms = Date.parse(LAST_SESSION); found.length < count; ms -= DAY_MS) {
    const day = new Date(ms).toISOString().slice(0, 10)
    if (isSession(day)) found.unshift(day)
  }
  return found
}

/**
 * A small market in a writer of its own: the tables that the steps stand on, of plain made-up rows, then one table a
 * dataset, named after it. The market closes with `close`.
 */
export async function makeMarket({ seed, tickers, days, threads = 2 }: MarketShape): Promise<Market> {
  const writer = await openWriter({ directories: [], threads })
  const sessions = lastSessions(WARM_UP + days)
  for (const macro of MACROS) await writer.run(`CREATE TEMP MACRO ${macro}`)
  const rows = sessions.map((day, number) => {
    const instantOf = (minutes: number) => new Date(newYorkInstant(day, minutes)).toISOString().slice(0, 19)
    const closes = instantOf(sessionClose(day))
    return `(${number}, DATE '${day}', TIMESTAMP '${instantOf(OPEN_MINUTES)}', TIMESTAMP '${closes}', ${number < WARM_UP})`
  })
  await writer.run(
    `CREATE TEMP TABLE market_sessions AS
     SELECT * FROM (VALUES ${rows.join(', ')}) AS sessions (number, date, opens, closes, warm)`,
  )
  await writer.run(
    `CREATE TEMP TABLE market_tickers AS
     SELECT t::INTEGER AS number, ticker, ticker || ' Works Inc' AS full_name, ticker AS short_name,
       CASE WHEN issue_type IN ('Common Stock', 'ADR') THEN ['Technology', 'Energy', 'Healthcare'][1 + t % 3] END AS sector,
       'Made-up industry' AS industry_type, issue_type, 1000000 * (20 + t * t)::BIGINT AS shares_outstanding,
       0.02::DOUBLE AS volatility, t % 9 <> 8 AS has_options
     FROM (
       SELECT t,
         coalesce(['ACME', 'BRASS', 'CEDAR', 'DELTA', 'EMBER', 'FJORD', 'GROVE'][t + 1], format('T{:03d}', t)) AS ticker,
         CASE WHEN t IN (5, 7, 8) THEN 'ETF' WHEN t = 6 THEN 'Index' WHEN t = 9 THEN 'ADR' ELSE 'Common Stock' END AS issue_type
       FROM range(${tickers}) AS numbers(t)
     )`,
  )
  await writer.run(
    `CREATE TEMP TABLE market_days AS
     SELECT ticker, date, close - 0.5 AS open, close + 1 AS high, close - 1 AS low, close, 1000000::BIGINT AS volume
     FROM (
       SELECT ticker, date,
         (20 + 10 * t.number + s.number * 0.05 + hash(ticker, date) % 100 / 100)::DECIMAL(18, 2)::DECIMAL(18, 6) AS close
       FROM market_tickers AS t CROSS JOIN market_sessions AS s
     )`,
  )
  const first = sessions[0] ?? ''
  for (const step of REFERENCE_STEPS) {
    await writer.run(`CREATE TEMP TABLE ${step.dataset} AS ${resources.read(step.sql)}`, {
      seed: integer(seed),
      from: date(first),
      to: date(LAST_SESSION),
    })
  }
  return { writer, first, close: () => writer.close() }
}
