-- market_funds: the stocks of each fund, with the number of shares by which they are weighted: by capitalisation, with a
-- random factor. A market too small to include a fund gets one that is not traded, so that queries always find one.
WITH funds AS (
  SELECT
    number::BIGINT AS fund,
    ticker AS etf
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
    number,
    ticker,
    shares_outstanding,
    count(*) OVER () AS stocks
  FROM market_tickers
  WHERE is_company(issue_type)
)
-- Three fifths of all stocks, at most a hundred.
SELECT
  fund,
  etf,
  number,
  ticker,
  round(shares_outstanding * (0.5 + unit(hash($seed, 'etf shares', fund, ticker))))::BIGINT AS shares
FROM funds
CROSS JOIN stocks
QUALIFY row_number() OVER (
  PARTITION BY fund
  ORDER BY hash($seed, 'etf member', fund, ticker), ticker
) <= least(100, (6 * stocks + 9) // 10)
