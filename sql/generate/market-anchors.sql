-- market_anchors: the price of each underlying known in the morning: the previous close, in units after any split. From
-- the first session of a week on, exchanges list strikes around it.
SELECT
  number,
  date,
  coalesce(
    lag(close / units) OVER (PARTITION BY number ORDER BY date),
    open / units
  )::DOUBLE AS price,
  coalesce(isodow(date) < lag(isodow(date)) OVER (PARTITION BY number ORDER BY date), true) AS is_monday
FROM market_closes
ORDER BY number, date
