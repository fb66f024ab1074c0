-- institution_totals: totals of an institution's positions per report date, with the value bought and sold
-- days: institution_positions
-- run: 4
-- reads: institution_positions all before
-- reads: institution_holdings on the day
--
-- Increases count at this report's value per unit, decreases at the value per unit in the previous report, which is the
-- institution's latest earlier one, however old; its units are on the basis of this report. In an institution's first
-- report nothing has changed, as in the unit changes of its positions.
--
-- A report has a row per date on which it was filed or its positions changed. Each is of what was known on that date: of
-- each position the latest row, and of each other institution the latest totals.
WITH every_position AS (
  SELECT
    report_date,
    filing_date,
    cik,
    ticker,
    security_type,
    put_call,
    units,
    units_change,
    value
  FROM read_parquet($institution_positions, hive_partitioning = false)
  WHERE report_date <= $to::DATE
),
holdings AS (
  SELECT
    report_date,
    filing_date,
    filing_kind,
    cik,
    institution_name
  FROM read_parquet($institution_holdings, hive_partitioning = false)
  WHERE report_date BETWEEN $from::DATE AND $to::DATE
),
known_dates AS (
  SELECT
    report_date,
    cik,
    filing_date AS known_on
  FROM every_position
  WHERE report_date >= $from::DATE
  UNION
  SELECT
    report_date,
    cik,
    filing_date
  FROM holdings
  WHERE filing_kind IS DISTINCT FROM 'undated'
),
first_filings AS (
  SELECT
    cik,
    report_date AS previous_report_date,
    min(filing_date) AS filing_date
  FROM every_position
  GROUP BY
    cik,
    report_date
),
reports AS (
  SELECT
    cik,
    report_date,
    known_on,
    max(previous_report_date) AS previous_report_date
  FROM known_dates
  JOIN first_filings USING (cik)
  WHERE previous_report_date < report_date
    AND filing_date <= known_on
  GROUP BY
    cik,
    report_date,
    known_on
),
positions AS (
  SELECT
    known_on,
    position.*
  FROM known_dates
  JOIN every_position AS position USING (cik, report_date)
  WHERE filing_date <= known_on
  QUALIFY filing_date = max(filing_date) OVER (PARTITION BY cik, report_date, known_on, ticker, security_type, put_call)
),
former_positions AS (
  SELECT
    cik,
    reports.report_date,
    known_on,
    ticker,
    security_type,
    put_call,
    arg_max(value, filing_date) AS value
  FROM reports
  JOIN (SELECT * RENAME (report_date AS previous_report_date) FROM every_position) USING (cik, previous_report_date)
  WHERE filing_date <= known_on
  GROUP BY
    cik,
    reports.report_date,
    known_on,
    ticker,
    security_type,
    put_call
),
-- Each change is rounded to hundredths of a cent, so that the cents of the sum are exact.
changes AS (
  SELECT
    position.*,
    CASE
      WHEN position.units_change > 0
        THEN quotient_even(trunc(position.value * 10000)::HUGEINT * position.units_change, position.units)
      ELSE 0
    END AS bought,
    CASE
      WHEN position.units_change < 0
        THEN quotient_even(trunc(former.value * 10000)::HUGEINT * -position.units_change, position.units - position.units_change)
      ELSE 0
    END AS sold
  FROM positions AS position
  LEFT JOIN former_positions AS former USING (cik, report_date, known_on, ticker, security_type, put_call)
),
-- The name in the latest filing. If it has several, the last in alphabetical order: they are spellings of the same name.
names AS (
  SELECT
    report_date,
    cik,
    known_on,
    max_by(institution_name, (filing_date, institution_name)) AS institution_name
  FROM known_dates
  JOIN holdings USING (report_date, cik)
  WHERE filing_date <= known_on
  GROUP BY
    report_date,
    cik,
    known_on
),
totals AS (
  SELECT
    report_date,
    known_on,
    cik,
    sum(value)::DECIMAL(18, 2) AS total_value,
    coalesce(sum(value) FILTER (WHERE security_type = 'Share'), 0)::DECIMAL(18, 2) AS share_value,
    coalesce(sum(value) FILTER (WHERE security_type = 'Option' AND put_call = 'call'), 0)::DECIMAL(18, 2) AS call_value,
    coalesce(sum(value) FILTER (WHERE security_type = 'Option' AND put_call = 'put'), 0)::DECIMAL(18, 2) AS put_value,
    coalesce(sum(value) FILTER (WHERE security_type = 'Fund'), 0)::DECIMAL(18, 2) AS fund_value,
    coalesce(sum(value) FILTER (WHERE security_type = 'Preferred'), 0)::DECIMAL(18, 2) AS pfd_value,
    coalesce(sum(value) FILTER (WHERE security_type = 'Debt'), 0)::DECIMAL(18, 2) AS debt_value,
    coalesce(sum(value) FILTER (WHERE security_type = 'Warrant'), 0)::DECIMAL(18, 2) AS warrant_value,
    coalesce(sum(units) FILTER (WHERE security_type = 'Share'), 0)::BIGINT AS share_holdings,
    coalesce(sum(units) FILTER (WHERE security_type = 'Option' AND put_call = 'call'), 0)::BIGINT AS call_holdings,
    coalesce(sum(units) FILTER (WHERE security_type = 'Option' AND put_call = 'put'), 0)::BIGINT AS put_holdings,
    coalesce(sum(units) FILTER (WHERE security_type = 'Fund'), 0)::BIGINT AS fund_holdings,
    coalesce(sum(units) FILTER (WHERE security_type = 'Preferred'), 0)::BIGINT AS pfd_holdings,
    coalesce(sum(units) FILTER (WHERE security_type = 'Debt'), 0)::BIGINT AS debt_holdings,
    coalesce(sum(units) FILTER (WHERE security_type = 'Warrant'), 0)::BIGINT AS warrant_holdings,
    quotient_even(sum(bought)::HUGEINT, 100) * 0.01::DECIMAL(2, 2) AS buy_value,
    -quotient_even(sum(sold)::HUGEINT, 100) * 0.01::DECIMAL(2, 2) AS sell_value
  FROM changes
  GROUP BY
    report_date,
    cik,
    known_on
),
-- What a row adds to the total of all institutions.
added AS (
  SELECT
    *,
    total_value - coalesce(lag(total_value) OVER (PARTITION BY report_date, cik ORDER BY known_on), 0) AS added_value
  FROM totals
)
SELECT
  report_date,
  known_on AS filing_date,
  cik,
  institution_name,
  total_value,
  share_value,
  call_value,
  put_value,
  fund_value,
  pfd_value,
  debt_value,
  warrant_value,
  share_holdings,
  call_holdings,
  put_holdings,
  fund_holdings,
  pfd_holdings,
  debt_holdings,
  warrant_holdings,
  buy_value,
  sell_value,
  total_value / nullif(sum(added_value) OVER (PARTITION BY report_date ORDER BY known_on RANGE UNBOUNDED PRECEDING), 0)
    AS percent_of_total
FROM added
LEFT JOIN names USING (report_date, cik, known_on)
