SELECT politician_id, name, reporter, member_type, is_active, issuer, ticker, txn_type, amounts, transaction_date, filed_at_date, notes
FROM (
  SELECT *
  FROM file('{data}/congress_trades.parquet', Parquet)
  WHERE transaction_date >= (SELECT max(filed_at_date) FROM file('{data}/congress_trades.parquet', Parquet))
    - toIntervalMonth({last_traded_within_months:Int32})
  ORDER BY politician_id, transaction_date DESC, filed_at_date DESC, ticker, toString(id)
  LIMIT 1 BY politician_id
)
ORDER BY transaction_date DESC, name, politician_id
