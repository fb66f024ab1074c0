-- etf-holdings: holdings of ETFs from the lists published by their issuers, CSV, one row per holding
-- address: https://www.ishares.com/us/products/etf-investments
-- address: https://www.ark-funds.com/download-fund-materials
-- address: https://www.ssga.com/us/en/intermediary/fund-finder
-- expects: iShares' "Detailed Holdings": lines with the fund's name, the date of the list and the inception date, then a header
-- expects: after the iShares list, a line of spaces and a disclaimer, which are rejected because they are not holdings
-- expects: lists of ARK, Invesco, Global X and, saved as CSV, State Street, each with its own header
-- expects: the fund's ticker in a column, otherwise before the header, in --etf or in the file's name: IVV.csv
-- expects: the date of the list in a column, otherwise before the header or in --date
-- expects: BRKB and BRK/B are read as BRK.B, and other share classes likewise
-- expects: GICS sectors are mapped to those of the API: Information Technology becomes Technology
-- expects: cash, bonds and derivatives get no ticker; those with the same name are distinguished by CUSIP or a similar identifier
-- expects: a list that states the name of its fund also adds the name, inception date and number of holdings to etfs, for the date of the list
-- expects: a row in etfs for the same date is kept; details missing from the list come from the previous row
-- option: etf = ticker of the fund, for lists that do not contain it
-- option: date = date of the list, YYYY-MM-DD, for lists that do not contain it
-- reads: etfs
-- rejects: a holding whose fund, date or name is unknown
-- rejects: a weight or a number of units that is missing, not a number, or too large
-- keeps: an invalid ticker, stored as empty; has_options that is neither yes nor no, and a sector that matches none of the eleven, stored as NULL
-- keeps: an inception date that is invalid or after the date of the list, stored as NULL
--
-- source: holdings = csv
-- column: name = name, holding name, security name, company, description; name of the holding
-- column: weight = weight (%), weight(%), weight, % of net assets, % of fund, weighting; percent of the fund
-- column: shares = quantity, shares held, shares, shares/par value, par value, units; units held, or par value
-- optional: ticker = holding ticker, ticker, holdings ticker, stock ticker, symbol
-- optional: etf = fund ticker, etf ticker, etf, fund; ticker of the fund
-- optional: date = date, as of date, as of, holdings date; date of the list
-- optional: sector = sector, gics sector
-- optional: asset_class = asset class, type, security type, class of shares, asset type; becomes type
-- optional: identifier = cusip, security identifier, isin, identifier, sedol; distinguishes holdings of the same name
-- optional: short_name = short name
-- optional: fund_name = fund name; otherwise the first line before the header, or the one that says so
-- optional: has_options = has options, has_options
--
-- `weight` is a percentage in every list, with or without a % sign.

-- step: etf_lists
-- The lines before the header, one row per file. They are CSV too, with quotes and commas around values.
WITH preambles AS (
  SELECT
    file,
    name,
    list_filter(
      list_transform(
        preamble,
        lambda text: regexp_replace(trim(regexp_replace(text, '[\s\x{00A0}]+', ' ', 'g')), '^"+|"*[, ]*$', '', 'g')
      ),
      lambda text: text <> ''
    ) AS lines,
    '(\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4}|[A-Za-z]{3,9} \d{1,2}, \d{4}|\d{1,2}[- ][A-Za-z]{3}[- ]\d{4})' AS days
  FROM files
),
labelled_lines AS (
  SELECT
    *,
    -- The first line is the fund's name unless it has another meaning.
    CASE WHEN NOT regexp_matches(lines[1], '(?i)as of|ticker|:|^date|\d{4}$') THEN lines[1] END AS title,
    list_filter(lines, lambda text: regexp_matches(text, '(?i)^fund name'))[1] AS name_line,
    list_filter(lines, lambda text: regexp_matches(text, '(?i)^(fund )?ticker'))[1] AS ticker_line,
    list_filter(lines, lambda text: regexp_matches(text, '(?i)as of'))[1] AS day_line,
    list_filter(lines, lambda text: regexp_matches(text, '(?i)^inception date'))[1] AS inception_line
  FROM preambles
)
SELECT
  file,
  coalesce(nullif(regexp_extract(name_line, '(?i)^fund name[":, ]+(.+)$', 1), ''), title) AS listed_name,
  nullif(regexp_extract(day_line, days, 1), '') AS stated_day,
  present(regexp_extract(inception_line, '(?i)^inception date[":, ]*(.*)$', 1)) AS stated_inception,
  coalesce(
    nullif(regexp_extract(ticker_line, '(?i)^(fund )?ticker( symbol)?[":, ]+([a-z][a-z0-9.\-]{0,9})$', 3), ''),
    $etf,
    nullif(
      regexp_extract(name, '^([A-Z][A-Z0-9.]{0,9}?)([_ -]((?i)holdings?|\d{4}-?\d{2}-?\d{2}).*)?\.(csv|CSV)$', 1),
      ''
    )
  ) AS stated_etf
FROM labelled_lines

-- step: etf_lines
-- Every row of the lists, typed. The tickers are those of share classes that issuers write as one word: tickers with
-- options, without their dot.
WITH classes (written, ticker) AS (
  VALUES
    ('BFA', 'BF.A'),
    ('BFB', 'BF.B'),
    ('BRKA', 'BRK.A'),
    ('BRKB', 'BRK.B'),
    ('CWENA', 'CWEN.A'),
    ('HEIA', 'HEI.A'),
    ('LENB', 'LEN.B'),
    ('LGFA', 'LGF.A'),
    ('LGFB', 'LGF.B'),
    ('MOGA', 'MOG.A'),
    ('PBRA', 'PBR.A'),
    ('RDSA', 'RDS.A'),
    ('RDSB', 'RDS.B')
),
-- What macros repeat is a column of the step before: DuckDB plans an alias of the same SELECT as often as it is repeated.
stated AS (
  SELECT
    holdings.* EXCLUDE (fund_name),
    etf_lists.* EXCLUDE (file, listed_name),
    coalesce(holdings.fund_name, listed_name) AS fund_name,
    coalesce(holdings.etf, stated_etf) AS fund,
    coalesce(holdings.date, stated_day, $date) AS day_text,
    regexp_replace(holdings.name, '[\s\x{00A0}]+', ' ', 'g') AS name_text,
    present(weight) AS stated_weight,
    present(shares) AS stated_shares,
    present(ticker) AS stated_ticker
  FROM holdings
  JOIN etf_lists USING (file)
),
texts AS (
  SELECT
    *,
    coalesce(plain_number(stated_weight), stated_weight) AS weight_text,
    coalesce(plain_number(stated_shares), stated_shares) AS shares_text,
    ticker_of(stated_ticker) AS ticker_text
  FROM stated
),
typed AS (
  SELECT
    *,
    any_day_of(day_text) AS day,
    present(name_text) AS holding_name,
    TRY_CAST(half_even_text(weight_text, 6) AS DECIMAL(12, 6)) AS weight_value,
    TRY_CAST(half_even_text(shares_text, 4) AS DECIMAL(18, 4)) AS shares_value,
    CASE
      WHEN regexp_matches(asset_class, '(?i)cash|money market|currenc|repurchase') THEN 'cash'
      WHEN regexp_matches(asset_class, '(?i)future') THEN 'future'
      WHEN regexp_matches(asset_class, '(?i)option') THEN 'option'
      WHEN regexp_matches(asset_class, '(?i)swap') THEN 'swap'
      WHEN regexp_matches(asset_class, '(?i)forward|^fx') THEN 'forward'
      WHEN regexp_matches(asset_class, '(?i)fixed income|bond|treasur') THEN 'bond'
      WHEN regexp_matches(asset_class, '(?i)equit|stock|^adr') THEN 'stock'
      WHEN regexp_matches(asset_class, '(?i)\betf\b|exchange.traded|fund') THEN 'etf'
      ELSE lower(present(asset_class))
    END AS kind
  FROM texts
),
judged AS (
  SELECT
    *,
    coalesce(
      CASE
        WHEN fund IS NULL THEN ['etf', 'not in a column, before the header, in the file name or in --etf', NULL]
      END,
      ticker_fault('etf', fund),
      day_fault('date', day_text, day, $today),
      blank_fault('name', holding_name),
      blank_fault('weight', weight_text),
      number_fault('weight', weight_text, weight_value),
      blank_fault('shares', shares_text),
      number_fault('shares', shares_text, shares_value)
    ) AS fault,
    kind IS NULL OR kind IN ('stock', 'etf') AS is_listed,
    is_listed AND ticker_fault('ticker', ticker_text) IS NULL AS has_ticker,
    CASE
      WHEN lower(has_options) IN ('true', 'yes', 'y', '1') THEN true
      WHEN lower(has_options) IN ('false', 'no', 'n', '0') THEN false
    END AS optionable
  FROM typed
)
SELECT
  file,
  line,
  day AS date,
  ticker_of(fund) AS etf,
  CASE WHEN has_ticker THEN coalesce(classes.ticker, ticker_text) ELSE '' END AS ticker,
  holding_name AS name,
  present(short_name) AS short_name,
  kind AS type,
  sector_of(judged.sector) AS sector,
  optionable AS has_options,
  weight_value AS weight,
  shares_value AS shares,
  fault,
  [
    CASE WHEN is_listed AND NOT has_ticker AND ticker_text IS NOT NULL THEN ticker_fault('ticker', judged.ticker) END,
    note(
      'sector',
      'unknown sector',
      judged.sector,
      is_listed
        AND present(judged.sector) IS NOT NULL
        AND sector_of(judged.sector) IS NULL
        AND lower(judged.sector) NOT IN ('cash and/or derivatives', 'unassigned', 'unknown')
    ),
    note('has_options', 'neither yes nor no', has_options, present(has_options) IS NOT NULL AND optionable IS NULL)
  ] AS left_out,
  coalesce(present(identifier), present(judged.ticker)) AS identity,
  fund_name,
  stated_inception
FROM judged
LEFT JOIN classes ON classes.written = ticker_text

-- dataset: etf_holdings
-- The lake identifies a holding by its name and ticker: if a list has duplicates, each gets its identifier.
SELECT
  file,
  line,
  date,
  etf,
  ticker,
  CASE
    WHEN fault IS NULL AND identity IS NOT NULL AND ticker = ''
      AND count(DISTINCT coalesce(identity, '')) OVER (PARTITION BY file, fault IS NULL, date, etf, name, ticker) > 1
      THEN name || ' ' || identity
    ELSE name
  END AS name,
  short_name,
  type,
  sector,
  has_options,
  weight,
  shares,
  fault,
  left_out
FROM etf_lines

-- dataset: etfs
-- One row per list of a single named fund. It adds what the lake does not have for the fund and date, from the list
-- first, then from the previous row in the lake.
WITH lists AS (
  SELECT
    file,
    etf,
    date,
    min(fund_name) AS name,
    min(stated_inception) AS stated_inception,
    any_day_of(min(stated_inception)) AS inception,
    count(DISTINCT (name, ticker, if(ticker = '', identity, '')))::INTEGER AS holdings_count
  FROM etf_lines
  WHERE fault IS NULL
  GROUP BY file, etf, date
  QUALIFY count(*) OVER (PARTITION BY file) = 1 AND min(fund_name) IS NOT NULL
),
met AS (
  SELECT
    lists.*,
    held,
    held.date = lists.date AS is_held,
    stated_inception IS NOT NULL AND coalesce(inception NOT BETWEEN DATE '1900-01-01' AND lists.date, true) AS is_odd,
    CASE WHEN NOT is_odd THEN inception END AS inception_date
  FROM lists
  ASOF LEFT JOIN held_etfs AS held ON held.ticker = lists.etf AND held.date <= lists.date
)
SELECT
  file,
  1::BIGINT AS line,
  etf AS ticker,
  date,
  CASE WHEN is_held THEN held.name ELSE name END AS name,
  held.etf_company AS etf_company,
  held.domicile AS domicile,
  held.description AS description,
  held.website AS website,
  CASE
    WHEN is_held THEN coalesce(held.inception_date, inception_date)
    ELSE coalesce(inception_date, held.inception_date)
  END AS inception_date,
  held.expense_ratio AS expense_ratio,
  CASE WHEN is_held THEN coalesce(held.holdings_count, holdings_count) ELSE holdings_count END AS holdings_count,
  held.aum AS aum,
  held.has_options AS has_options,
  NULL::VARCHAR[] AS fault,
  [note('inception_date', 'not a date from 1900 to the date of the list', stated_inception, is_odd)] AS left_out
FROM met
