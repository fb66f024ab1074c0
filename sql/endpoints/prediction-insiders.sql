-- prediction-insiders: one day's positions on prediction markets that look informed, highest score first.
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
