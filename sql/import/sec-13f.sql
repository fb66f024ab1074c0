-- sec-13f: holdings of institutional managers as reported to the SEC on Form 13F, and the managers themselves
-- address: https://www.sec.gov/search-filings
-- address: https://www.sec.gov/data-research/sec-markets-data/form-13f-data-sets
-- address: https://github.com/fastisrealslow/li-lu-13f
-- expects: a full submission text of EDGAR (.txt, or .nc of the dissemination), which is complete in itself
-- expects: or only the information table (.xml), with --cik, --name, --report-date and --filing-date
-- expects: or a quarterly data set of the SEC: SUBMISSION.tsv, COVERPAGE.tsv, SUMMARYPAGE.tsv and INFOTABLE.tsv in one import; its other tables are not read
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
-- rejects: a line of a data set whose filing is not in the import
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
-- source: set_filings = csv
-- columns: accession_number, filing_date, submissiontype, cik, periodofreport
-- source: set_covers = csv
-- columns: accession_number, filingmanager_name, amendmenttype
-- source: set_sums = csv
-- columns: accession_number, tableentrytotal, tablevaluetotal
-- source: set_lines = csv
-- columns: accession_number, infotable_sk, nameofissuer, titleofclass, cusip, value, sshprnamt, sshprnamttype, putcall
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
written AS (
  SELECT
    file,
    line,
    quarter,
    ordinal,
    file AS row_file,
    line AS row_line,
    item->>'cusip' AS cusip_text,
    -- In quarters, a question mark before a name means that the ticker is unknown.
    item->>'ticker' AS symbol_text,
    coalesce(item->>'nameOfIssuer', item->>'name') AS name_text,
    coalesce(item->>'titleOfClass', item->>'cls') AS class_text,
    coalesce(item->>'$.shrsOrPrnAmt.sshPrnamt', item->>'shares') AS units_text,
    item->>'$.shrsOrPrnAmt.sshPrnamtType' AS type_text,
    item->>'value' AS value_text,
    item->>'putCall' AS call_text,
    (item->>'sector') = 'ETF' AS is_etf
  FROM each_line
  UNION ALL BY NAME
  SELECT
    set_filings.file,
    set_filings.line,
    '' AS quarter,
    TRY_CAST(infotable_sk AS BIGINT) AS ordinal,
    set_lines.file AS row_file,
    set_lines.line AS row_line,
    cusip AS cusip_text,
    nameofissuer AS name_text,
    titleofclass AS class_text,
    sshprnamt AS units_text,
    sshprnamttype AS type_text,
    value AS value_text,
    putcall AS call_text
  FROM set_lines
  JOIN set_filings USING (accession_number)
),
-- What macros repeat is a column of the step before: DuckDB plans an alias of the same SELECT as often as it is repeated.
stated AS (
  SELECT
    file,
    line,
    quarter,
    ordinal,
    row_file,
    row_line,
    is_etf,
    nullif(upper(cusip_text), '') AS cusip,
    replace(ticker_of(nullif(symbol_text, '')), '/', '.') AS symbol,
    nullif(name_text, '') AS full_name,
    nullif(class_text, '') AS title_of_class,
    nullif(units_text, '') AS written_units,
    upper(coalesce(type_text, 'SH')) AS unit_type,
    nullif(value_text, '') AS written_value,
    lower(coalesce(call_text, '')) AS put_call
  FROM written
),
texts AS (
  SELECT
    *,
    if(ticker_fault('', symbol) IS NULL, symbol, NULL) AS ticker,
    upper(full_name) AS issuer,
    coalesce(upper(title_of_class), '') AS class,
    whole_of(written_units) AS units,
    TRY_CAST(half_even_text(written_value, 2) AS DECIMAL(18, 2)) AS value
  FROM stated
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
    WHEN is_etf
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
