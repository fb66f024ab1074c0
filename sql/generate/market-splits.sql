-- market_splits: splits in the span, at most one per ticker: `units` shares for each one before. DELTA has a two-for-one split in the middle of the
-- warm-up, effective from the opening of that session.
SELECT
  market_tickers.number,
  ticker,
  sessions.date,
  2 AS units
FROM market_tickers
JOIN market_sessions AS sessions ON sessions.number = (SELECT count(*) // 2 FROM market_sessions WHERE warm)
WHERE ticker = 'DELTA'
