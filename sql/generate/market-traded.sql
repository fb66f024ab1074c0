-- market_traded: the contracts of the trades in market_tape, with the columns that these trades need. There are at most
-- as many contracts as trades.
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
  k_now,
  carry,
  rate,
  dividend_yield,
  iv,
  years,
  -- Contracts in the portion that traded before this contract's first trade.
  volume_before
FROM first_trades
JOIN market_chain USING (number)
