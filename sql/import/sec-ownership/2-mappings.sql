-- dataset: insiders
-- Columns come from the latest filing of each insider; other columns in the lake are kept. Faults of a whole filing are
-- reported once, and its excluded transactions with its first owner.
WITH latest AS (
  SELECT *
  FROM owners
  WHERE fault IS NULL
  QUALIFY row_number() OVER (PARTITION BY ticker, cik ORDER BY filing_date DESC, file DESC, line DESC, ordinal) = 1
),
insider_notes AS (
  SELECT
    ticker,
    cik,
    list(each_note ORDER BY file, line, each_note) AS left_out
  FROM (
    SELECT
      file,
      line,
      forms.ticker,
      cik,
      unnest(
        [
          note('accession_number', 'not stated: file name used', accession_number, number_is_name),
          note('filing_date', 'not stated: signature date used', written_filing_date, day_is_signature),
          note('ticker', 'several tickers; the first is used', array_to_string(tickers, ' '), len(tickers) > 1)
        ] || list_transform(
          json_extract(form, '$.derivativeTable.derivativeTransaction[*]'),
          lambda item: ['trades', 'transaction in derivatives excluded', item->>'$.securityTitle.value']
        )
      ) AS each_note
    FROM forms
    JOIN first_owners USING (file, line)
  )
  WHERE each_note IS NOT NULL
  GROUP BY ticker, cik
)
SELECT
  file,
  line,
  ticker,
  cik,
  greatest(filing_date, held.updated_on) AS updated_on,
  cik::BIGINT AS id,
  if(held.updated_on > filing_date, held.name, latest.name) AS name,
  if(held.updated_on > filing_date, held.display_name, latest.display_name) AS display_name,
  trim(
    regexp_replace(
      lower(strip_accents(if(held.updated_on > filing_date, held.display_name, latest.display_name))),
      '[^a-z0-9]+',
      '-',
      'g'
    ),
    '-'
  ) AS name_slug,
  if(held.updated_on > filing_date, held.is_person, latest.is_person) AS is_person,
  held.logo_url,
  coalesce(held.social_links, []) AS social_links,
  NULL::VARCHAR[] AS fault,
  left_out
FROM latest
LEFT JOIN held_insiders AS held USING (ticker, cik)
LEFT JOIN insider_notes USING (ticker, cik)
UNION ALL BY NAME
SELECT file, line, fault FROM forms WHERE fault IS NOT NULL
UNION ALL BY NAME
SELECT file, line, fault FROM owners WHERE fault IS NOT NULL
UNION ALL BY NAME
SELECT
  file,
  line,
  ['accession_number', 'its filing is not in the import: import SUBMISSION.tsv with it', accession_number] AS fault
FROM (
  SELECT file, line, accession_number FROM set_owners
  UNION ALL
  SELECT file, line, accession_number FROM set_trades
)
ANTI JOIN set_filings USING (accession_number)

-- dataset: insider_trades
WITH clusters AS (
  SELECT
    *,
    day_of(left(filing_date, 10)) AS filing_day,
    day_of(trade_date) AS trade_day,
    plain_number(price) AS plain_price,
    ltrim(plain_number(shares), '-') AS plain_shares,
    plain_number(owned) AS plain_owned
  FROM purchases
)
SELECT
  file,
  line,
  accession_number,
  sequence,
  filing_date,
  ticker,
  cik,
  transaction_date,
  transaction_code,
  security_title,
  shares,
  price,
  is_acquired,
  shares_after,
  fault,
  [
    note('price', 'not stated, or in a footnote', NULL, written_price IS NULL),
    note('price', 'not a plain decimal number', written_price, is_price_wrong),
    note('shares_after', 'not a plain decimal number', written_after, is_after_wrong)
  ] AS left_out
FROM trades
UNION ALL
SELECT
  file,
  line,
  uuid_named(
    concat_ws('|', 'insider purchases', ticker_of(ticker), filing_date, trade_date, trade_type, upper(insider))
  )::VARCHAR,
  1,
  filing_day,
  ticker_of(ticker),
  '',
  trade_day,
  left(trade_type, 1),
  NULL,
  TRY_CAST(half_even_text(plain_shares, 4) AS DECIMAL(18, 4)),
  TRY_CAST(half_even_text(plain_price, 6) AS DECIMAL(18, 6)),
  shares NOT LIKE '-%' AND left(trade_type, 1) <> 'S',
  TRY_CAST(half_even_text(plain_owned, 4) AS DECIMAL(18, 4)),
  coalesce(
    ticker_fault('ticker', ticker),
    day_fault('filing_date', filing_date, filing_day, $today),
    day_fault('trade_date', trade_date, trade_day, $today),
    CASE WHEN trade_day > filing_day THEN ['trade_date', 'after the filing date', trade_date] END,
    CASE
      WHEN NOT coalesce(regexp_full_match(trade_type, '[A-Z] - .*'), false) THEN ['trade_type', 'not a transaction code', trade_type]
    END,
    blank_fault('price', price),
    positive_fault('price', coalesce(plain_price, price), TRY_CAST(half_even_text(plain_price, 6) AS DECIMAL(18, 6))),
    blank_fault('qty', shares),
    positive_fault('qty', coalesce(plain_shares, shares), TRY_CAST(half_even_text(plain_shares, 4) AS DECIMAL(18, 4)))
  ),
  [
    note('cik', if(insider IS NULL, 'not stated: several insiders', 'not stated'), insider, true),
    note(
      'shares_after',
      'not a plain decimal number',
      owned,
      owned IS NOT NULL AND TRY_CAST(half_even_text(plain_owned, 4) AS DECIMAL(18, 4)) IS NULL
    )
  ]
FROM clusters
