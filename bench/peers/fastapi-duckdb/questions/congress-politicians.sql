SELECT politician_id, name, reporter, member_type, is_active, issuer, ticker, txn_type, amounts, transaction_date, filed_at_date, notes
FROM '{data}/congress_trades.parquet'
WHERE transaction_date >= (SELECT max(filed_at_date) FROM '{data}/congress_trades.parquet')
  - to_months($last_traded_within_months::INTEGER)
QUALIFY row_number() OVER (
  PARTITION BY politician_id ORDER BY transaction_date DESC, filed_at_date DESC, ticker, id
) = 1
ORDER BY transaction_date DESC, name, politician_id
