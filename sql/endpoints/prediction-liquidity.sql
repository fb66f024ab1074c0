-- prediction-liquidity: Order book of a prediction market
-- path: /api/predictions/market/{asset_id}/liquidity
-- subject: Prediction markets
-- description: The latest order book of an outcome token, best levels first. Prices are in dollars per token, sizes in
--   tokens. Liquidity is the sum of price × size in dollars, rounded to 10 places, half to even. If a side is empty,
--   its best price, `mid_price` and `spread` are null and its liquidity is 0. A token without a book is a 404.
WITH latest AS (
  SELECT *
  FROM read_parquet($prediction_books, hive_partitioning = false)
  WHERE asset_id = $asset_id
  ORDER BY timestamp DESC
  LIMIT 1
),
-- Prices and sizes have 6 decimal places and their products 12, of which 10 are shown, rounded half to even.
valued AS (
  SELECT
    *,
    coalesce(list_sum(list_transform(list_zip(bid_prices, bid_sizes), lambda l: l[1] * l[2])), 0) AS bid_value,
    coalesce(list_sum(list_transform(list_zip(ask_prices, ask_sizes), lambda l: l[1] * l[2])), 0) AS ask_value
  FROM latest
),
-- The arguments of exact_ratio(), which repeats them, are columns, as are its results, which are used twice.
scaled AS (
  SELECT
    *,
    trunc(bid_value * 1000000000000)::HUGEINT AS bid_units,
    trunc(ask_value * 1000000000000)::HUGEINT AS ask_units
  FROM valued
),
rounded AS (
  SELECT
    *,
    exact_ratio(bid_units, 100) AS bid_liquidity,
    exact_ratio(ask_units, 100) AS ask_liquidity
  FROM scaled
)
SELECT
  asset_id,
  timestamp,
  bid_prices[1] AS best_bid,
  ask_prices[1] AS best_ask,
  (bid_prices[1] + ask_prices[1]) * 0.5 AS mid_price,
  ask_prices[1] - bid_prices[1] AS spread,
  bid_liquidity,
  ask_liquidity,
  bid_liquidity + ask_liquidity AS total_liquidity,
  list_transform(list_zip(bid_prices, bid_sizes), lambda l: {price: l[1], size: l[2]}) AS bids,
  list_transform(list_zip(ask_prices, ask_sizes), lambda l: {price: l[1], size: l[2]}) AS asks
FROM rounded
