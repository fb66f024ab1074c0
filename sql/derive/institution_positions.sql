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
-- A report is computed as it was known on each date on which the institution filed it, and on which it filed an earlier
-- report afterwards. Of each position, the dates on which something changed have a row. A position that an earlier filing
-- had and the later one lacks has a row with 0 units, as a closed one has, but its first_buy is the report date.
--
-- Figures of earlier reports are converted to the basis of this one by the splits after theirs, up to this report date:
-- units of shares, funds and options × new / old shares, rounded down, because fractions of a share are paid out in
-- cash; prices of the ticker × old / new shares. Units of debt, preferred stock and warrants are not split. In the first
-- report of an institution nothing has changed: what it held before is not known.
WITH holdings AS (
  SELECT *
  FROM read_parquet($institution_holdings, hive_partitioning = false)
  WHERE report_date BETWEEN $from::DATE AND $to::DATE
),
history AS (
  SELECT
    report_date,
    filing_date,
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
    AND cik IN (SELECT cik FROM holdings)
),
known_dates AS (
  SELECT
    cik,
    filing_date AS known_on
  FROM holdings
  UNION
  SELECT
    cik,
    filing_date
  FROM history
  JOIN (SELECT cik, min(filing_date) AS first_date FROM holdings GROUP BY cik) USING (cik)
  WHERE filing_date > first_date
),
-- Institutions whose report is known on several dates.
refiled AS (
  SELECT cik
  FROM known_dates
  GROUP BY cik
  HAVING count(*) > 1
),
filings AS (
  SELECT
    *,
    max(filing_date) FILTER (WHERE filing_kind = 'report') OVER report AS last_report,
    coalesce(last_report, max(filing_date) FILTER (WHERE filing_kind = 'undated') OVER report) AS base,
    max(filing_date) FILTER (WHERE filing_kind IS NULL) OVER (
      PARTITION BY cik, known_on, cusip, security_type, put_call
    ) AS last_unmarked,
    CASE filing_kind
      WHEN 'report' THEN filing_date = base
      WHEN 'undated' THEN last_report IS NULL AND filing_date = base
      WHEN 'addition' THEN filing_date >= coalesce(base, filing_date)
      ELSE filing_date >= coalesce(base, filing_date) AND filing_date = last_unmarked
    END AS counts
  FROM known_dates
  JOIN holdings USING (cik)
  WHERE filing_date <= known_on
  WINDOW report AS (PARTITION BY cik, known_on)
),
held AS (
  SELECT
    cik,
    known_on,
    ticker,
    arg_min(full_name, cusip) FILTER (WHERE counts) AS full_name,
    security_type,
    put_call,
    coalesce(sum(units) FILTER (WHERE counts), 0)::BIGINT AS units,
    coalesce(sum(value) FILTER (WHERE counts), 0)::DECIMAL(18, 2) AS value
  FROM filings
  GROUP BY
    cik,
    known_on,
    ticker,
    security_type,
    put_call
),
share_values AS (
  SELECT
    cik,
    known_on,
    sum(value) FILTER (WHERE security_type = 'Share') AS share_value
  FROM held
  GROUP BY
    cik,
    known_on
),
earlier_reports AS (
  SELECT
    cik,
    known_on,
    report_date,
    row_number() OVER (PARTITION BY cik, known_on ORDER BY report_date DESC) AS reports_ago
  FROM known_dates
  JOIN (
    SELECT
      cik,
      report_date,
      min(filing_date) AS filing_date
    FROM history
    GROUP BY
      cik,
      report_date
  ) USING (cik)
  WHERE filing_date <= known_on
),
last_seen AS (
  SELECT
    cik,
    known_on,
    ticker,
    security_type,
    put_call,
    max((report_date, filing_date))[1] AS report_date,
    max((report_date, filing_date))[2] AS filing_date
  FROM known_dates
  JOIN history USING (cik)
  WHERE filing_date <= known_on
  GROUP BY
    cik,
    known_on,
    ticker,
    security_type,
    put_call
),
-- The latest row of each position. Its units are those of the previous report: a report that no longer held the
-- position closed it with 0 units.
former AS (
  SELECT
    history.*,
    known_on,
    reports_ago
  FROM history
  JOIN last_seen USING (cik, ticker, security_type, put_call, report_date, filing_date)
  JOIN earlier_reports USING (cik, known_on, report_date)
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
-- Where a report has several dates, it also has the positions that it lacks on some of them.
positions AS (
  SELECT
    cik,
    known_on,
    ticker,
    security_type,
    put_call,
    coalesce(held.full_name, former.full_name) AS full_name,
    coalesce(held.units, 0) AS units,
    coalesce(former.units, 0) > 0 AS was_held,
    coalesce(held.units, 0) > 0 OR was_held AS is_reported,
    coalesce(former.units_now, 0) AS previous_units,
    coalesce(held.value, 0)::DECIMAL(18, 2) AS value,
    nullif(former.historical_units_now, []) AS former_units,
    former.reports_ago - 1 AS reports_without,
    former.first_buy,
    former.price_first_buy_now,
    trunc(former.avg_price * 10000000000)::HUGEINT AS former_average,
    coalesce(new_shares, 1) AS new_shares,
    coalesce(old_shares, 1) AS old_shares
  FROM held
  FULL JOIN converted AS former USING (cik, known_on, ticker, security_type, put_call)
  WHERE held.units > 0
    OR former.units > 0
    OR cik IN (SELECT cik FROM refiled)
),
closes AS (
  SELECT
    ticker,
    arg_max(close, date) AS close
  FROM read_parquet($stock_days, hive_partitioning = false)
  WHERE date BETWEEN $from::DATE - 10 AND $from::DATE
  GROUP BY ticker
),
profiles AS (
  SELECT
    ticker,
    arg_max(struct_pack(full_name, sector, shares_outstanding), date) AS facts
  FROM read_parquet($tickers, hive_partitioning = false)
  WHERE date <= $from::DATE
  GROUP BY ticker
),
figures AS (
  SELECT
    cik,
    known_on,
    ticker,
    security_type,
    put_call,
    is_reported,
    {
      full_name: coalesce(position.full_name, profiles.facts.full_name),
      sector: profiles.facts.sector,
      units: units,
      previous_units: previous_units,
      units_change: CASE
        WHEN (cik, known_on) IN (SELECT (cik, known_on) FROM earlier_reports) THEN units - previous_units
        ELSE 0
      END,
      historical_units: CASE
        WHEN former_units IS NOT NULL THEN [units] || list_resize([]::BIGINT[], reports_without, 0) || former_units
        WHEN is_reported THEN [units]
        ELSE []
      END[:8],
      value: value,
      first_buy: CASE WHEN was_held THEN position.first_buy ELSE $from::DATE END,
      price_first_buy: CASE WHEN was_held THEN price_first_buy_now ELSE closes.close END,
      avg_price: CASE
        WHEN NOT was_held THEN closes.close
        WHEN units <= previous_units
          THEN quotient_even(former_average * old_shares, new_shares) * 0.0000000001::DECIMAL(10, 10)
        ELSE quotient_even(
          former_average * old_shares * previous_units
            + trunc(closes.close * 10000000000)::HUGEINT * new_shares * (units - previous_units),
          new_shares * units
        ) * 0.0000000001::DECIMAL(10, 10)
      END::DECIMAL(18, 10),
      close: closes.close,
      shares_outstanding: profiles.facts.shares_outstanding,
      perc_of_share_value: CASE WHEN security_type = 'Share' THEN value / nullif(share_value, 0) END,
      perc_of_total: CASE WHEN security_type = 'Share' THEN units / nullif(profiles.facts.shares_outstanding, 0) END
    } AS figures
  FROM positions AS position
  JOIN share_values USING (cik, known_on)
  LEFT JOIN closes USING (ticker)
  LEFT JOIN profiles USING (ticker)
),
-- The dates on which a position changed.
changes AS (
  FROM figures
  WHERE cik NOT IN (SELECT cik FROM refiled)
  UNION ALL
  FROM figures
  WHERE cik IN (SELECT cik FROM refiled)
  WINDOW dates AS (PARTITION BY cik, ticker, security_type, put_call ORDER BY known_on)
  QUALIFY (is_reported OR lag(is_reported) OVER dates)
    AND (is_reported, figures) IS DISTINCT FROM lag((is_reported, figures)) OVER dates
)
SELECT
  $from::DATE AS report_date,
  known_on AS filing_date,
  cik,
  ticker,
  security_type,
  put_call,
  unnest(figures)
FROM changes
