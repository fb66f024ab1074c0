-- step: reports
-- Each report with its faults, the factor that converts its values to dollars, and whether it counts: of a manager's
-- period and filing date the last full report counts, and each later amendment that adds holdings, once. Which filing
-- date counts is decided where positions are derived, as it depends on what is known.
WITH covers AS (
  SELECT
    file,
    min(line) AS first_line,
    min(line) FILTER (WHERE json_exists(record, '$.document.informationTable')) AS table_line,
    max((record->'$.document.edgarSubmission.formData')::VARCHAR)::JSON AS cover
  FROM filings
  GROUP BY file
),
texts AS (
  SELECT
    file,
    line,
    '' AS quarter,
    coalesce(record->>'$.submission.accession_number', '') AS accession,
    json_keys(record->'$.document')[1] AS root,
    coalesce(upper(cover->>'$.coverPage.amendmentInfo.amendmentType') = 'NEW HOLDINGS', false) AS adds,
    coalesce(record->>'$.submission.cik', $cik) AS written_cik,
    coalesce(record->>'$.submission.name', $name) AS name,
    coalesce(record->>'$.submission.period', $report_date) AS written_report_date,
    coalesce(record->>'$.submission.filed', $filing_date) AS written_filing_date,
    false AS is_undated,
    NULL AS last_updated,
    []::VARCHAR[] AS people,
    TRY_CAST(half_even_text(cover->>'$.summaryPage.tableValueTotal', 2) AS DECIMAL(28, 2)) AS total
  FROM filings
  JOIN covers USING (file)
  WHERE line = coalesce(table_line, first_line)
    OR json_exists(record, '$.document.informationTable')
  UNION ALL
  SELECT
    set_filings.file,
    set_filings.line,
    '',
    accession_number,
    'informationTable',
    coalesce(upper(amendmenttype) = 'NEW HOLDINGS', false),
    cik,
    filingmanager_name,
    any_day_text(periodofreport),
    any_day_text(filing_date),
    false,
    NULL,
    [],
    TRY_CAST(half_even_text(tablevaluetotal, 2) AS DECIMAL(28, 2))
  FROM set_filings
  LEFT JOIN set_covers USING (accession_number)
  LEFT JOIN set_sums USING (accession_number)
  -- Notices (13F-NT) have no lines.
  WHERE submissiontype LIKE '13F-HR%'
  UNION ALL
  SELECT
    file,
    line,
    quarter,
    '',
    'informationTable',
    false,
    record->>'$.meta.managerCIK',
    record->>'$.meta.manager',
    report_date,
    CASE
      WHEN is_current THEN record->>'$.current.filingDate'
      ELSE least(
        $today::DATE,
        day_of(report_date) + 45 + [0, 0, 0, 0, 0, 2, 1][isodow(day_of(report_date) + 45)]
      )::VARCHAR
    END,
    NOT is_current,
    day_of(left(record->>'$.meta.lastUpdated', 10)),
    record->>'$.meta.notablePeople[*]',
    total
  FROM quarters
),
sums AS (
  SELECT
    file,
    line,
    quarter,
    sum(value) AS sum,
    sum(value::DECIMAL(38, 2) * if(value > 5000::HUGEINT * units, 0.001, 1)) AS divided_sum,
    quantile_disc(value / units, 0.5) FILTER (WHERE units > 0) AS median
  FROM lines
  WHERE fault IS NULL
  GROUP BY file, line, quarter
),
typed AS (
  SELECT
    * EXCLUDE (median, divided_sum),
    nullif(ltrim(trim(written_cik), '0'), '') AS cik,
    day_of(written_report_date) AS report_date,
    day_of(written_filing_date) AS filing_date,
    coalesce(last_updated, filing_date) AS updated_on,
    quarter <> '' AND sum > 2 * total AND abs(divided_sum - total) <= 1000000 AS is_inflated,
    CASE
      WHEN quarter <> '' THEN 1
      WHEN $value_in IS NOT NULL THEN if($value_in = 'thousands', 1000, 1)
      ELSE if(filing_date < DATE '2023-01-03' AND coalesce(median, 0) < 5, 1000, 1)
    END AS factor
  FROM texts
  LEFT JOIN sums USING (file, line, quarter)
),
held AS (
  SELECT
    cik,
    report_date,
    -- Rows of versions that kept only the latest filing.
    max(filing_date) FILTER (WHERE filing_kind IS NULL) AS held_filing_date,
    coalesce(bool_or(filing_kind = 'report'), false) AS has_report
  FROM held_institution_holdings
  GROUP BY cik, report_date
),
checked AS (
  SELECT
    *,
    coalesce(
      CASE
        WHEN root NOT IN ('informationTable', 'edgarSubmission') THEN ['document', 'not a Form 13F document', root]
        WHEN cik IS NULL THEN ['cik', 'not stated: specify --cik', written_cik]
        WHEN NOT regexp_full_match(cik, '\d{1,10}') THEN ['cik', 'not a Central Index Key', written_cik]
        WHEN name IS NULL THEN ['name', 'not stated: specify --name', NULL]
        WHEN written_report_date IS NULL THEN ['report_date', 'not stated: specify --report-date', NULL]
        WHEN written_filing_date IS NULL THEN ['filing_date', 'not stated: specify --filing-date', NULL]
        WHEN $value_in NOT IN ('dollars', 'thousands') THEN ['value', 'neither dollars nor thousands', $value_in]
      END,
      day_fault('report_date', written_report_date, report_date, $today),
      day_fault('filing_date', written_filing_date, filing_date, $today),
      CASE
        WHEN filing_date < report_date THEN ['filing_date', 'before the end of its period', written_filing_date]
        -- For quarters the lake has the due date, not the date of a later filing.
        WHEN max(filing_date) OVER (PARTITION BY cik, report_date) < held_filing_date
          AND held_filing_date NOT BETWEEN report_date + 45 AND report_date + 47
          THEN ['filing_date', 'older than the report in the lake', written_filing_date]
      END
    ) AS fault
  FROM typed
  LEFT JOIN held USING (cik, report_date)
)
SELECT
  *,
  fault IS NULL
    AND NOT is_superseded
    AND place >= coalesce(day_base, place)
    AND (accession = '' OR place = max(place) OVER (PARTITION BY cik, report_date, accession)) AS counts,
  CASE
    WHEN day_base IS NULL THEN 'addition'
    WHEN max(place) FILTER (WHERE is_undated) OVER (PARTITION BY cik, report_date, filing_date) = day_base THEN 'undated'
    ELSE 'report'
  END AS filing_kind
FROM (
  SELECT
    * REPLACE (
      -- The report that it adds to may be in the lake, but so may its additions.
      CASE
        WHEN fault IS NULL AND base IS NULL THEN ['form', 'adds to a report that is not in the import', accession]
        ELSE fault
      END AS fault
    ),
    max(place) FILTER (WHERE fault IS NULL AND NOT adds AND NOT is_superseded)
      OVER (PARTITION BY cik, report_date, filing_date) AS day_base
  FROM (
    SELECT
      *,
      max(place) FILTER (WHERE fault IS NULL AND NOT adds) OVER (PARTITION BY cik, report_date) AS base,
      is_undated
        AND (
          coalesce(has_report, false)
          OR bool_or(fault IS NULL AND NOT adds AND NOT is_undated) OVER (PARTITION BY cik, report_date)
        ) AS is_superseded
    FROM (SELECT *, row_number() OVER (ORDER BY filing_date, accession, file, line, quarter) AS place FROM checked)
  )
)
