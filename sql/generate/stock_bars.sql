-- stock_bars: one-minute bars of the generated days from $from to $to.
SELECT
  ticker,
  date,
  start,
  open,
  high,
  low,
  close,
  volume
FROM market_minutes
WHERE date BETWEEN $from AND $to
