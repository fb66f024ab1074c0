-- market_profiles: the dataset tickers: a row per ticker at the first session, on the day after each report, on the
-- day that a dividend is declared and on the day of a split.
WITH dividends AS (
  -- Four in five pay every quarter; a dividend is declared 25 days before its ex-dividend date.
  SELECT
    number,
    $to::DATE - ((hash($seed, 'dividend', number) % 91)::INTEGER + 91 * quarter)::INTEGER AS planned
  FROM market_tickers
  CROSS JOIN range(-1, ($to::DATE - $from::DATE) // 91 + 3) AS quarters (quarter)
  WHERE issue_type <> 'Index' AND number % 5 <> 4
),
declared AS (
  SELECT
    number,
    calendar.date AS ex_date,
    calendar.date - 25 AS date
  FROM dividends
  ASOF JOIN market_calendar AS calendar ON dividends.planned >= calendar.date
),
changes AS (
  SELECT number, $from::DATE AS date FROM market_tickers
  UNION
  SELECT number, date + 1 FROM market_earnings
  UNION
  SELECT number, date FROM declared
  UNION
  SELECT number, date FROM market_splits
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
    declared.ex_date
  FROM known
  ASOF LEFT JOIN declared ON known.number = declared.number AND known.date >= declared.date
)
SELECT
  tickers.ticker,
  paid.date,
  full_name,
  short_name,
  sector,
  industry_type,
  issue_type,
  (shares_outstanding // units * closes.close)::DECIMAL(18, 2) AS marketcap,
  (shares_outstanding // units)::DECIMAL(18, 2) AS shares_outstanding,
  next_earnings_date,
  er_time,
  ex_date AS ex_dividend_date,
  has_options
FROM paid
JOIN market_tickers AS tickers ON tickers.number = paid.number
ASOF JOIN market_closes AS closes ON paid.number = closes.number AND paid.date >= closes.date
ORDER BY tickers.ticker, paid.date
