-- institution_positions: positions in the day's reports, and those closed since the previous report, with their history
-- days: institution_holdings
-- run: 1
-- reads: institution_holdings on the day
-- reads: institution_positions all before
-- reads: stock_days 10 days before
-- reads: stock_splits all before
-- reads: tickers all before
--
-- All filings for one (report_date, cik) are one report. The latest one that is a report replaces earlier ones,
-- additions add to it. Rows without a filing date of their own count where there is no report. The previous report is the institution's
-- latest earlier one, however old. A position is (ticker, security_type, put_call) and sums the CUSIPs it covers.
-- History comes from the positions derived so far, whose latest row has everything needed, so a run computes one day.
-- 10 days reach the last session before any report date; a ticker that stopped trading earlier has no price.
--
-- Figures of earlier reports are converted to the basis of this one by the splits after theirs, up to this report date:
-- units of shares, funds and options × new / old shares, rounded down, because fractions of a share are paid out in
-- cash; prices of the ticker × old / new shares. Units of debt, preferred stock and warrants are not split. In the first
-- report of an institution nothing has changed: what it held before is not known.
WITH filings AS (
  SELECT
    *,
    max(filing_date) FILTER (WHERE filing_kind = 'report') OVER report AS last_report,
    coalesce(last_report, max(filing_date) FILTER (WHERE filing_kind = 'undated') OVER report) AS base,
    max(filing_date) FILTER (WHERE filing_kind IS NULL) OVER (
      PARTITION BY report_date, cik, cusip, security_type, put_call
    ) AS last_unmarked
  FROM read_parquet($institution_holdings, hive_partitioning = false)
  WHERE report_date BETWEEN $from::DATE AND $to::DATE
  WINDOW report AS (PARTITION BY report_date, cik)
),
held AS (
  SELECT
    report_date,
    max(filing_date) AS filing_date,
    cik,
    ticker,
    arg_min(full_name, cusip) AS full_name,
    security_type,
    put_call,
    sum(units)::BIGINT AS units,
    sum(value)::DECIMAL(18, 2) AS value
  FROM filings
  WHERE CASE filing_kind
    WHEN 'report' THEN filing_date = base
    WHEN 'undated' THEN last_report IS NULL AND filing_date = base
    WHEN 'addition' THEN filing_date >= coalesce(base, filing_date)
    ELSE filing_date >= coalesce(base, filing_date) AND filing_date = last_unmarked
  END
  GROUP BY
    report_date,
    cik,
    ticker,
    security_type,
    put_call
),
reports AS (
  SELECT
    report_date,
    max(filing_date) AS filing_date,
    cik,
    sum(value) FILTER (WHERE security_type = 'Share') AS share_value
  FROM held
  GROUP BY
    report_date,
    cik
),
history AS (
  SELECT
    report_date,
    cik,
    ticker,
    full_name,
    security_type,
    put_call,
    units,
    historical_units,
    first_buy,
    price_first_buy,
    avg_price
  FROM read_parquet($institution_positions, hive_partitioning = false)
  WHERE report_date < $from::DATE
    AND cik IN (SELECT cik FROM reports)
),
earlier_reports AS (
  SELECT
    cik,
    report_date,
    row_number() OVER (PARTITION BY cik ORDER BY report_date DESC) AS reports_ago
  FROM (SELECT DISTINCT cik, report_date FROM history)
),
last_seen AS (
  SELECT
    cik,
    ticker,
    security_type,
    put_call,
    max(report_date) AS report_date
  FROM history
  GROUP BY
    cik,
    ticker,
    security_type,
    put_call
),
-- The latest row of each position. Its units are those of the previous report: a report that no longer held the
-- position closed it with 0 units.
former AS (
  SELECT
    history.*,
    reports_ago
  FROM history
  JOIN last_seen USING (cik, ticker, security_type, put_call, report_date)
  JOIN earlier_reports USING (cik, report_date)
),
ratios AS (
  SELECT
    ticker,
    since,
    list_reduce(list(new_shares::HUGEINT), lambda x, y: x * y) AS new_shares,
    list_reduce(list(old_shares::HUGEINT), lambda x, y: x * y) AS old_shares
  FROM (SELECT DISTINCT ticker, report_date AS since FROM former)
  JOIN read_parquet($stock_splits, hive_partitioning = false) AS split USING (ticker)
  WHERE split.date > since
    AND split.date <= $from::DATE
    AND least(new_shares, old_shares) > 0
  GROUP BY
    ticker,
    since
),
-- Earlier positions on the basis of this report. Average prices have ten decimals, others six.
converted AS (
  SELECT
    former.*,
    coalesce(new_shares, 1) AS new_shares,
    coalesce(old_shares, 1) AS old_shares,
    if(security_type IN ('Share', 'Fund', 'Option'), coalesce(new_shares, 1), 1) AS new_units,
    if(security_type IN ('Share', 'Fund', 'Option'), coalesce(old_shares, 1), 1) AS old_units,
    (units * new_units // old_units)::BIGINT AS units_now,
    list_transform(historical_units, lambda each: each * new_units // old_units)::BIGINT[] AS historical_units_now,
    price_ratio(price_first_buy * coalesce(old_shares, 1)::DECIMAL(20, 0), coalesce(new_shares, 1)) AS price_first_buy_now
  FROM former
  LEFT JOIN ratios ON ratios.ticker = former.ticker AND since = report_date
),
positions AS (
  SELECT
    cik,
    ticker,
    security_type,
    put_call,
    held.filing_date,
    coalesce(held.full_name, former.full_name) AS full_name,
    coalesce(held.units, 0) AS units,
    coalesce(former.units, 0) > 0 AS was_held,
    coalesce(former.units_now, 0) AS previous_units,
    coalesce(held.value, 0)::DECIMAL(18, 2) AS value,
    coalesce(former.historical_units_now, []::BIGINT[]) AS former_units,
    coalesce(former.reports_ago - 1, 0) AS reports_without,
    former.first_buy,
    former.price_first_buy_now,
    trunc(former.avg_price * 10000000000)::HUGEINT AS former_average,
    coalesce(new_shares, 1) AS new_shares,
    coalesce(old_shares, 1) AS old_shares
  FROM held
  FULL JOIN converted AS former USING (cik, ticker, security_type, put_call)
  WHERE held.units > 0
    OR former.units > 0
),
closes AS (
  SELECT
    ticker,
    arg_max(close, date) AS close
  FROM read_parquet($stock_days, hive_partitioning = false)
  WHERE date BETWEEN $from::DATE - 10 AND $from::DATE
  GROUP BY ticker
),
known AS (
  SELECT
    ticker,
    arg_max(struct_pack(full_name, sector, shares_outstanding), date) AS facts
  FROM read_parquet($tickers, hive_partitioning = false)
  WHERE date <= $from::DATE
  GROUP BY ticker
)
SELECT
  reports.report_date,
  coalesce(position.filing_date, reports.filing_date) AS filing_date,
  cik,
  ticker,
  coalesce(position.full_name, known.facts.full_name) AS full_name,
  known.facts.sector AS sector,
  security_type,
  put_call,
  units,
  previous_units,
  CASE
    WHEN cik IN (SELECT cik FROM earlier_reports) THEN units - previous_units
    ELSE 0
  END AS units_change,
  ([units] || list_resize([]::BIGINT[], reports_without, 0) || former_units)[:8] AS historical_units,
  value,
  CASE WHEN was_held THEN position.first_buy ELSE reports.report_date END AS first_buy,
  CASE WHEN was_held THEN price_first_buy_now ELSE closes.close END AS price_first_buy,
  CASE
    WHEN NOT was_held THEN closes.close
    WHEN units <= previous_units
      THEN quotient_even(former_average * old_shares, new_shares) * 0.0000000001::DECIMAL(10, 10)
    ELSE quotient_even(
      former_average * old_shares * previous_units
        + trunc(closes.close * 10000000000)::HUGEINT * new_shares * (units - previous_units),
      new_shares * units
    ) * 0.0000000001::DECIMAL(10, 10)
  END::DECIMAL(18, 10) AS avg_price,
  closes.close,
  known.facts.shares_outstanding AS shares_outstanding,
  CASE WHEN security_type = 'Share' THEN value / nullif(reports.share_value, 0) END AS perc_of_share_value,
  CASE WHEN security_type = 'Share' THEN units / nullif(known.facts.shares_outstanding, 0) END AS perc_of_total
FROM positions AS position
JOIN reports USING (cik)
LEFT JOIN closes USING (ticker)
LEFT JOIN known USING (ticker)
