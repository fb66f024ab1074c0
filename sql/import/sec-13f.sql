-- sec-13f: holdings of institutional managers as reported to the SEC on Form 13F, and the managers themselves
-- address: https://www.sec.gov/search-filings
-- address: https://github.com/fastisrealslow/li-lu-13f
-- expects: a full submission text of EDGAR (.txt, or .nc of the dissemination), which is complete in itself
-- expects: or only the information table (.xml), with --cik, --name, --report-date and --filing-date
-- expects: or an investor's quarters (.json): `meta`, `current`, and `history` with earlier quarters
-- expects: lines for the same security, under different managers or discretions, are added up to one position
-- expects: a later filing for the same period replaces an earlier one, and the rows from an investor's quarters, from its filing date on: the lake keeps both, for answers as of a time between them. Of two filings on one day the later one counts, and positions that it does not have are kept with 0 units. An amendment that adds new holdings adds to its report and must be imported together with it
-- expects: tickers come from an investor's quarters and from holdings in the lake, so import those first. They are found by CUSIP, otherwise by issuer and class as filed. If none is found, the ticker is the CUSIP
-- expects: an investor's quarters do not distinguish puts and calls from shares, have values in dollars, and lack most CUSIPs; the ticker replaces a missing CUSIP or, if it is missing too, issuer and class do
-- option: cik = Central Index Key (CIK) of the manager, if the file does not contain it
-- option: name = name of the manager, if the file does not contain it
-- option: report-date = last day of the reporting period, if the file does not contain it
-- option: filing-date = date of the filing, if the file does not contain it
-- option: value-in = unit of the values in information tables: dollars or thousands. Default: determined from the filing date and the values, see below
-- reads: institutions
-- reads: institution_holdings
-- rejects: a report without manager, period or filing date, or filed before the end of its period or before a report in the lake that an earlier version has imported
-- rejects: a line whose CUSIP is not nine characters, whose units or value are not non-negative plain numbers, whose type is not put, call or blank, or whose units are not shares (SH) or principal (PRN)
-- keeps: values in tables filed before 2023-01-03 are thousands of dollars, in later tables dollars. If half of the lines of an earlier table are worth 5 or more per share, its values are dollars nevertheless
-- keeps: if a quarter adds up to more than twice its own total, but matches it once lines above $5,000 per share are divided by 1,000, these lines are divided
-- keeps: a report that does not add up to the total in its file; a quarter may be between half and twice its total, because some totals are rounded to billions
-- keeps: earlier quarters without a filing date; the date is the 45th day after the period, or the Monday after it, when reports are due (17 CFR 240.13f-1)
-- keeps: such a quarter is left out where the lake or the import has the report of its period
--
-- source: filings = xml
-- roots: informationTable, edgarSubmission
-- repeated: infoTable
-- member: submission; name and cik, period becomes report_date, filed becomes filing_date
-- member: document.edgarSubmission.formData.coverPage.amendmentInfo.amendmentType; RESTATEMENT or NEW HOLDINGS
-- member: document.edgarSubmission.formData.summaryPage.tableValueTotal; total to check
-- member: document.informationTable.infoTable[]; cusip; nameOfIssuer becomes full_name; titleOfClass; shrsOrPrnAmt becomes units (PRN: debt); value; putCall (if present, an option)
-- source: investors = json
-- has: meta.managerCIK, current
-- member: meta; managerCIK becomes cik, manager becomes name, notablePeople become people, lastUpdated becomes updated_on
-- member: current, history.holdings."2024 Q1"; quarters: each holding's ticker, name, cls, cusip, shares, value, sector
-- member: history.quarters, history.values; totals of the quarters, millions of dollars
--
-- A report is one information table or one quarter. Its faults are reported once, by the mapping of institutions.

-- step: quarters
WITH named AS (
  SELECT
    *,
    coalesce(record->>'$.current.quarter', 'current') AS current_quarter,
    unnest(
      list_distinct(list_append(coalesce(json_keys(record->'$.history.holdings'), []), current_quarter))
    ) AS quarter
  FROM investors
),
placed AS (
  SELECT
    *,
    quarter = current_quarter AS is_current,
    list_position(record->>'$.history.quarters[*]', quarter) AS place
  FROM named
)
SELECT
  * EXCLUDE (place),
  CASE
    WHEN is_current THEN record->>'$.current.periodEnd'
    WHEN regexp_full_match(quarter, '\d{4} Q[1-4]')
      THEN last_day(make_date(left(quarter, 4)::INTEGER, 3 * right(quarter, 1)::INTEGER, 1))::VARCHAR
    ELSE quarter
  END AS report_date,
  TRY_CAST(half_even_text((record->>'$.history.values[*]')[place], 2) AS DECIMAL(28, 2)) * 1000000 AS total,
  CASE
    WHEN is_current THEN record->'$.current.holdings[*]'
    ELSE json_extract(record, '$.history.holdings."' || replace(quarter, '"', '') || '"')->'$[*]'
  END AS holdings
FROM placed

-- step: lines
-- Every line of every report, numbered within it.
WITH listed AS (
  SELECT file, line, '' AS quarter, record->'$.document.informationTable.infoTable[*]' AS items FROM filings
  UNION ALL
  SELECT file, line, quarter, holdings FROM quarters
),
each_line AS (
  SELECT
    file,
    line,
    quarter,
    generate_subscripts(items, 1) AS ordinal,
    unnest(items) AS item
  FROM listed
),
texts AS (
  SELECT
    *,
    nullif(upper(item->>'cusip'), '') AS cusip,
    -- In quarters, a question mark before a name means that the ticker is unknown.
    replace(nullif(upper(item->>'ticker'), ''), '/', '.') AS symbol,
    if(ticker_fault('', symbol) IS NULL, symbol, NULL) AS ticker,
    nullif(coalesce(item->>'nameOfIssuer', item->>'name'), '') AS full_name,
    nullif(coalesce(item->>'titleOfClass', item->>'cls'), '') AS title_of_class,
    upper(full_name) AS issuer,
    coalesce(upper(title_of_class), '') AS class,
    nullif(coalesce(item->>'$.shrsOrPrnAmt.sshPrnamt', item->>'shares'), '') AS written_units,
    whole_of(written_units) AS units,
    upper(coalesce(item->>'$.shrsOrPrnAmt.sshPrnamtType', 'SH')) AS unit_type,
    nullif(item->>'value', '') AS written_value,
    TRY_CAST(half_even_text(written_value, 2) AS DECIMAL(18, 2)) AS value,
    lower(coalesce(item->>'putCall', '')) AS put_call
  FROM each_line
)
SELECT
  *,
  CASE
    WHEN quarter = '' OR cusip IS NOT NULL THEN coalesce(
      blank_fault('cusip', cusip),
      CASE WHEN NOT regexp_full_match(cusip, '[0-9A-Z*@#]{9}') THEN ['cusip', 'not a CUSIP', cusip] END
    )
  END AS cusip_fault,
  coalesce(
    cusip_fault,
    CASE WHEN coalesce(cusip, ticker, issuer) IS NULL THEN ['cusip', 'missing', NULL] END,
    blank_fault('units', written_units),
    count_fault('units', written_units, units),
    CASE WHEN unit_type NOT IN ('SH', 'PRN') THEN ['units', 'neither SH nor PRN', unit_type] END,
    blank_fault('value', written_value),
    number_fault('value', written_value, value),
    CASE WHEN value < 0 THEN ['value', 'below zero', written_value] END,
    CASE WHEN put_call NOT IN ('', 'put', 'call') THEN ['put_call', 'neither put nor call', put_call] END
  ) AS fault,
  CASE
    WHEN put_call <> '' THEN 'Option'
    WHEN unit_type = 'PRN' THEN 'Debt'
    WHEN (item->>'sector') = 'ETF'
      OR regexp_matches(class, '\bETF\b|^UNIT SER|^TR UNIT$')
      OR regexp_matches(issuer, '\bETFS?\b|\bEXCH?(ANGE|NG)?[ -]TRADED\b|\bINDEX F(D|DS|UNDS?)?\b')
      -- Families of funds whose trusts do not state their type.
      OR regexp_matches(
        issuer,
        '^(ISHARES|SPDR|SELECT SECTOR SPDR|VANGUARD|POWERSHARES|INVESCO QQQ|PROSHARES|WISDOMTREE|VANECK|KRANESHARES|'
          || 'DIREXION|SCHWAB STRATEGIC|GLOBAL X|FIDELITY (COMWLTH|COVINGTON|MERRIMACK)|GRAYSCALE)\b'
      ) THEN 'Fund'
    WHEN regexp_matches(class, '^\*W|\b(WTS?|WRNTS?|WARRANTS?|RIGHTS?)\b') THEN 'Warrant'
    WHEN regexp_matches(class, '\b(PFD|PREF|PREFERRED)\b') THEN 'Preferred'
    WHEN regexp_matches(class, '^(NOTE|DBCV|SDCV|MTNF|BOND|DEBT)\b') THEN 'Debt'
    ELSE 'Share'
  END AS security_type
FROM texts

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
