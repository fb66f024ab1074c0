SELECT politician_id, name, reporter, member_type, is_active, issuer, ticker, txn_type, amounts, transaction_date, filed_at_date, notes
FROM (
  SELECT DISTINCT ON (politician_id) *
  FROM congress_trades
  WHERE transaction_date >= (SELECT max(filed_at_date) FROM congress_trades)
    - ($last_traded_within_months || ' months')::INTERVAL
  ORDER BY politician_id, transaction_date DESC, filed_at_date DESC, ticker NULLS LAST, id
) AS latest
ORDER BY transaction_date DESC, name, politician_id
