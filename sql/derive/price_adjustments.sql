-- price_adjustments: splits and dividends on the ticker's first day after them, other changes of basis, and suspected splits
-- days: stock_days
-- run: 400
-- reads: stock_days 380 days before
-- reads: stock_splits 380 days before
-- reads: stock_dividends 380 days before
--
-- A change of basis belongs to the day after it, so that a later split or dividend changes no earlier row. 380 calendar
-- days are those of the history in stock_days: after a longer gap a ticker has no previous day.
--
-- dividend_ratio is 1 - D / C: D is the sum of the dividends since the previous day in dollars, each multiplied by the
-- splits of the same days up to it; C is the previous close. This is the factor of CRSP and Yahoo. Numerator and
-- denominator are exact.
--
-- Between two days with adjusted closes, these count, because bars with adjusted closes may be adjusted for later splits,
-- and a dividend in dollars would be too large for them. A split of stock_splits that they do not show counts instead:
-- they are of files of before and after the split. Between other days the splits and dividends count, and adjustment makes
-- adjusted closes comparable with the closes beside them.
WITH days AS (
  SELECT
    ticker,
    date,
    coalesce(open, close) AS open,
    close,
    adjusted_close,
    lag(date) OVER day_by_day AS former_date,
    lag(close) OVER day_by_day AS former_close,
    lag(adjusted_close) OVER day_by_day AS former_adjusted_close
  FROM read_parquet($stock_days, hive_partitioning = false)
  WHERE date BETWEEN $from::DATE - 380 AND $to::DATE
    AND close > 0
  WINDOW day_by_day AS (PARTITION BY ticker ORDER BY date)
  QUALIFY date >= $from::DATE
    AND former_date IS NOT NULL
),
listed AS (
  SELECT
    split.ticker,
    days.date,
    split.date AS since,
    new_shares::HUGEINT AS new_shares,
    old_shares::HUGEINT AS old_shares
  FROM read_parquet($stock_splits, hive_partitioning = false) AS split
  ASOF JOIN days
    ON days.ticker = split.ticker
    AND days.date >= split.date
  WHERE split.date BETWEEN $from::DATE - 380 AND $to::DATE
    AND split.date > days.former_date
    AND least(new_shares, old_shares) > 0
),
split_days AS (
  SELECT
    ticker,
    date,
    list_reduce(list(new_shares), lambda x, y: x * y) AS all_new,
    list_reduce(list(old_shares), lambda x, y: x * y) AS all_old,
    all_new::DOUBLE / all_old::DOUBLE AS shares,
    is_split_adjusted(shares, any_value(former_close), any_value(open)) AS is_adjusted
  FROM listed
  JOIN days USING (ticker, date)
  GROUP BY
    ticker,
    date
),
-- Each dividend in dollars times 10^9 per share of the previous day, times the old_shares of the day's splits.
dividends AS (
  SELECT
    dividend.ticker,
    days.date,
    (dividend.amount::DECIMAL(38, 9) * 1000000000)::HUGEINT * coalesce(
      list_reduce(
        list(if(split.since <= dividend.ex_date, split.new_shares, split.old_shares)) FILTER (NOT split_days.is_adjusted),
        lambda x, y: x * y
      ),
      1
    ) AS part
  FROM read_parquet($stock_dividends, hive_partitioning = false) AS dividend
  ASOF JOIN days
    ON days.ticker = dividend.ticker
    AND days.date >= dividend.ex_date
  LEFT JOIN split_days
    ON split_days.ticker = dividend.ticker
    AND split_days.date = days.date
  LEFT JOIN listed AS split
    ON split.ticker = dividend.ticker
    AND split.date = days.date
  WHERE dividend.ex_date BETWEEN $from::DATE - 380 AND $to::DATE
    AND dividend.ex_date > days.former_date
    AND dividend.amount > 0
    AND coalesce(dividend.currency, 'USD') = 'USD'
  GROUP BY
    dividend.ticker,
    dividend.ex_date,
    dividend.kind,
    dividend.amount,
    days.date
),
-- A dividend of the whole price or more belongs to bars on another basis.
dividend_days AS (
  SELECT
    ticker,
    date,
    (any_value(former_close)::DECIMAL(38, 6) * 1000000)::HUGEINT * 1000
      * coalesce(any_value(all_old) FILTER (NOT is_adjusted), 1) AS whole,
    whole - sum(part)::HUGEINT AS rest,
    rest::DOUBLE / whole::DOUBLE AS dividend_ratio
  FROM dividends
  JOIN days USING (ticker, date)
  LEFT JOIN split_days USING (ticker, date)
  GROUP BY
    ticker,
    date
  HAVING rest > 0
),
-- What the prices of a day and its previous one show, without the entries.
changes AS (
  SELECT
    ticker,
    date,
    if(is_adjusted, 1e0, shares) AS split_ratio,
    CASE WHEN NOT is_adjusted THEN shares END AS step,
    dividend_ratio,
    CASE WHEN adjusted_close > 0 THEN adjusted_close::DOUBLE / close::DOUBLE END AS level,
    CASE WHEN former_adjusted_close > 0 THEN former_adjusted_close::DOUBLE / former_close::DOUBLE END AS former_level,
    CASE
      WHEN split_ratio IS NULL
        AND former_date >= date - 10
        AND least(open, close, former_close) >= 0.1
        THEN split_like(former_close * coalesce(dividend_ratio, 1), open, close)
    END AS suspected
  FROM days
  LEFT JOIN split_days USING (ticker, date)
  LEFT JOIN dividend_days USING (ticker, date)
),
adjustments AS (
  SELECT
    ticker,
    date,
    split_ratio,
    dividend_ratio,
    CASE
      WHEN level IS NULL OR former_level IS NULL
        THEN coalesce(step, 1) / coalesce(dividend_ratio, 1) * coalesce(former_level, 1) / coalesce(level, 1)
      -- Nearer to no split than to this one.
      WHEN abs(ln(level / former_level / step)) > abs(ln(step)) / 2
        THEN step / coalesce(dividend_ratio, 1) * former_level / level
    END AS change,
    nullif(change, 1) AS adjustment,
    CASE
      WHEN coalesce(abs(former_level / level * suspected - 1) > 0.02, true) THEN ratio_text(suspected)
    END AS suspected_split
  FROM changes
)
SELECT
  ticker,
  date,
  split_ratio,
  dividend_ratio,
  adjustment,
  suspected_split
FROM adjustments
WHERE coalesce(split_ratio, dividend_ratio, adjustment) IS NOT NULL
  OR suspected_split IS NOT NULL
