-- market_points: the dataset economic_points, whose treasury yields are the rates of the market's options.
-- The ten economic series at their shortest interval, from January 2000 to the last value published by $to. Levels
-- interpolate plausible anchors (year, level), which are not real data, with slow waves and noise that depend on the
-- seed. Daily rates are published the same evening, months ten days after their end, quarters thirty days after.
-- Inflation is the change in the annual mean of the generated price index; GDP per capita is the generated GDP divided
-- by a population that grows by 0.7 % per year.
-- DuckDB combines the hashes of several arguments by exclusive or, so two draws that differ in one argument differ by
-- the same bits for every key. Draws that must be independent are therefore hashed again.
WITH series (indicator, maturity, interval, decimals, wave, noise, years, levels) AS (
  VALUES
    ('fed-funds', '', 'daily', 2, 0.0, 0.01,
      [1999, 2001, 2004, 2007, 2009, 2015, 2019, 2020.3, 2022, 2023.6, 2026],
      [5.0, 5.8, 1.1, 5.2, 0.2, 0.15, 2.4, 0.1, 0.15, 5.3, 4.1]),
    ('treasury-yield', '3month', 'daily', 2, 0.03, 0.02,
      [1999, 2001, 2004, 2007, 2009, 2015, 2019, 2020.3, 2022, 2023.6, 2026],
      [4.8, 5.6, 1.1, 5.0, 0.2, 0.1, 2.4, 0.15, 0.3, 5.4, 4.0]),
    ('treasury-yield', '2year', 'daily', 2, 0.03, 0.03,
      [1999, 2001, 2004, 2007, 2009, 2015, 2019, 2020.3, 2022, 2023.6, 2026],
      [5.1, 4.9, 1.9, 4.8, 0.9, 0.7, 2.3, 0.2, 1.0, 4.9, 3.9]),
    ('treasury-yield', '5year', 'daily', 2, 0.03, 0.03,
      [1999, 2001, 2004, 2007, 2009, 2015, 2019, 2020.3, 2022, 2023.6, 2026],
      [5.2, 5.0, 3.2, 4.7, 2.0, 1.5, 2.3, 0.4, 1.5, 4.4, 4.0]),
    ('treasury-yield', '7year', 'daily', 2, 0.03, 0.03,
      [1999, 2001, 2004, 2007, 2009, 2015, 2019, 2020.3, 2022, 2023.6, 2026],
      [5.3, 5.1, 3.7, 4.7, 2.7, 1.9, 2.4, 0.6, 1.7, 4.3, 4.1]),
    ('treasury-yield', '10year', 'daily', 2, 0.03, 0.03,
      [1999, 2001, 2004, 2007, 2009, 2015, 2019, 2020.3, 2022, 2023.6, 2026],
      [5.3, 5.2, 4.2, 4.8, 3.2, 2.2, 2.5, 0.8, 1.8, 4.3, 4.3]),
    ('treasury-yield', '30year', 'daily', 2, 0.03, 0.03,
      [1999, 2001, 2004, 2007, 2009, 2015, 2019, 2020.3, 2022, 2023.6, 2026],
      [5.6, 5.5, 5.0, 4.9, 4.1, 2.9, 2.9, 1.5, 2.1, 4.4, 4.6]),
    ('cpi', '', 'monthly', 3, 0.002, 0.15,
      [1999, 2008, 2010, 2020, 2023, 2026],
      [164, 213, 217, 258, 301, 325]),
    ('unemployment', '', 'monthly', 1, 0.03, 0.07,
      [1999, 2000.5, 2003.5, 2007, 2009.8, 2015, 2019.5, 2020.3, 2020.5, 2022, 2026],
      [4.4, 4.0, 6.1, 4.5, 9.8, 5.3, 3.6, 8.0, 9.5, 3.8, 4.3]),
    ('payrolls', '', 'monthly', 0, 0.002, 60,
      [1999, 2001, 2003.5, 2008, 2010, 2020, 2020.4, 2022, 2026],
      [128000, 132500, 130000, 138000, 130000, 152000, 135000, 151000, 160000]),
    ('retail-sales', '', 'monthly', 0, 0.01, 1500,
      [1999, 2008, 2009, 2020, 2020.4, 2022, 2026],
      [250000, 380000, 335000, 525000, 480000, 680000, 760000]),
    ('durables', '', 'monthly', 0, 0.02, 4000,
      [1999, 2001, 2003, 2008, 2009.3, 2014, 2020, 2020.4, 2022, 2026],
      [190000, 195000, 170000, 220000, 155000, 235000, 240000, 190000, 265000, 300000]),
    ('gdp', '', 'quarterly', 3, 0.003, 15,
      [1999, 2001, 2008, 2009.5, 2020, 2020.4, 2021.5, 2026],
      [13700, 14200, 16900, 16300, 20900, 19200, 21600, 24200])
),
dates AS (
  SELECT
    indicator,
    maturity,
    unnest(generate_series(
      DATE '1999-01-01',
      $to,
      CASE interval WHEN 'daily' THEN to_days(1) WHEN 'monthly' THEN to_months(1) ELSE to_months(3) END
    ))::DATE AS date
  FROM series
),
published AS (
  SELECT
    series.*,
    date,
    year(date) + (dayofyear(date) - 1) / 366 AS year
  FROM dates
  JOIN series USING (indicator, maturity)
  WHERE CASE interval
    WHEN 'daily' THEN date >= DATE '2000-01-01' AND (indicator = 'fed-funds' OR isodow(date) < 6)
    WHEN 'monthly' THEN (date + to_months(1))::DATE + 10 <= $to + 1
    ELSE (date + to_months(3))::DATE + 30 <= $to + 1
  END
),
-- Linear between two anchors.
anchored AS (
  SELECT
    * EXCLUDE (years, levels),
    len(list_filter(years, lambda y: y <= year)) AS k,
    hash(hash($seed, 'economy', indicator, maturity, date)) AS draw,
    levels[k] + (levels[k + 1] - levels[k]) * ((year - years[k]) / (years[k + 1] - years[k]))::DOUBLE AS level
  FROM published
),
-- All maturities share a movement, and each has one of its own. A rate is at least 0.01.
points AS (
  SELECT
    indicator,
    maturity,
    interval,
    date,
    round(greatest(
      0.01,
      round(
        level * (
          1
          + wave * sin(2 * pi() * (year / 1.7 + unit(hash($seed, 'economy', indicator))))
          + wave * sin(2 * pi() * (year / 0.31 + unit(hash($seed, 'economy', indicator, maturity))))
        )
        + noise * normal(draw, hash(draw)),
        decimals
      )
    ), 6)::DECIMAL(18, 6) AS value
  FROM anchored
),
means AS (
  SELECT
    year(date) AS year,
    sum(value) / count(*) AS mean
  FROM points
  WHERE indicator = 'cpi'
  GROUP BY ALL
  HAVING count(*) = 12
),
per_capita AS (
  SELECT
    date,
    round(value * 1e9 / (282e6 * pow(1.007, year(date) + month(date) / 12 - 2000))) AS value
  FROM points
  WHERE indicator = 'gdp'
)
SELECT
  indicator,
  maturity,
  interval,
  date,
  -- Fixed bond market holidays: no yield is quoted.
  CASE
    WHEN indicator <> 'treasury-yield' THEN value
    WHEN (month(date), day(date)) IN ((1, 1), (7, 4), (12, 25)) THEN NULL
    WHEN month(date) = 11 AND isodow(date) = 4 AND day(date) BETWEEN 22 AND 28 THEN NULL
    ELSE value
  END AS value
FROM points
WHERE date >= DATE '2000-01-01'
UNION ALL
SELECT
  'gdp-per-capita',
  '',
  'quarterly',
  date,
  round(value, 6)::DECIMAL(18, 6)
FROM per_capita
WHERE date >= DATE '2000-01-01'
UNION ALL
SELECT
  'inflation',
  '',
  'annual',
  make_date(later.year, 1, 1),
  round((later.mean / earlier.mean - 1) * 100, 4)::DECIMAL(18, 6)
FROM means AS later
JOIN means AS earlier ON later.year = earlier.year + 1
