-- market_traded: the contracts that trade in one portion of the day ($portion), with what their trades need to know. They
-- are never more than the trades.
SELECT
  number,
  ticker,
  date,
  issue_type,
  option_symbol,
  option_symbol_id,
  option_type,
  strike,
  expiry,
  is_call,
  open_interest,
  k,
  iv,
  years
FROM market_chain
JOIN market_shares USING (number)
WHERE portion = $portion
  AND (end_trade > first_trade OR other_trades > 0)
