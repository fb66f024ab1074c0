WITH since AS (
  -- A month back from the 31st is the last day of a shorter month: of the two days, the earlier one.
  SELECT min(
    date(last, '-' || :last_traded_within_months || ' months'),
    date(last, 'start of month', '-' || :last_traded_within_months || ' months', '+1 month', '-1 day')
  ) AS day
  FROM (SELECT max(filed_at_date) AS last FROM congress_trades)
)
SELECT politician_id, name, reporter, member_type, is_active, issuer, ticker, txn_type, amounts, transaction_date, filed_at_date, notes
FROM (
  SELECT *, row_number() OVER (
    PARTITION BY politician_id ORDER BY transaction_date DESC, filed_at_date DESC, ticker NULLS LAST, id
  ) AS place
  FROM congress_trades
  WHERE transaction_date >= (SELECT day FROM since)
)
WHERE place = 1
ORDER BY transaction_date DESC, name, politician_id
