-- etf-info: profiles of ETFs: name, issuer, inception date, expense ratio, assets and more, one row or object per fund
-- address: https://www.alphavantage.co/documentation/#etf-profile
-- address: https://site.financialmodelingprep.com/developer/docs/stable/etf-information
-- expects: CSV with a header and one row per fund, or JSON: one object, an array of objects, or one per line
-- expects: the fund's ticker in the file, otherwise in --etf or in the file's name: QQQ.json, QQQ_profile.json
-- expects: expense ratios in percent: 0.03 or 0.03%; net_expense_ratio without a % sign is a fraction (Alpha Vantage)
-- expects: assets in dollars: 583222640139.86, $583,222,640,139.86, $583.2B; K, M, B, T are 10^3, 10^6, 10^9, 10^12
-- expects: the date from which the facts apply in a column, otherwise in --date. Default: the date of the import
-- expects: blank, N/A, None and - mean unknown; an unknown fact is copied from the fund's previous row, if there is one
-- expects: a known fact is copied to the fund's later rows in the lake that do not have it
-- option: etf = ticker of the fund, for files that do not contain it
-- option: date = date from which the facts apply, YYYY-MM-DD. Default: the date of the import
-- reads: etfs
-- reads: tickers
-- rejects: a fund without a known ticker, or without a name in the file, in etfs and in tickers
-- rejects: a date that is invalid or in the future
-- keeps: a website that is not a URL and an inception date that is invalid or in the future, stored as NULL
-- keeps: an expense ratio, number of holdings or assets that are not numbers or impossible, stored as NULL
--
-- source: facts = csv
-- column: ticker = ticker, symbol, fund ticker, etf ticker, etf; ticker of the fund
-- optional: date = date, as of, as of date, as_of_date; date from which the facts apply
-- optional: name = name, fund name, fund_name, etf name, full name, fund; name of the fund
-- optional: company = etf_company, issuer, fund family, fund_family, company, sponsor, brand; becomes etf_company
-- optional: domicile = domicile, country; country of domicile
-- optional: description = description, objective, investment objective; description of the fund
-- optional: website = website, url, link; URL that begins with http:// or https://
-- optional: inception_date = inception_date, inception date, inception, launch date; date of the fund's inception
-- optional: expense_ratio = expense_ratio, expense ratio, expense ratio (%), net expense ratio (%), ter; percent per year
-- optional: net_expense_ratio = net_expense_ratio; a fraction per year
-- optional: holdings_count = holdings_count, holdings, # of holdings, number of holdings, holdings count; number of holdings
-- optional: aum = aum, net assets, net_assets, total assets, assets, assets under management, aum ($); dollars
-- optional: has_options = has_options, optionable; whether it has listed options
-- source: profiles = json
-- member: symbol; ticker of the fund (or ticker)
-- member: date; date from which the facts apply (or asOfDate)
-- member: name; name of the fund (or fundName)
-- member: etf_company; company that manages the fund (or etfCompany, issuer, fund_family, company)
-- member: domicile; country of domicile
-- member: description; description of the fund
-- member: website; URL (or url)
-- member: inception_date; date of the fund's inception (or inceptionDate)
-- member: expense_ratio; percent per year (or expenseRatio)
-- member: net_expense_ratio; a fraction per year, becomes the expense ratio in percent
-- member: holdings_count; number of holdings (or holdingsCount). Default: the length of holdings[]
-- member: aum; assets in dollars (or net_assets, assetsUnderManagement)
-- member: has_options; whether it has listed options (or optionable)
--
-- A row of etfs applies from its date until the fund's next row, so a fact missing from one source must not be lost
-- from that date on. The mapping therefore reads the fund's previous and later rows in the lake.

-- step: etf_facts
WITH texts AS (
  FROM facts
  UNION ALL BY NAME
  SELECT
    file,
    line,
    coalesce(record ->> 'symbol', record ->> 'ticker', record ->> 'Symbol') AS ticker,
    coalesce(record ->> 'date', record ->> 'asOfDate') AS date,
    coalesce(record ->> 'name', record ->> 'fundName', record ->> 'Name') AS name,
    coalesce(
      record ->> 'etf_company', record ->> 'etfCompany', record ->> 'issuer', record ->> 'fund_family',
      record ->> 'company'
    ) AS company,
    record ->> 'domicile' AS domicile,
    record ->> 'description' AS description,
    coalesce(record ->> 'website', record ->> 'url') AS website,
    coalesce(record ->> 'inception_date', record ->> 'inceptionDate') AS inception_date,
    coalesce(record ->> 'expense_ratio', record ->> 'expenseRatio') AS expense_ratio,
    record ->> 'net_expense_ratio' AS net_expense_ratio,
    coalesce(
      record ->> 'holdings_count',
      record ->> 'holdingsCount',
      CASE WHEN json_type(record, '$.holdings') = 'ARRAY' THEN json_array_length(record, '$.holdings')::VARCHAR END
    ) AS holdings_count,
    coalesce(record ->> 'aum', record ->> 'net_assets', record ->> 'assetsUnderManagement') AS aum,
    coalesce(record ->> 'has_options', record ->> 'optionable') AS has_options
  FROM profiles
),
-- Values that mean nothing become NULL; blanks and line breaks within a text become one blank.
present_texts AS (
  SELECT
    file,
    line,
    present(regexp_replace(COLUMNS(* EXCLUDE (file, line)), '[\s\x{00A0}]+', ' ', 'g'))
  FROM texts
),
-- One conversion per level, because a macro repeats its argument.
written AS (
  SELECT
    present_texts.* EXCLUDE (ticker),
    coalesce(
      present_texts.ticker,
      $etf,
      nullif(
        regexp_extract(files.name, '^([A-Z][A-Z0-9.]{0,9}?)([_ -](?i)(etf[_ -]?)?(profile|info).*)?\.[a-z]+$', 1),
        ''
      )
    ) AS ticker_text,
    coalesce(date, $date, $today::DATE::VARCHAR) AS day_text,
    coalesce(expense_ratio, net_expense_ratio) AS ratio_text,
    -- A fraction has no % sign and is in net_expense_ratio.
    if(expense_ratio IS NULL AND NOT contains(net_expense_ratio, '%'), 100, 1) AS ratio_unit,
    '(thousand|million|billion|trillion|mm|mn|bn|tn|k|m|b|t)?( usd)?$' AS assets_end,
    lower(regexp_extract(aum, '(?i)' || assets_end, 1)) AS assets_unit,
    trim(regexp_replace(aum, '(?i)' || assets_end, '')) AS assets_text
  FROM present_texts
  JOIN files USING (file)
),
plain AS (
  SELECT
    *,
    plain_number(ratio_text) AS ratio_plain,
    plain_number(holdings_count) AS holdings_plain,
    plain_number(assets_text) AS assets_plain,
    CASE
      WHEN assets_unit IN ('k', 'thousand') THEN 1000
      WHEN assets_unit[1] = 'm' THEN 1000000
      WHEN assets_unit[1] = 'b' THEN 1000000000
      WHEN assets_unit[1] = 't' THEN 1000000000000
      ELSE 1
    END::DECIMAL(13, 0) AS assets_factor
  FROM written
),
numbered AS (
  SELECT
    *,
    ticker_of(ticker_text) AS ticker,
    any_day_of(day_text) AS day,
    any_day_of(inception_date) AS inception,
    TRY_CAST(half_even_text(ratio_plain, 10) AS DECIMAL(18, 10)) * ratio_unit AS ratio,
    TRY_CAST(half_even_text(holdings_plain, 4) AS DECIMAL(18, 4)) AS holdings,
    TRY_CAST(half_even_text(assets_plain, 8) AS DECIMAL(24, 8)) AS assets_number
  FROM plain
),
typed AS (
  SELECT
    *,
    TRY_CAST(half_even(assets_number * assets_factor, 2) AS DECIMAL(18, 2)) AS assets
  FROM numbered
),
judged AS (
  SELECT
    *,
    coalesce(ticker_fault('ticker', ticker), day_fault('date', day_text, day, $today)) AS fault,
    website IS NOT NULL AND NOT regexp_full_match(website, 'https?://[^\s/]+\.[^\s]+') AS no_website,
    inception_date IS NOT NULL AND coalesce(inception NOT BETWEEN DATE '1900-01-01' AND $today::DATE + 1, true)
      AS no_inception,
    ratio_text IS NOT NULL AND coalesce(ratio NOT BETWEEN 0 AND 100, true) AS no_ratio,
    holdings_count IS NOT NULL AND coalesce(holdings NOT BETWEEN 0 AND 2147483647 OR holdings % 1 <> 0, true)
      AS no_holdings,
    aum IS NOT NULL AND coalesce(assets < 0, true) AS no_assets,
    CASE
      WHEN lower(has_options) IN ('true', 'yes', 'y', '1') THEN true
      WHEN lower(has_options) IN ('false', 'no', 'n', '0') THEN false
    END AS optionable
  FROM typed
)
SELECT
  judged.file,
  judged.line,
  judged.ticker,
  day AS date,
  coalesce(judged.name, held.name, listed.full_name) AS name,
  company AS etf_company,
  judged.domicile,
  judged.description,
  CASE WHEN NOT no_website THEN judged.website END AS website,
  CASE WHEN NOT no_inception THEN inception END AS inception_date,
  CASE WHEN NOT no_ratio THEN TRY_CAST(half_even(ratio, 4) AS DECIMAL(9, 4)) END AS expense_ratio,
  CASE WHEN NOT no_holdings THEN TRY_CAST(round(holdings) AS INTEGER) END AS holdings_count,
  CASE WHEN NOT no_assets THEN assets END AS aum,
  optionable AS has_options,
  coalesce(
    fault,
    CASE
      WHEN coalesce(judged.name, held.name, listed.full_name) IS NULL
        THEN ['name', 'neither in the file nor in the lake', NULL]
    END
  ) AS fault,
  [
    note('website', 'not a URL', judged.website, no_website),
    note('inception_date', 'not a date up to today', judged.inception_date, no_inception),
    note('expense_ratio', 'not a number from 0 to 100 percent', ratio_text, no_ratio),
    note('holdings_count', 'not a non-negative whole number', judged.holdings_count, no_holdings),
    note('aum', 'not an amount', judged.aum, no_assets),
    note('has_options', 'neither yes nor no', judged.has_options, judged.has_options IS NOT NULL AND optionable IS NULL)
  ] AS left_out
FROM judged
ASOF LEFT JOIN held_etfs AS held ON held.ticker = judged.ticker AND held.date <= judged.day
ASOF LEFT JOIN held_tickers AS listed ON listed.ticker = judged.ticker AND listed.date <= judged.day

-- dataset: etfs
-- The lake's rows and the files' rows, by date; on the same date the lake's row is first. A missing fact takes its last
-- known value. Of the lake's rows, only those that gain a fact are written.
WITH events AS (
  SELECT
    NULL AS source,
    held AS former,
    NULL AS left_out,
    held.*
  FROM held_etfs AS held
  UNION ALL BY NAME
  SELECT
    {'file': file, 'line': line} AS source,
    * EXCLUDE (file, line, fault)
  FROM etf_facts
  WHERE fault IS NULL
),
filled AS (
  SELECT
    source AS own,
    former,
    left_out,
    ticker,
    date,
    bool_or(source IS NOT NULL) OVER (PARTITION BY ticker, date) AS is_in_file,
    last_value(COLUMNS(* EXCLUDE (former, left_out, ticker, date)) IGNORE NULLS) OVER (
      PARTITION BY ticker
      ORDER BY date, source NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
  FROM events
)
SELECT
  source.file AS file,
  source.line AS line,
  ticker,
  date,
  name,
  etf_company,
  domicile,
  description,
  website,
  inception_date,
  expense_ratio,
  holdings_count,
  aum,
  has_options,
  NULL::VARCHAR[] AS fault,
  left_out
FROM filled
WHERE own IS NOT NULL
  OR (
    source IS NOT NULL
    AND NOT is_in_file
    AND former IS DISTINCT FROM {
      'ticker': ticker,
      'date': date,
      'name': name,
      'etf_company': etf_company,
      'domicile': domicile,
      'description': description,
      'website': website,
      'inception_date': inception_date,
      'expense_ratio': expense_ratio,
      'holdings_count': holdings_count,
      'aum': aum,
      'has_options': has_options
    }
  )
UNION ALL
FROM etf_facts
WHERE fault IS NOT NULL
