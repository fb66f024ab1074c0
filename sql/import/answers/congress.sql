-- source: congress = ndjson
-- columns: politician_id, name, reporter, member_type, is_active, issuer, ticker, txn_type
-- columns: amounts, transaction_date, filed_at_date, notes

-- Equal trades of one file are numbered, so that each has an id of its own.
-- dataset: congress_trades
WITH numbered AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY file, politician_id, issuer, ticker, txn_type, amounts, transaction_date, filed_at_date, notes
      ORDER BY line
    ) AS number
  FROM congress
)
SELECT
  file,
  line,
  uuid_named(
    concat_ws(
      '|',
      'saved trade',
      politician_id,
      coalesce(issuer, ''),
      coalesce(ticker_of(ticker), ''),
      txn_type,
      amounts,
      transaction_date,
      filed_at_date,
      coalesce(notes, ''),
      number
    )
  ) AS id,
  TRY_CAST(politician_id AS UUID) AS politician_id,
  name,
  reporter,
  member_type,
  TRY_CAST(is_active AS BOOLEAN) AS is_active,
  issuer,
  ticker_of(ticker) AS ticker,
  NULL::VARCHAR AS asset_description,
  txn_type,
  amounts,
  day_of(transaction_date) AS transaction_date,
  day_of(filed_at_date) AS filed_at_date,
  notes,
  coalesce(
    CASE WHEN member_type NOT IN ('house', 'senate') THEN ['member_type', 'neither house nor senate', member_type] END,
    blank_fault('politician_id', politician_id),
    unread_fault('politician_id', 'not a UUID', politician_id, TRY_CAST(politician_id AS UUID)),
    blank_fault('name', name),
    blank_fault('reporter', reporter),
    blank_fault('member_type', member_type),
    blank_fault('is_active', is_active),
    unread_fault('is_active', 'neither true nor false', is_active, TRY_CAST(is_active AS BOOLEAN)),
    CASE WHEN ticker IS NOT NULL THEN ticker_fault('ticker', ticker) END,
    blank_fault('txn_type', txn_type),
    blank_fault('amounts', amounts),
    blank_fault('transaction_date', transaction_date),
    unread_fault('transaction_date', 'not a date', transaction_date, day_of(transaction_date)),
    blank_fault('filed_at_date', filed_at_date),
    unread_fault('filed_at_date', 'not a date', filed_at_date, day_of(filed_at_date))
  ) AS fault
FROM numbered
