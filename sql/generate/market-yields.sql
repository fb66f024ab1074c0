-- market_yields: the treasury yields known at the end of each session, in percent: those of the maturities up to five
-- years, because no option lasts longer.
WITH points AS (
  SELECT
    maturity,
    published_on(indicator, interval, date) AS published,
    value::DOUBLE AS yield
  FROM market_points
  WHERE indicator = 'treasury-yield'
    AND value IS NOT NULL
),
known AS (
  SELECT
    sessions.date,
    points.maturity,
    yield
  FROM market_sessions AS sessions
  CROSS JOIN (VALUES ('3month'), ('2year'), ('5year')) AS maturities (maturity)
  ASOF JOIN points ON points.maturity = maturities.maturity AND points.published <= sessions.date
)
SELECT
  date,
  max(yield) FILTER (WHERE maturity = '3month') AS three_months,
  max(yield) FILTER (WHERE maturity = '2year') AS two_years,
  max(yield) FILTER (WHERE maturity = '5year') AS five_years
FROM known
GROUP BY date
