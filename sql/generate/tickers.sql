-- tickers: profiles of all tickers over the whole span.
SELECT
  ticker,
  date,
  full_name,
  short_name,
  sector,
  industry_type,
  issue_type,
  marketcap,
  shares_outstanding,
  next_earnings_date,
  er_time,
  ex_dividend_date,
  has_options
FROM market_profiles
