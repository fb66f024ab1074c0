-- prediction-insiders: Prediction market positions that look informed
-- path: /api/predictions/insiders
-- subject: Prediction markets
-- description: The positions of the latest date in the lake, highest `tags_score` first. The score is the sum of the
--   weights of the position's `tags`; `tag_info` lists the weights. Prices are in dollars per token, `pnl_percent` is
--   in percent of the investment, and `invested_zscore` compares the investment with those of the same market.
--   `resolves` is null where the end of the market is unknown, `image` where the market has none.
SELECT
  asset_id,
  question,
  outcome,
  category,
  avg_price,
  current_price,
  pnl_percent,
  total_invested_usd,
  invested_zscore,
  n_positions,
  days_since_first_trade,
  days_since_first_trade_overall,
  first_trade_at,
  created_at,
  resolves,
  image,
  tags,
  tags_score,
  user_address
FROM read_parquet($prediction_positions, hive_partitioning = false)
WHERE date = $date
ORDER BY
  tags_score DESC,
  asset_id,
  user_address
