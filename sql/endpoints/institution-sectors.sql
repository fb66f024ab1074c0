-- institution-sectors: an institution's positions added up for each report on or before $date and each sector, newest
-- report first, then by value, greatest first.
--
-- Positions of 0 units were closed since the report before; new ones had 0 then.
SELECT
  report_date,
  sector,
  sum(value)::DECIMAL(38, 0) AS value,
  count(*) FILTER (WHERE units > 0) AS positions,
  count(*) FILTER (WHERE units = 0) AS positions_closed,
  count(*) FILTER (WHERE units > 0 AND units < previous_units) AS positions_decreased,
  count(*) FILTER (WHERE units > previous_units) AS positions_increased
FROM read_parquet($institution_positions, hive_partitioning = false)
WHERE cik = $cik
  AND report_date <= $date
GROUP BY
  report_date,
  sector
ORDER BY
  report_date DESC,
  value DESC,
  sector
LIMIT $limit
OFFSET $offset
