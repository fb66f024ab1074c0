-- analytics-window: Return statistics over a fixed window
-- path: /api/analytics/window
-- subject: Analytics
-- description: All calculations except CUMULATIVE_RETURN and MAX_DRAWDOWN use simple returns P(t)/P(t−1) − 1 of the
--   chosen price: n prices make n − 1 returns. Variance, standard deviation and covariance are those of the population
--   (divided by n). Annualized figures are multiplied by 252 for DAILY, 52 for WEEKLY, 12 for MONTHLY and 252 ×
--   390/minutes for intraday intervals; STDDEV is multiplied by the square root of that.
-- description: Prices are adjusted for the splits and dividends in the lake, open, high and low by the same factor as the
--   close, intraday prices by the factor of their day. Between two days with an adjusted close its change counts, and
--   between other days the imported splits and dividends; an imported split that the adjusted closes do not show counts as
--   well. A dividend D multiplies earlier prices by 1 − D / C, where C is the close before the ex-dividend date.
-- description: `meta.adjusted_for` says for each symbol what its prices in the window are adjusted for: `raw` if the lake
--   has no split, no dividend and no adjusted close of it in the window, `splits`, or `splits_and_dividends`.
--   `meta.suspected_splits` lists the days of the window that open near a ratio of splits, such as 4:1, without a split in
--   the lake: import the split with the format `stock-splits`, or a row 1:1 if there was none.
-- description: WEEKLY and MONTHLY prices are those of the week (from Monday) or month: its first open, highest high, lowest
--   low or last close, of the days in the window. A period is one point, dated by its last day with the chosen price.
-- description: A symbol without data in the window is null among the scalars and is excluded from the matrices. If no
--   symbol has data, `meta` and `payload` are null. COVARIANCE and CORRELATION join prices on the times that all symbols
--   have, weekly and monthly ones on the weeks and months, before they compute returns. All numbers are doubles in full
--   precision.
-- description: A figure is null if there are too few points for it; VARIANCE, STDDEV and COVARIANCE need two returns.
--   Returns have no variance if each differs from the mean m by no more than rounding does: |r − m| ≤ 4·2⁻⁵²·(1 + |r|).
--   Then VARIANCE and STDDEV are 0, COVARIANCE, CORRELATION and AUTOCORRELATION are null, and HISTOGRAM counts all
--   returns in bin ⌊bins/2⌋ of [m − 0.5, m + 0.5].
-- description: In row formats (CSV, NDJSON, Arrow, Parquet), the response has one number per row: calculation, symbol,
--   other_symbol (matrices), bin, lower_edge, upper_edge (histograms), start_time, end_time (drawdowns), value.
--
-- One row per price, oldest first by symbol: its time, and the start of its week or month, by which symbols are compared.
-- Days and intraday bars are compared by their times: no period. After them, rows without a price say what else is known
-- of the symbol in the window. is_adjusted is 1 if all bars of the row have an adjusted close, and otherwise 0.
-- $interval is DAILY, WEEKLY or MONTHLY and $minutes is NULL, or $interval is NULL and $minutes is the length of an
-- intraday bar. $from and $to bound the trading day, $from_time and $to_time the start of an intraday bar in UTC. All
-- are inclusive; NULL is unbounded. $early_closes are the days whose regular session ends at 13:00 New York.
-- price_adjustments.adjustment is the change of basis from day to day. Prices times the product of the changes since the first
-- day of the window are comparable with each other.
WITH bars AS NOT MATERIALIZED (
  SELECT
    ticker,
    date,
    CASE $ohlc
      WHEN 'open' THEN open::DOUBLE * coalesce(adjusted_close / close, 1)
      WHEN 'high' THEN high::DOUBLE * coalesce(adjusted_close / close, 1)
      WHEN 'low' THEN low::DOUBLE * coalesce(adjusted_close / close, 1)
      ELSE coalesce(adjusted_close, close)::DOUBLE
    END AS price,
    coalesce(adjusted_close / close, 1) AS factor,
    (adjusted_close IS NOT NULL)::UTINYINT AS is_adjusted
  FROM read_parquet($stock_days, hive_partitioning = false)
  WHERE list_contains($symbols, ticker)
    AND ($from IS NULL OR date >= $from)
    AND ($to IS NULL OR date <= $to)
),
changes AS NOT MATERIALIZED (
  SELECT
    ticker,
    date,
    split_ratio,
    dividend_ratio,
    adjustment,
    suspected_split
  FROM read_parquet($price_adjustments, hive_partitioning = false)
  WHERE list_contains($symbols, ticker)
    AND ($from IS NULL OR date >= $from)
    AND ($to IS NULL OR date <= $to)
),
-- The spans of one basis that begin in the window, and what prices in them are multiplied by.
spans AS NOT MATERIALIZED (
  SELECT
    ticker,
    date AS since,
    product(adjustment) OVER basis AS level,
    lead(date, 1, DATE '9999-12-31') OVER basis AS until
  FROM changes
  WINDOW basis AS (PARTITION BY ticker ORDER BY date)
),
days AS NOT MATERIALIZED (
  SELECT
    bars.ticker,
    bars.date,
    price * coalesce(level, 1) AS price,
    factor * coalesce(level, 1) AS factor,
    is_adjusted
  FROM bars
  LEFT JOIN spans
    ON spans.ticker = bars.ticker
    AND bars.date >= since
    AND bars.date < until
),
weeks AS (
  SELECT
    ticker,
    date_trunc(if($interval = 'WEEKLY', 'week', 'month'), date)::TIMESTAMP AS period,
    max(date) FILTER (price IS NOT NULL)::TIMESTAMP AS time,
    CASE $ohlc
      WHEN 'open' THEN arg_min(price, date)
      WHEN 'high' THEN max(price)
      WHEN 'low' THEN min(price)
      ELSE arg_max(price, date)
    END AS price,
    min(is_adjusted) AS is_adjusted
  FROM days
  GROUP BY
    ticker,
    period
),
minutes AS (
  SELECT
    ticker,
    date,
    start,
    open,
    high,
    low,
    close,
    date_diff('minute', date::TIMESTAMP, start AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York') - 570 AS minute
  FROM read_parquet($stock_bars, hive_partitioning = false)
  WHERE list_contains($symbols, ticker)
    AND ($from IS NULL OR date >= $from)
    AND ($to IS NULL OR date <= $to)
),
-- Bars of the regular session, on marks from 09:30. A window contains whole bars only.
intraday AS (
  SELECT
    ticker,
    date,
    min(start - to_minutes(minute % $minutes)) AS time,
    CASE $ohlc
      WHEN 'open' THEN arg_min(open, start)
      WHEN 'high' THEN max(high)
      WHEN 'low' THEN min(low)
      ELSE arg_max(close, start)
    END::DOUBLE AS price
  FROM minutes
  WHERE minute >= 0
    AND minute < CASE WHEN list_contains($early_closes, date) THEN 210 ELSE 390 END
  GROUP BY
    ticker,
    date,
    minute // $minutes
  HAVING ($from_time IS NULL OR time >= $from_time)
    AND ($to_time IS NULL OR time <= $to_time)
),
points AS (
  SELECT ticker, date::TIMESTAMP AS time, price, is_adjusted
  FROM days
  WHERE $interval = 'DAILY'
  UNION ALL BY NAME
  FROM weeks
  WHERE $interval IN ('WEEKLY', 'MONTHLY')
  UNION ALL BY NAME
  SELECT intraday.ticker, intraday.time, intraday.price * coalesce(days.factor, 1) AS price
  FROM intraday
  LEFT JOIN days USING (ticker, date)
  WHERE $minutes IS NOT NULL
  UNION ALL BY NAME
  SELECT ticker, is_adjusted
  FROM bars
  WHERE $minutes IS NOT NULL
  UNION ALL BY NAME
  SELECT ticker, date::TIMESTAMP AS time, split_ratio, dividend_ratio, suspected_split
  FROM changes
)
SELECT
  ticker AS symbol,
  period,
  time,
  price,
  is_adjusted,
  split_ratio,
  dividend_ratio,
  suspected_split
FROM points
ORDER BY
  ticker,
  price IS NULL,
  time
