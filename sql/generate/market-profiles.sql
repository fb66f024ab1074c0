-- market_profiles: the dataset tickers: a row per ticker at the first session, on the day after each report, on the
-- day that a dividend is declared and on the day of a split; for a fund also on the days of market_fund_days. The market
-- capitalisation is that at the last close; that of a fund are its assets, whose value per share is its price.
WITH changes AS (
  SELECT number, $from::DATE AS date FROM market_tickers
  UNION
  SELECT number, date + 1 FROM market_earnings
  UNION
  SELECT number, declared FROM market_dividends
  UNION
  SELECT number, date FROM market_splits
  UNION
  SELECT number, date FROM market_tickers CROSS JOIN market_fund_days WHERE issue_type = 'ETF'
),
-- A report is the next one until its day is over.
known AS (
  SELECT
    changes.number,
    changes.date,
    earnings.date AS next_earnings_date,
    earnings.er_time
  FROM changes
  ASOF LEFT JOIN market_earnings AS earnings ON changes.number = earnings.number AND changes.date <= earnings.date
  WHERE changes.date BETWEEN $from AND $to
),
paid AS (
  SELECT
    known.*,
    dividends.date AS ex_date
  FROM known
  ASOF LEFT JOIN market_dividends AS dividends
    ON known.number = dividends.number AND known.date >= dividends.declared
)
SELECT
  tickers.ticker,
  paid.date,
  full_name,
  short_name,
  sector,
  industry_type,
  issue_type,
  round(shares_outstanding // units * closes.close, 2)::DECIMAL(18, 2) AS marketcap,
  (shares_outstanding // units)::DECIMAL(18, 2) AS shares_outstanding,
  next_earnings_date,
  er_time,
  ex_date AS ex_dividend_date,
  has_options
FROM paid
JOIN market_tickers AS tickers ON tickers.number = paid.number
ASOF JOIN market_closes AS closes ON paid.number = closes.number AND paid.date >= closes.date
ORDER BY tickers.ticker, paid.date
