-- daily_bars: daily bars of the whole span in one statement, including the warm-up.
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
