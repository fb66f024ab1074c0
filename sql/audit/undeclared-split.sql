-- undeclared-split: a stock opens near a simple ratio of its last close, and neither stock_splits nor adjusted_close has the split
-- tolerance: The ratio of last close to open is within 3 % of a ratio at which shares are split or merged, which leaves
--   room for the move of a night. Ratios below 3:2 are excluded: prices move that far by themselves. The close stays
--   within 25 % of the open, because a crash or a squeeze goes on. Prices below 0.10 dollars are excluded: one tick
--   doubles them. A declared split has the ratio, within 2 %: that of stock_splits since
--   the last bar, or else the change of adjusted_close / close.
-- run: 250
-- finds: daily_bars
-- reads: daily_bars 5 dates before
-- joins: stock_splits 10 days before
WITH bars AS (
  SELECT
    ticker,
    date,
    coalesce(open, close)::DOUBLE AS open,
    close::DOUBLE AS close,
    (adjusted_close / close)::DOUBLE AS factor
  FROM read_parquet($daily_bars, hive_partitioning = false)
  WHERE close >= 0.1 AND coalesce(open, close) >= 0.1
), steps AS (
  SELECT
    *,
    lag(date) OVER own AS last_date,
    lag(close) OVER own AS last_close,
    lag(factor) OVER own AS last_factor
  FROM bars
  WINDOW own AS (PARTITION BY ticker ORDER BY date)
), declared AS (
  SELECT
    steps.ticker,
    steps.date,
    product(new_shares / old_shares) AS shares
  FROM steps
  JOIN read_parquet($stock_splits, hive_partitioning = false) AS split
    ON split.ticker = steps.ticker
    AND split.date > last_date
    AND split.date <= steps.date
  GROUP BY steps.ticker, steps.date
), ratios AS (
  SELECT
    *,
    split_like(last_close, open, close) AS ratio
  FROM steps
)
SELECT
  date,
  ticker,
  round(open, 4) AS value,
  format(
    'opens at {:.2f} after a close of {:.2f}, near {}, and neither stock_splits nor adjusted_close has the split',
    open,
    last_close,
    ratio_text(ratio)
  ) AS reason
FROM ratios
LEFT JOIN declared USING (ticker, date)
WHERE date BETWEEN $from AND $to
  AND date - last_date <= 10
  AND ratio IS NOT NULL
  AND coalesce(abs(coalesce(1 / shares, last_factor / factor) * ratio - 1) > 0.02, true)
