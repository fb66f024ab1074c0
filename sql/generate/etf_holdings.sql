-- Holdings of the funds in etfs.sql on the last five sessions: 98 % stocks, weighted by value at the close of the day,
-- 1 % Treasury bills and 0.5 % cash; the rest is receivables, which are not listed.
-- etfs.sql draws the stocks and their shares in the same way.
WITH funds AS (
  SELECT
    number::BIGINT AS number,
    ticker
  FROM market_tickers
  WHERE issue_type = 'ETF'
  UNION ALL
  SELECT
    1000000,
    'WHOLE'
  WHERE NOT EXISTS (FROM market_tickers WHERE issue_type = 'ETF')
),
stocks AS (
  SELECT
    ticker,
    arg_min(close, date) AS first_close,
    count(*) OVER () AS stocks
  FROM market_days
  JOIN market_tickers USING (ticker)
  WHERE is_company(issue_type)
  GROUP BY ticker
),
members AS (
  SELECT
    funds.number,
    funds.ticker AS etf,
    stocks.ticker,
    (
      1e7 * (1 + funds.number * 7 % 40) * (0.2 + unit(hash($seed, 'etf shares', funds.number, stocks.ticker)))
      / first_close
    )::BIGINT AS shares
  FROM funds
  CROSS JOIN stocks
  QUALIFY row_number() OVER (
    PARTITION BY funds.number
    ORDER BY hash($seed, 'etf member', funds.number, stocks.ticker), stocks.ticker
  ) <= least(100, (6 * stocks + 9) // 10)
),
days AS (
  SELECT date
  FROM market_sessions
  ORDER BY date DESC
  LIMIT 5
),
worth AS (
  SELECT
    date,
    members.*,
    shares::DECIMAL(20, 0) * close AS worth,
    sum(shares::DECIMAL(20, 0) * close) OVER (PARTITION BY date, etf) AS total
  FROM members
  JOIN market_days USING (ticker)
  JOIN days USING (date)
),
lines AS (
  SELECT
    date,
    etf,
    ticker,
    full_name AS name,
    short_name,
    'stock' AS type,
    sector,
    has_options,
    98 * worth / total AS weight,
    shares
  FROM worth
  JOIN market_tickers USING (ticker)
  UNION ALL
  -- Units of bills and cash are dollars.
  SELECT
    date,
    etf,
    '',
    ['Treasury bills', 'US dollar'][place],
    ['Bills', 'USD'][place],
    ['bond', 'cash'][place],
    NULL,
    false,
    [1.0, 0.5][place],
    (total / 98 * [1.0, 0.5][place])::BIGINT
  FROM (SELECT DISTINCT date, etf, total FROM worth)
  CROSS JOIN range(1, 3) AS places (place)
)
SELECT
  date,
  etf,
  ticker,
  name,
  short_name,
  type,
  sector,
  has_options,
  -- Truncated, not rounded: the holdings of a fund never add up to more than 100 %.
  (floor(weight * 1000000) / 1000000)::DECIMAL(12, 6) AS weight,
  shares::DECIMAL(18, 4) AS shares
FROM lines
