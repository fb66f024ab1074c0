-- congress-house: trades that representatives disclosed, as the House Stock Watcher published them (CSV or JSON)
-- address: https://housestockwatcher.com (all_transactions.csv, all_transactions.json; no longer kept up)
-- address: https://disclosures-clerk.house.gov (where the House itself publishes the filings)
-- expects: one transaction a row: CSV with a header, a JSON array of objects, or JSON lines; either gives the same rows
-- rejects: a row without a representative
-- rejects: a disclosure date that is missing, none, before 1900 or in the future
-- rejects: a transaction without a date, or of one before 1900, in the future or more than a year after its disclosure
-- rejects: a transaction whose type or amount is missing or none
-- keeps: a transaction dated up to a year after its disclosure, as filed: such slips are in the filings, and never late
-- keeps: a ticker that is none as NULL, an owner that is none as NULL, of two tickers the first
--
-- source: trades = csv
-- column: transaction_date = transaction_date; YYYY-MM-DD or MM/DD/YYYY
-- column: disclosure_date = disclosure_date; MM/DD/YYYY or YYYY-MM-DD, becomes filed_at_date
-- column: ticker = ticker; with any HTML, -- for none; an option by its underlying
-- column: asset_description = asset_description; in one line
-- column: type = type; purchase, sale_full, sale_partial, sale, exchange: becomes txn_type
-- column: amount = amount; becomes amounts, also where only its beginning was published ($1,001 -)
-- column: representative = representative; as reporter, and without Hon. and middle initials as name
-- optional: district = district; its state tells namesakes apart
-- optional: owner = owner; self, spouse, joint, dependent, or SP, JT, DC: becomes issuer; -- for none
-- optional: comment = comment, comments, notes, description; becomes notes
--
-- source: records = json
-- has: representative, disclosure_date
-- member: representative; all members are those of the columns above
--
-- A trade has no number in these files. Its id is made of what the lake holds of it, and of its number among the equal
-- trades of the file. Two files that overlap, or the CSV after the JSON, therefore double nothing.
-- Politicians are known by name and state; is_active says that they sat in the House when they filed: the files do not
-- tell who sits there today.
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
    nullif(regexp_extract(upper(trim(district)), '^[A-Z]{2}'), '') AS state
  FROM texts
),
known AS (
  SELECT
    *,
    member_id('house', state, name) AS politician_id
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
  'house' AS member_type,
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
    day_fault('disclosure_date', nullif(trim(disclosure_date), ''), filed_on, $today),
    traded_fault(nullif(trim(known.transaction_date), ''), traded_on, filed_on, $today),
    blank_fault('type', html_line(type)),
    CASE WHEN txn_type IS NULL THEN ['type', 'not a type of transaction', type] END,
    amounts_fault('amount', amount, amounts)
  ) AS fault,
  list_filter(
    [
      note('transaction_date', 'after its filing', known.transaction_date, traded_on > filed_on),
      note('owner', 'not an owner', owner, issuer IS NULL AND owner_written <> 'N/A'),
      note('ticker', 'not a ticker', tickers[1], symbol IS NULL AND tickers[1] IS NOT NULL),
      note('ticker', 'two tickers, the first is kept', array_to_string(tickers, ' '), len(tickers) > 1)
    ],
    lambda each: each IS NOT NULL
  ) AS left_out
FROM known
