-- few-rows: a day has far fewer rows than the days before
-- tolerance: Fewer than a quarter of the median of the 20 dates before, of which the lake has at least 10. A session that
--   ends at 13:00 has about half the usual trades. Datasets that need not have rows on each session are excluded.
-- run: 20
-- finds: held_days
WITH counted AS (
  SELECT
    *,
    median(row_count) OVER earlier AS usual,
    count(*) OVER earlier AS dates
  FROM held_days
  WINDOW earlier AS (PARTITION BY dataset ORDER BY date ROWS BETWEEN 20 PRECEDING AND 1 PRECEDING)
)
SELECT
  dataset,
  date,
  NULL AS ticker,
  row_count AS value,
  format('{} rows; the median of the {} dates before is {:.0f}', row_count, dates, usual) AS reason
FROM counted
WHERE date BETWEEN $from AND $to AND dates >= 10 AND row_count < usual / 4
