-- market_traded: the contracts of the trades in market_tape, with what these need to know. They are never more than the
-- trades.
WITH first_trades AS (
  SELECT
    number,
    min(total_volume - CASE WHEN canceled THEN 0 ELSE size END) AS volume_before
  FROM market_tape
  GROUP BY number
)
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
  years,
  -- Contracts of the portion that traded before the first trade of this one.
  volume_before
FROM first_trades
JOIN market_chain USING (number)
