-- frag-intervals: intervals of one day that have frags, with the number of frags and of the trades in them.
--
-- $ticker NULL selects every underlying. A replay plans its slices from these numbers.
SELECT
  epoch_ms(start_time) AS start_ms,
  count(*) AS frags,
  sum(trades)::BIGINT AS updates
FROM read_parquet($chain_frags, hive_partitioning = false) AS frags
WHERE date = $date
  AND ($ticker IS NULL OR underlying_symbol = $ticker)
GROUP BY ALL
ORDER BY start_ms
