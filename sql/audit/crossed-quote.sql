-- crossed-quote: a bid is above the ask
-- tolerance: None. Locked quotes, whose bid is the ask, are no finding, and neither is a missing side.
-- run: 5
-- finds: option_chain_days
-- reads: option_chain_days on the day
SELECT
  date,
  option_symbol AS ticker,
  bid::DOUBLE AS value,
  format('bid {}, ask {}', bid, ask) AS reason
FROM read_parquet($option_chain_days, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND bid > ask AND ask > 0
-- finds: option_trades
-- reads: option_trades on the day
SELECT
  date,
  option_chain_id AS ticker,
  nbbo_bid::DOUBLE AS value,
  format('bid {}, ask {} at {}', nbbo_bid, nbbo_ask, executed_at) AS reason
FROM read_parquet($option_trades, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND nbbo_bid > nbbo_ask AND nbbo_ask > 0
