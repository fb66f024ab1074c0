-- economic_points: the economic series, from January 2000 to the last value published by $to.
SELECT
  indicator,
  maturity,
  interval,
  date,
  value
FROM market_points
