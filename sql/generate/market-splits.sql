-- market_splits: splits of the span, at most one a ticker. DELTA gives two shares for one in the middle of the
-- warm-up, from the opening of that session on.
SELECT
  market_tickers.number,
  ticker,
  sessions.date,
  2 AS units
FROM market_tickers
JOIN market_sessions AS sessions ON sessions.number = (SELECT count(*) // 2 FROM market_sessions WHERE warm)
WHERE ticker = 'DELTA'
