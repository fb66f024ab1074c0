-- fec-companies: Political contributions and lobbying of companies
-- path: /api/politics/fec/companies
-- subject: Politicians and insiders
-- description: One record per company with tracked political activity in the election cycle (FEC and lobbying reports),
--   by `pac_total`, greatest first, then by ticker. Totals are in dollars. `other_total` is what the company's
--   committees gave to recipients other than candidates and parties. Figures of employees and of lobbying are null
--   where the lake has no such records for the cycle. Pages start at 1. `cycle` is the cycle of the response, even if
--   the lake has no data for it.
SELECT
  company_name,
  ticker,
  cycle,
  pac_count,
  pac_contribution_count,
  pac_total,
  pac_dem_total,
  pac_rep_total,
  other_total,
  employee_contribution_count,
  employee_total_estimated,
  employee_dem_total,
  employee_rep_total,
  lobbying_total
FROM read_parquet($fec_companies, hive_partitioning = false)
WHERE cycle = $cycle
  AND ($min_total IS NULL OR pac_total + other_total >= $min_total)
ORDER BY
  pac_total DESC,
  ticker
LIMIT $limit
OFFSET $offset
