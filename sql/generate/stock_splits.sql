-- stock_splits: the splits of the whole span, including the warm-up.
SELECT
  ticker,
  date,
  units::BIGINT AS new_shares,
  1::BIGINT AS old_shares
FROM market_splits
