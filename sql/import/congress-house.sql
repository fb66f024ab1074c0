-- congress-house: trades disclosed by members of the House of Representatives, as published by the House Stock Watcher (CSV or JSON)
-- address: https://housestockwatcher.com (all_transactions.csv, all_transactions.json; no longer maintained)
-- address: https://disclosures-clerk.house.gov (the House's own publication of the filings)
-- expects: one transaction per row: CSV with a header, a JSON array of objects, or JSON lines, all with the same result
-- rejects: the House Clerk's index of filings (2024FD.xml), which has no trades
-- rejects: a row without a representative, and a chamber that is neither House nor Senate
-- rejects: a disclosure date that is missing, invalid, before 1900 or in the future
-- rejects: a transaction date that is missing, before 1900, in the future or more than a year after the disclosure
-- rejects: a missing or invalid type or amount
-- keeps: a transaction dated up to a year after its disclosure, with the dates as filed: filings contain such mistakes. It never counts as late
-- keeps: an invalid ticker or owner, stored as NULL; of two tickers, the first is used
--
-- source: trades = csv
-- column: transaction_date = transaction_date; YYYY-MM-DD or MM/DD/YYYY
-- column: disclosure_date = disclosure_date; MM/DD/YYYY or YYYY-MM-DD, becomes filed_at_date
-- column: ticker = ticker; HTML is removed, -- means none; an option is mapped to its underlying
-- column: asset_description = asset_description; line breaks become spaces
-- column: type = type; purchase, sale_full, sale_partial, sale or exchange, becomes txn_type
-- column: amount = amount; becomes amounts; accepts a range of which only the start was published ($1,001 -)
-- column: representative = representative; becomes reporter; without Hon. and middle initials, becomes name
-- optional: chamber = chamber; Senate, or House or Representatives. Default: House; becomes member_type
-- optional: district = district; its state distinguishes people of the same name
-- optional: owner = owner; self, spouse, joint, dependent, or SP, JT, DC, becomes issuer; -- means none
-- optional: comment = comment, comments, notes, description; becomes notes
--
-- source: records = json
-- has: representative, disclosure_date, transaction_date
-- member: representative; the members have the names of the columns above
--
-- source: filing_index = xml
-- roots: FinancialDisclosure
-- member: document.FinancialDisclosure.Member[]; filings without their trades
--
-- A trade has no id in these files. Its id is derived from its columns in the lake and from its number among the equal
-- trades of the file. Overlapping files, or the CSV after the JSON, therefore create no duplicates.
-- Politicians are identified by name and state. is_active means that they were in office when they filed: the files do
-- not state who is in office today.
-- step: disclosed
SELECT
  file,
  line,
  transaction_date,
  disclosure_date,
  ticker,
  asset_description,
  type,
  amount,
  representative,
  chamber,
  district,
  owner,
  comment
FROM trades
UNION ALL BY NAME
SELECT
  file,
  line,
  record ->> 'transaction_date' AS transaction_date,
  record ->> 'disclosure_date' AS disclosure_date,
  record ->> 'ticker' AS ticker,
  record ->> 'asset_description' AS asset_description,
  record ->> 'type' AS type,
  record ->> 'amount' AS amount,
  record ->> 'representative' AS representative,
  record ->> 'district' AS district,
  record ->> 'owner' AS owner,
  coalesce(
    record ->> 'comment',
    record ->> 'comments',
    record ->> 'notes',
    record ->> 'description'
  ) AS comment
FROM records

-- dataset: congress_trades
WITH texts AS (
  SELECT
    *,
    html_line(representative) AS reporter,
    html_line(asset_description) AS asset,
    html_line(comment) AS remark,
    html_line(owner) AS owner_written,
    disclosed_tickers(ticker) AS tickers,
    disclosed_day(transaction_date) AS traded_on,
    disclosed_day(disclosure_date) AS filed_on,
    disclosed_owner(owner) AS issuer,
    disclosed_type(type) AS txn_type,
    disclosed_amounts(amount) AS amounts
  FROM disclosed
),
typed AS (
  SELECT
    *,
    member_name(reporter) AS name,
    CASE WHEN ticker_fault('ticker', tickers[1]) IS NULL THEN tickers[1] END AS symbol,
    CASE
      WHEN chamber IS NULL OR is_named(chamber, ['house', 'representatives', 'house of representatives']) THEN 'house'
      WHEN is_named(chamber, ['senate', 'senators']) THEN 'senate'
    END AS member_type,
    nullif(regexp_extract(upper(trim(district)), '^[A-Z]{2}'), '') AS state
  FROM texts
),
known AS (
  SELECT
    *,
    member_id(member_type, state, name) AS politician_id
  FROM typed
)
SELECT
  file,
  line,
  uuid_named(
    concat_ws(
      '|',
      'congress trade',
      politician_id,
      coalesce(filed_on::VARCHAR, ''),
      coalesce(traded_on::VARCHAR, ''),
      coalesce(issuer, ''),
      coalesce(symbol, ''),
      coalesce(asset, ''),
      coalesce(txn_type, ''),
      coalesce(amounts, ''),
      coalesce(remark, ''),
      row_number() OVER (
        PARTITION BY
          file,
          politician_id,
          filed_on,
          traded_on,
          issuer,
          symbol,
          asset,
          txn_type,
          amounts,
          remark
        ORDER BY line
      )
    )
  ) AS id,
  politician_id,
  name,
  reporter,
  member_type,
  true AS is_active,
  issuer,
  symbol AS ticker,
  asset AS asset_description,
  txn_type,
  amounts,
  traded_on AS transaction_date,
  filed_on AS filed_at_date,
  remark AS notes,
  coalesce(
    blank_fault('representative', name),
    CASE WHEN member_type IS NULL THEN ['chamber', 'neither House nor Senate', chamber] END,
    day_fault('disclosure_date', nullif(trim(disclosure_date), ''), filed_on, $today),
    traded_fault(nullif(trim(known.transaction_date), ''), traded_on, filed_on, $today),
    blank_fault('type', html_line(type)),
    CASE WHEN txn_type IS NULL THEN ['type', 'unknown transaction type', type] END,
    amounts_fault('amount', amount, amounts)
  ) AS fault,
  list_filter(
    [
      note('transaction_date', 'after the filing date', known.transaction_date, traded_on > filed_on),
      note('owner', 'unknown owner', owner, issuer IS NULL AND owner_written <> 'N/A'),
      note('ticker', 'not a ticker', tickers[1], symbol IS NULL AND tickers[1] IS NOT NULL),
      note('ticker', 'two tickers; the first is used', array_to_string(tickers, ' '), len(tickers) > 1)
    ],
    lambda each: each IS NOT NULL
  ) AS left_out
FROM known
UNION ALL BY NAME
SELECT
  file,
  line,
  ['document', 'an index of filings, which has no trades: import a list of the trades, such as all_transactions.csv', NULL]
    AS fault
FROM filing_index
