-- frag-intervals: the intervals of one day that hold frags, with their number and that of the trades in them.
--
-- $ticker NULL means every underlying. A replay cuts its slices by these numbers.
SELECT
  epoch_ms(start_time) AS start_ms,
  count(*) AS frags,
  sum(trades)::BIGINT AS updates
FROM read_parquet($chain_frags, hive_partitioning = false) AS frags
WHERE date = $date
  AND ($ticker IS NULL OR underlying_symbol = $ticker)
GROUP BY ALL
ORDER BY start_ms
