-- market_dividends: dividends of stocks and funds, every 91 days, each declared 25 days before its ex-dividend date. A
-- dividend is a share of the previous close that makes the yield of market_tickers: 1 - exp(-yield × 91 / 365).
-- They begin before the span, because cash flow statements do.
WITH planned AS (
  SELECT
    number,
    ticker,
    dividend_yield,
    $to::DATE - ((hash($seed, 'dividend', number) % 91)::INTEGER + 91 * quarter)::INTEGER AS planned
  FROM market_tickers
  CROSS JOIN range(-1, greatest(($to::DATE - $from::DATE) // 91 + 3, 26)) AS quarters (quarter)
  WHERE issue_type <> 'Index'
    AND dividend_yield > 0
)
SELECT
  number,
  ticker,
  -- A planned date without a session moves to the previous session.
  calendar.date AS date,
  calendar.date - 25 AS declared,
  1e0 - exp(-dividend_yield * 91e0 / 365e0) AS share
FROM planned
ASOF JOIN market_calendar AS calendar ON planned.planned >= calendar.date
ORDER BY number, date
