-- multi_leg_legs: totals of each contract of a multi-leg order
-- days: option_trades
-- run: 1
-- reads: option_trades on the day
--
-- A leg is all executions of one contract within one order, excluding cancelled ones and those with size 0.
-- Weighted figures are sum(value × size) / sum(size) over the executions that have the value: sums are exact decimals,
-- with one division at the end. volume is the largest running volume of the leg's executions: that of the last one,
-- whichever way ties in time are ordered. Columns that describe the contract are the same in all executions.
WITH executions AS (
  SELECT
    *
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND multi_leg_id IS NOT NULL
    AND NOT canceled
    AND size > 0
)
SELECT
  multi_leg_id,
  date,
  max(underlying_symbol) AS underlying_symbol,
  option_chain_id AS option_symbol,
  max(option_symbol_id) AS option_symbol_id,
  max(option_type) AS option_type,
  max(strike) AS strike,
  max(expiry) AS expiry,
  CASE
    WHEN sum(ask_vol) > sum(bid_vol) THEN 'ask'
    WHEN sum(bid_vol) > sum(ask_vol) THEN 'bid'
  END AS side,
  CAST(sum(size) AS BIGINT) AS size,
  CAST(ratio(sum(price * size), sum(size)) AS DECIMAL(18, 10)) AS price,
  CAST(sum(premium) AS DECIMAL(18, 4)) AS premium,
  CAST(ratio(sum(delta * size), sum(size) FILTER (WHERE delta IS NOT NULL)) AS DECIMAL(18, 10)) AS delta,
  CAST(ratio(sum(theta * size), sum(size) FILTER (WHERE theta IS NOT NULL)) AS DECIMAL(18, 10)) AS theta,
  CAST(ratio(sum(nbbo_bid * size), sum(size) FILTER (WHERE nbbo_bid IS NOT NULL)) AS DECIMAL(18, 10)) AS nbbo_bid,
  CAST(ratio(sum(nbbo_ask * size), sum(size) FILTER (WHERE nbbo_ask IS NOT NULL)) AS DECIMAL(18, 10)) AS nbbo_ask,
  max(open_interest) AS open_interest,
  max(volume) AS volume
FROM executions
GROUP BY
  multi_leg_id,
  date,
  option_chain_id
