-- multi-leg-legs: the legs of one multi-leg order, by expiry and strike.
--
-- The ids of orders are time-ordered, so that all but a file or two of all days are ruled out by their ranges.
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
