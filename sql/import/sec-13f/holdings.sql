-- dataset: institutions
-- Names come from the latest report of each institution; other columns in the lake are kept.
WITH latest AS (
  SELECT *
  FROM reports
  WHERE fault IS NULL
  QUALIFY row_number() OVER (PARTITION BY cik ORDER BY updated_on DESC, place DESC) = 1
),
institution_notes AS (
  SELECT
    cik,
    list(each_note ORDER BY place) AS left_out
  FROM (
    SELECT
      cik,
      place,
      unnest([
        note('filing_date', 'not stated: due date used', report_date::VARCHAR, is_undated AND NOT is_superseded),
        note('filing_date', 'not stated, and the report of the period is known', report_date::VARCHAR, is_superseded),
        note('value', 'does not add up to the total in the file', report_date::VARCHAR,
          if(quarter = '', sum <> total, NOT is_inflated AND sum NOT BETWEEN total / 2 AND total * 2)),
        note('value', 'in dollars although filed before 2023-01-03', report_date::VARCHAR,
          quarter = '' AND $value_in IS NULL AND factor = 1 AND filing_date < DATE '2023-01-03' AND sum IS NOT NULL)
      ]) AS each_note
    FROM reports
    WHERE fault IS NULL
  )
  WHERE each_note IS NOT NULL
  GROUP BY cik
)
SELECT
  file,
  line,
  cik,
  greatest(latest.updated_on, held.updated_on) AS updated_on,
  if(held.updated_on > latest.updated_on, held.name, latest.name) AS name,
  held.short_name,
  held.description,
  held.website,
  held.logo_url,
  held.founder_img_url,
  if(len(latest.people) > 0, latest.people, coalesce(held.people, [])) AS people,
  coalesce(held.tags, []) AS tags,
  coalesce(held.is_hedge_fund, false) AS is_hedge_fund,
  NULL::VARCHAR[] AS fault,
  institution_notes.left_out
FROM latest
LEFT JOIN held_institutions AS held USING (cik)
LEFT JOIN institution_notes USING (cik)
UNION ALL BY NAME
SELECT file, line, fault FROM reports WHERE fault IS NOT NULL

-- dataset: institution_holdings
-- A value that has more digits than the column after its conversion to dollars rejects its line.
WITH known AS (
  SELECT cusip, ticker, issuer, class, report_date
  FROM lines
  JOIN reports USING (file, line, quarter)
  WHERE lines.fault IS NULL
    AND ticker IS NOT NULL
  UNION ALL
  SELECT cusip, ticker, upper(full_name), coalesce(upper(title_of_class), ''), report_date
  FROM held_institution_holdings
  WHERE ticker_fault('', ticker) IS NULL
),
by_cusip AS (
  SELECT cusip, arg_max(ticker, (report_date, ticker)) AS ticker
  FROM known
  WHERE regexp_full_match(cusip, '[0-9A-Z*@#]{9}')
  GROUP BY cusip
),
by_name AS (
  SELECT issuer, class, max(ticker) AS ticker
  FROM known
  GROUP BY issuer, class
  HAVING count(DISTINCT ticker) = 1
),
dollars AS (
  SELECT
    lines.* EXCLUDE (cusip, ticker, value),
    (place, ordinal) AS nth,
    report_date,
    filing_date,
    cik,
    name AS institution_name,
    coalesce(cusip, lines.ticker, trim(issuer || ' ' || class)) AS cusip,
    coalesce(lines.ticker, by_cusip.ticker, by_name.ticker) AS ticker,
    counts,
    filing_kind,
    is_inflated AND value > 5000::HUGEINT * units AS is_divided,
    value::DECIMAL(38, 2) * if(is_divided, 0.001, factor) AS value,
    CASE
      WHEN NOT counts THEN ['units', 'not in the later filing', written_units]
      WHEN is_divided THEN ['value', 'divided by 1,000', written_value]
    END AS holding_note
  FROM lines
  JOIN reports USING (file, line, quarter)
  LEFT JOIN by_cusip USING (cusip)
  LEFT JOIN by_name USING (issuer, class)
  WHERE lines.fault IS NULL
    AND reports.fault IS NULL
    AND NOT is_superseded
),
-- Holdings in the lake with the same filing date are kept with 0 units unless the reports have them. Rows of earlier
-- versions with a due date after a report were not filed later than it: they are marked as undated.
with_held AS (
  SELECT * EXCLUDE (fault)
  FROM dollars
  WHERE value < 10000000000000000
  UNION ALL BY NAME
  SELECT
    reports.file,
    reports.line,
    (0, 0) AS nth,
    held.* EXCLUDE (units, value, filing_kind),
    false AS counts,
    reports.filing_kind,
    note('units', 'not in the later filing', held.units::VARCHAR, held.units > 0) AS holding_note
  FROM held_institution_holdings AS held
  JOIN reports USING (cik, report_date, filing_date)
  WHERE reports.place = reports.day_base
    AND reports.fault IS NULL
    AND (held.filing_kind IS DISTINCT FROM 'undated' OR reports.filing_kind = 'undated')
  UNION ALL BY NAME
  SELECT
    reports.file,
    reports.line,
    (0, 0) AS nth,
    held.* EXCLUDE (filing_kind),
    true AS counts,
    'undated' AS filing_kind
  FROM held_institution_holdings AS held
  JOIN reports USING (cik, report_date)
  WHERE reports.place = reports.base
    AND reports.fault IS NULL
    AND reports.filing_kind = 'report'
    AND held.filing_kind IS NULL
    AND held.filing_date > reports.filing_date
),
positions AS (
  SELECT
    arg_max(file, nth) AS file,
    arg_max(line, nth) AS line,
    report_date,
    filing_date,
    cik,
    arg_max(institution_name, nth) AS institution_name,
    cusip,
    coalesce(arg_max(ticker, nth), cusip) AS ticker,
    arg_max(full_name, nth) AS full_name,
    arg_max(title_of_class, nth) AS title_of_class,
    security_type,
    put_call,
    TRY_CAST(coalesce(sum(units) FILTER (WHERE counts), 0) AS BIGINT) AS units,
    TRY_CAST(half_even(coalesce(sum(value) FILTER (WHERE counts), 0), 2) AS DECIMAL(18, 2)) AS value,
    max(filing_kind) AS filing_kind,
    list(holding_note ORDER BY nth) FILTER (WHERE holding_note IS NOT NULL AND (counts OR NOT any_counts)) AS left_out
  FROM (
    SELECT
      *,
      bool_or(counts) OVER (
        PARTITION BY report_date, cik, cusip, security_type, put_call, filing_date
      ) AS any_counts
    FROM with_held
  )
  GROUP BY report_date, cik, cusip, security_type, put_call, filing_date
)
SELECT
  *,
  CASE
    WHEN units IS NULL THEN ['units', 'too large', NULL]
    WHEN value IS NULL THEN ['value', 'too large', NULL]
  END AS fault
FROM positions
UNION ALL BY NAME
SELECT
  row_file AS file,
  row_line AS line,
  ['value', 'too large', written_value] AS fault
FROM dollars
WHERE value >= 10000000000000000
UNION ALL BY NAME
SELECT
  row_file AS file,
  row_line AS line,
  lines.fault
FROM lines
JOIN reports USING (file, line, quarter)
WHERE lines.fault IS NOT NULL
  AND reports.fault IS NULL
UNION ALL BY NAME
SELECT
  file,
  line,
  ['accession_number', 'its filing is not in the import: import SUBMISSION.tsv with it', accession_number] AS fault
FROM set_lines
ANTI JOIN set_filings USING (accession_number)
