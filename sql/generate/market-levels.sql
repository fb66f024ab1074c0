-- market_levels: at-the-money volatility of each underlying and session. A sum of the last 63 draws is mean-reverting,
-- and sums of integer multiples of 1e-9 are exact. Volatility of companies rises before their reports.
WITH draws AS (
  SELECT
    tickers.number,
    ticker,
    volatility,
    session::INTEGER AS session,
    round(1e9 * normal(
      hash($seed, 'level', tickers.number, session), hash($seed, 'level, angle', tickers.number, session)
    ))::BIGINT AS step
  FROM market_tickers AS tickers
  CROSS JOIN range(-63, (SELECT count(*) FROM market_sessions)) AS sessions (session)
  WHERE has_options
),
wandered AS (
  SELECT
    *,
    sum(step) OVER (PARTITION BY number ORDER BY session ROWS BETWEEN 62 PRECEDING AND CURRENT ROW) AS level
  FROM draws
),
dated AS (
  SELECT
    wandered.*,
    date,
    closes.close
  FROM wandered
  JOIN market_closes AS closes USING (number, session)
)
SELECT
  dated.number,
  dated.ticker,
  dated.session,
  dated.date,
  dated.close,
  volatility * exp(0.22 * level / 1e9 / sqrt(63))
    * (1 + coalesce(0.35 * exp((dated.date - earnings.date) / 12), 0)) AS level
FROM dated
ASOF LEFT JOIN market_earnings AS earnings ON dated.number = earnings.number AND dated.date <= earnings.date
