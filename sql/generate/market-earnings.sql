-- market_earnings: quarterly reports of companies, one row per ticker and report, from before $from to half a year
-- after $to. Seven consecutive tickers report on Tuesdays 14 days apart, so that there is a report within two weeks of
-- any day; the others report on Tuesdays to Thursdays. A report on a holiday moves to the previous session.
WITH phases AS (
  SELECT
    number,
    ticker,
    7 * ((2 * number + hash($seed, 'quarter') % 13) % 13)::INTEGER + CASE WHEN number < 7 THEN 0 ELSE number % 3 END AS phase,
    -- Fixed per company: half report after the close, most others before the open.
    ['postmarket', 'premarket', 'postmarket', 'premarket', 'unknown'][1 + number % 5] AS er_time
  FROM market_tickers
  WHERE is_company(issue_type)
),
-- The Tuesday on or after the last day, then in steps of 13 weeks in both directions.
reports AS (
  SELECT
    number,
    ticker,
    $to::DATE + ((9 - isodow($to::DATE)) % 7 + phase + 91 * quarter)::INTEGER AS planned,
    er_time
  FROM phases
  CROSS JOIN range(-(($to::DATE - $from::DATE) // 91 + 4), 3) AS quarters (quarter)
)
SELECT
  number,
  ticker,
  calendar.date AS date,
  er_time
FROM reports
ASOF JOIN market_calendar AS calendar ON reports.planned >= calendar.date
ORDER BY number, date
