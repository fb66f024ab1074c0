-- dataset: congress_trades
SELECT
  trades.file,
  trades.line,
  trades.id,
  filers.politician_id,
  filers.name,
  filers.reporter,
  'senate' AS member_type,
  filers.is_active,
  trades.issuer,
  trades.symbol AS ticker,
  trades.asset_description,
  trades.txn_type,
  trades.amounts,
  trades.traded_on AS transaction_date,
  filers.filed_at_date,
  trades.notes,
  coalesce(
    blank_fault('ptr_link', trades.ptr_link),
    CASE
      WHEN trades.asset_type ILIKE 'PDF Disclosed Filing'
        THEN ['transactions', 'scanned paper filing: no readable transactions', trades.ptr_link]
    END,
    CASE
      WHEN filers.filing IS NULL
        THEN ['ptr_link', 'no filing date: import the summaries with it or before it', trades.ptr_link]
    END,
    traded_fault(trades.transaction_date, traded_on, filers.filed_at_date, $today),
    blank_fault('type', trades.type),
    CASE WHEN trades.txn_type IS NULL THEN ['type', 'unknown transaction type', trades.type] END,
    amounts_fault('amount', trades.amount, trades.amounts)
  ) AS fault,
  list_filter(
    [
      note('transaction_date', 'after the filing date', trades.transaction_date, traded_on > filers.filed_at_date),
      note('owner', 'unknown owner', trades.owner, issuer IS NULL AND html_line(trades.owner) <> 'N/A'),
      note('ticker', 'not a ticker', tickers[1], symbol IS NULL AND tickers[1] IS NOT NULL),
      note('ticker', 'two tickers; the first is used', array_to_string(tickers, ' '), len(tickers) > 1)
    ],
    lambda each: each IS NOT NULL
  ) AS left_out
FROM trades
LEFT JOIN filers USING (filing)
UNION ALL BY NAME
SELECT
  file,
  line,
  fault
FROM filings
WHERE fault IS NOT NULL
