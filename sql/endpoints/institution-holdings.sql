-- institution-holdings: an institution's positions in its latest report on or before $date, greatest value first; or,
-- where $date is NULL, in all its reports from $start_date to $end_date.
--
-- Positions of 0 units were closed since the report before: they are no holdings, but a report may consist of them.
SELECT
  ticker,
  full_name,
  sector,
  security_type,
  nullif(put_call, '') AS put_call,
  report_date AS date,
  first_buy,
  price_first_buy,
  units,
  units_change,
  historical_units,
  value::BIGINT AS value,
  avg_price,
  close,
  shares_outstanding,
  perc_of_share_value,
  perc_of_total
FROM read_parquet($institution_positions, hive_partitioning = false)
WHERE cik = $cik
  AND units > 0
  AND (
    $date IS NULL
    OR report_date = (
      SELECT max(report_date)
      FROM read_parquet($institution_positions, hive_partitioning = false)
      WHERE cik = $cik
        AND report_date <= $date
    )
  )
  AND ($start_date IS NULL OR report_date >= $start_date)
  AND ($end_date IS NULL OR report_date <= $end_date)
  AND ($tickers IS NULL OR list_contains($tickers, ticker))
  AND ($tickers_excluded IS NULL OR NOT list_contains($tickers_excluded, ticker))
  AND ($security_types IS NULL OR list_contains($security_types, lower(security_type)))
ORDER BY
  /* order */ value DESC NULLS LAST,
  date DESC,
  ticker,
  security_type,
  put_call
LIMIT $limit
OFFSET $offset
