-- multi-leg-legs: Legs of a multi-leg order
-- path: /api/option-trades/multi-leg/{id}/legs
-- subject: Options flow
-- description: One record per contract of the order, by expiry, strike, type (calls first) and symbol, all ascending;
--   an unknown order has none. A leg sums all executions of its contract in the order, except canceled ones. Price,
--   delta, theta and the quote are weighted by size, over the executions that have the value. `side` is the aggressor
--   of the larger part of the leg, `volume` the volume of the contract on that day up to and including the leg's last
--   execution.
--
-- Ids of orders are ordered by time, so the ranges of all files except one or two exclude the order.
SELECT
  option_symbol,
  option_symbol_id,
  option_type AS type,
  strike,
  expiry,
  side,
  size,
  price,
  premium,
  delta,
  theta,
  nbbo_bid,
  nbbo_ask,
  open_interest,
  volume
FROM read_parquet($multi_leg_legs, hive_partitioning = false)
WHERE multi_leg_id = $id
ORDER BY
  expiry,
  strike,
  option_type,
  option_symbol
