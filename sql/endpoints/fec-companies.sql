-- fec-companies: political money of companies in one election cycle, the greatest sum of their committees first.
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
