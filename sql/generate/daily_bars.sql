-- daily_bars: of the whole span at once, warm-up included.
SELECT
  ticker,
  date,
  open,
  high,
  low,
  close,
  adjusted_close,
  volume
FROM market_days
