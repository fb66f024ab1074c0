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
), splits AS (
  SELECT unnest([3 / 2, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50, 100]) AS shares
), ratios AS (
  SELECT shares AS ratio FROM splits
  UNION ALL
  SELECT 1 / shares FROM splits
)
SELECT
  date,
  ticker,
  round(open, 4) AS value,
  format(
    'opens at {:.2f} after a close of {:.2f}, near {}, and neither stock_splits nor adjusted_close has the split',
    open,
    last_close,
    if(
      ratio = 1.5,
      '3:2',
      if(ratio > 1, format('{:.0f}:1', ratio), if(ratio > 0.6, '2:3', format('1:{:.0f}', 1 / ratio)))
    )
  ) AS reason
FROM steps
LEFT JOIN declared USING (ticker, date)
JOIN ratios ON abs(last_close / open / ratio - 1) <= 0.03
WHERE date BETWEEN $from AND $to
  AND date - last_date <= 10
  AND abs(close / open - 1) <= 0.25
  AND coalesce(abs(coalesce(1 / shares, last_factor / factor) * ratio - 1) > 0.02, true)
