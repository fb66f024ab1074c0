-- institution-sectors: Portfolio of an institution by sector
-- path: /api/institution/{name}/sectors
-- subject: Institutions
-- description: One record per report and sector, for every Form 13F report that was filed on or before `date`, as the
--   institution's filings up to that day state it: newest report first, then by value, greatest first. `value` is in dollars at the report date. `sector` is the sector of the ticker on
--   that date, null for positions whose sector is unknown.
-- description: The counts `positions_*` compare with the institution's previous report, however old it is. A new position
--   counts as increased. A closed position was held in the previous report and is not among `positions`. A position is a
--   ticker, a security type and, for options, a side. Where `stock_splits` has a split of the ticker between the two
--   reports, units of shares, funds and options in the previous one are converted to the later basis, as in
--   `institution-holdings`. In the institution's first report no position is increased, decreased or closed.
-- description: The institution is found by its CIK or its name. A CIK that never reported has no sectors.
--
-- Of each position, the latest row counts. Positions of 0 units were closed since the previous report; those whose
-- first_buy is this report were in an earlier filing of it.
WITH filed AS (
  SELECT
    report_date,
    unnest(latest)
  FROM (
    SELECT
      report_date,
      arg_max(
        {
          'sector': sector,
          'value': value,
          'units': units,
          'units_change': units_change,
          'first_buy': first_buy
        },
        filing_date
      ) AS latest
    FROM read_parquet($institution_positions, hive_partitioning = false)
    WHERE cik = $cik
      AND ($date IS NULL OR filing_date <= $date)
    GROUP BY
      report_date,
      ticker,
      security_type,
      put_call
  )
)
SELECT
  report_date,
  sector,
  whole(sum(value)) AS value,
  count(*) FILTER (WHERE units > 0) AS positions,
  count(*) FILTER (WHERE units = 0) AS positions_closed,
  count(*) FILTER (WHERE units > 0 AND units_change < 0) AS positions_decreased,
  count(*) FILTER (WHERE units_change > 0) AS positions_increased
FROM filed
WHERE units > 0
  OR first_buy < report_date
GROUP BY
  report_date,
  sector
ORDER BY
  report_date DESC,
  value DESC,
  sector
LIMIT $limit
OFFSET $offset
