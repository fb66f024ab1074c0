-- below-intrinsic: an option is offered or traded below its intrinsic value
-- tolerance: Whoever buys there and exercises earns money at once. For a chain the ask is compared: bids below intrinsic
--   value are usual deep in the money. The bounds are those of European options, S e^(-0.1 T) - K for a call and
--   K e^(-0.1 T) - S for a put, with 10 % a year for dividends and rates, less 1 % of S, at least 0.05 dollars, because
--   the prices of stock and options are of different seconds.
-- tolerance: A trade may be below intrinsic value if its quote explains it: who sells across a wide spread deep in the
--   money gets the bid. So the ask at its time must be below intrinsic value too, or the price below the bid. Without a
--   quote the price must be lower by five times as much.
-- tolerance: Excluded are adjusted contracts (a digit ends their root), VIX, whose options follow a future, cancelled and
--   late trades, and legs of orders with several legs, which are priced together.
-- run: 5
-- finds: option_chain_days
-- reads: option_chain_days on the day
WITH quotes AS (
  SELECT
    date,
    option_symbol,
    ask::DOUBLE AS ask,
    underlying_price::DOUBLE AS stock,
    strike::DOUBLE AS strike,
    exp(-0.1 * (expiry - date) / 365) AS discount,
    if(option_type = 'call', stock * discount - strike, strike * discount - stock) AS intrinsic
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND ask > 0
    AND underlying_price > 0
    AND expiry > date
    AND multiplier = 100
    AND underlying_symbol <> 'VIX'
    AND NOT regexp_matches(option_symbol, '[0-9][0-9]{6}[CP][0-9]{8}$')
)
SELECT
  date,
  option_symbol AS ticker,
  ask AS value,
  format('ask {:.2f}, intrinsic value {:.2f}: stock {:.2f}, strike {:g}', ask, intrinsic, stock, strike) AS reason
FROM quotes
WHERE ask < intrinsic - greatest(0.05, 0.01 * stock)
-- finds: option_trades
-- reads: option_trades on the day
WITH trades AS (
  SELECT
    date,
    option_chain_id,
    price::DOUBLE AS price,
    nbbo_bid::DOUBLE AS bid,
    nbbo_ask::DOUBLE AS ask,
    underlying_price::DOUBLE AS stock,
    strike::DOUBLE AS strike,
    exp(-0.1 * (expiry - date) / 365) AS discount,
    if(option_type = 'call', stock * discount - strike, strike * discount - stock) AS intrinsic,
    greatest(0.05, 0.01 * stock) AS tolerance
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND NOT canceled
    AND sale_condition IS NULL
    AND multi_vol = 0
    AND stock_multi_vol = 0
    AND underlying_price > 0
    AND multiplier = 100
    AND underlying_symbol <> 'VIX'
    AND NOT regexp_matches(option_chain_id, '[0-9][0-9]{6}[CP][0-9]{8}$')
)
SELECT
  date,
  option_chain_id AS ticker,
  price AS value,
  format('price {:.2f}, intrinsic value {:.2f}: stock {:.2f}, strike {:g}', price, intrinsic, stock, strike) AS reason
FROM trades
WHERE price < intrinsic - tolerance
  AND CASE
    WHEN bid > 0 AND ask > 0 THEN ask < intrinsic - tolerance OR price < bid - tolerance
    ELSE price < intrinsic - 5 * tolerance
  END
