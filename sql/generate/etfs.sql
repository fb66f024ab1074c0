-- The funds of the market: their profiles at the start, and again from a later date on, when their fees were reduced. A
-- market too small to include a fund gets one that is not traded, so that queries always find one.
-- etf_holdings.sql draws the holdings (which stocks, how many shares) in the same way. A fund's assets follow from
-- their value on the day: stocks are 98 % of a fund.
WITH funds AS (
  SELECT
    number::BIGINT AS number,
    ticker,
    full_name,
    has_options
  FROM market_tickers
  WHERE issue_type = 'ETF'
  UNION ALL
  SELECT
    1000000,
    'WHOLE',
    'Whole Market Fund',
    false
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
-- Three fifths of all stocks, at most a hundred.
members AS (
  SELECT
    funds.number,
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
changes AS (
  SELECT
    place,
    max(date) AS date
  FROM market_sessions
  CROSS JOIN range(2) AS places (place)
  WHERE date <= CASE place WHEN 0 THEN $from ELSE $from + ((($to - $from) * 6) // 10)::INTEGER END
  GROUP BY place
),
worth AS (
  SELECT
    members.number,
    place,
    date,
    count(*) AS stocks,
    sum(shares::DECIMAL(20, 0) * close) AS worth
  FROM members
  JOIN market_days USING (ticker)
  JOIN changes USING (date)
  GROUP BY ALL
)
SELECT
  ticker,
  date,
  full_name AS name,
  pick(hash($seed, 'etf company', number), ['Harborline Funds', 'Summit Index Co', 'Tallgrass Shares']) AS etf_company,
  pick(hash($seed, 'etf domicile', number), ['US', 'US', 'US', 'IE']) AS domicile,
  format('{} follows an index of {} companies of the made-up market.', full_name, stocks) AS description,
  'https://funds.example/' || lower(ticker) AS website,
  DATE '2004-05-03' + (hash($seed, 'etf inception', number) % 5000)::INTEGER AS inception_date,
  ((3 + hash($seed, 'etf fee', number) % 60)::DECIMAL(9, 4) / 100 - 0.01 * place)::DECIMAL(9, 4) AS expense_ratio,
  -- The stocks, bills and cash.
  (stocks + 2)::INTEGER AS holdings_count,
  (worth / 0.98)::DECIMAL(18, 2) AS aum,
  has_options
FROM worth
JOIN funds USING (number)
