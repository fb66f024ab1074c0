-- Holdings of the funds in etfs.sql on the last five sessions: 98 % stocks, weighted by value at the close of the day,
-- 1 % Treasury bills and 0.5 % cash; the rest is receivables, which are not listed. A fund holds as many shares as its
-- assets of the day pay for.
WITH members AS (
  SELECT
    date,
    etf,
    funds.ticker,
    assets,
    close,
    -- The weights of market_funds are shares in units after any split.
    round(
      shares * 0.98e0 * assets
      / sum(shares::DECIMAL(20, 0) * round(close / units, 6)::DECIMAL(18, 6)) OVER (PARTITION BY date, etf)
      / units
    )::BIGINT AS shares
  FROM market_funds AS funds
  JOIN market_fund_assets USING (etf)
  JOIN market_fund_days USING (date)
  JOIN market_closes AS closes USING (number, date)
  WHERE is_listed
),
worth AS (
  SELECT
    *,
    shares::DECIMAL(20, 0) * close AS worth,
    sum(shares::DECIMAL(20, 0) * close) OVER (PARTITION BY date, etf) AS total
  FROM members
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
    round(assets / 100 * [1.0, 0.5][place])::BIGINT
  FROM (SELECT DISTINCT date, etf, assets FROM worth)
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
  round(floor(weight * 1000000) / 1000000, 6)::DECIMAL(12, 6) AS weight,
  shares::DECIMAL(18, 4) AS shares
FROM lines
