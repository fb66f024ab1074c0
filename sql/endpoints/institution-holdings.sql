-- institution-holdings: Holdings of an institution
-- path: /api/institution/{name}/holdings
-- subject: Institutions
-- description: One record per position in the institution's Form 13F reports: a ticker, a security type and, for
--   options, a side. Without `start_date` and `end_date` the response has the positions of the latest report that was
--   filed on or before `date`, as the institution's filings up to that day state it. With either of them it has the
--   positions of all reports in that range, as the latest filings state them. Positions that were closed since the
--   previous report are excluded.
-- description: The institution is found by its CIK or its name. A CIK that never reported has no holdings. Where the
--   ticker is unknown, `ticker` is the CUSIP, which `ticker_symbol` cannot match.
-- description: Prices and values are in dollars. `close` is the close on the report date and `price_first_buy` the
--   close on `first_buy`, the report date since which the position has been held without a break. `avg_price` values
--   each increase at the close of its report date: after one it is (former average × former units + close × increase) /
--   units, exact and rounded to ten places; a decrease does not change it. `units` are shares, shares under options, or
--   principal in dollars. `historical_units` has the units of up to 8 reports, newest first, including this one.
--   `perc_of_share_value` and `perc_of_total` are fractions and are defined for shares only.
-- description: `units_change` compares with the institution's previous report, however old it is, and is 0 in its first
--   one. Figures that compare with earlier reports are on the basis of the report: they are converted from report to
--   report by the splits of the ticker in `stock_splits` whose date is after the former report date and not after the
--   later one. `historical_units`, and the former units of `units_change` and `avg_price`, are multiplied by the product
--   of new / old shares and rounded down, for shares, funds and options; units of other securities are not split.
--   `price_first_buy` (rounded to six places) and the former `avg_price` are multiplied by old / new shares. Without an
--   entry nothing is converted. Roundings to a number of places are half to even.
-- description: Records are sorted by `value`, greatest first, unless `order` specifies another field.
--   `historical_units` compares the first entries, then the next ones. Ties: newest report first, then by ticker,
--   security_type and put_call.
--
-- Positions of 0 units were closed since the previous report, or are not in the latest filing. They are not holdings, but
-- a report can consist of them. Of each position, the latest row counts. $date is NULL without a date and for a range.
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
  whole(value)::BIGINT AS value,
  avg_price,
  close,
  shares_outstanding,
  perc_of_share_value,
  perc_of_total
FROM (
  SELECT unnest(latest)
  FROM (
    SELECT arg_max(positions, filing_date) AS latest
    FROM read_parquet($institution_positions, hive_partitioning = false) AS positions
    WHERE cik = $cik
      AND (
        $start_date IS NOT NULL
        OR $end_date IS NOT NULL
        OR report_date = (
          SELECT max(report_date)
          FROM read_parquet($institution_positions, hive_partitioning = false)
          WHERE cik = $cik
            AND ($date IS NULL OR filing_date <= $date)
        )
      )
      AND ($date IS NULL OR filing_date <= $date)
      AND ($start_date IS NULL OR report_date >= $start_date)
      AND ($end_date IS NULL OR report_date <= $end_date)
      AND ($symbols IS NULL OR list_contains($symbols, ticker))
      AND ($symbols_excluded IS NULL OR NOT list_contains($symbols_excluded, ticker))
      AND ($security_types IS NULL OR list_contains($security_types, lower(security_type)))
    GROUP BY
      report_date,
      ticker,
      security_type,
      put_call
  )
)
WHERE units > 0
ORDER BY
  /* order */ value DESC NULLS LAST,
  date DESC,
  ticker,
  security_type,
  put_call
LIMIT $limit
OFFSET $offset
