-- fec_companies: political money of each company with a committee, a contribution or a lobbying report in a cycle
-- days: fec_committees, fec_contributions, lobbying_reports
-- run: 10
-- reads: fec_committees on the day
-- reads: fec_contributions on the day
-- reads: lobbying_reports on the day
-- reads: tickers all before
--
-- The date of a row is the last day of its cycle. Totals are net of refunds; counts include refunds. Whether a cycle
-- has employee contributions or lobbying reports depends on all its records, including those without a ticker: if it
-- has, a company without any gets 0; otherwise every company gets NULL.
WITH committees AS (
  SELECT
    cycle,
    cycle_end,
    ticker,
    arg_min(company_name, committee_id) FILTER (WHERE company_name <> '') AS company_name,
    count(*) FILTER (WHERE is_corporate) AS pac_count
  FROM read_parquet($fec_committees, hive_partitioning = false)
  WHERE cycle_end BETWEEN $from::DATE AND $to::DATE
  GROUP BY
    cycle,
    cycle_end,
    ticker
),
contributions AS (
  SELECT
    cycle,
    cycle_end,
    ticker,
    count(*) FILTER (WHERE kind = 'pac') AS pac_contribution_count,
    sum(amount) FILTER (WHERE kind = 'pac') AS pac_total,
    sum(amount) FILTER (WHERE kind = 'pac' AND party = 'DEM') AS pac_dem_total,
    sum(amount) FILTER (WHERE kind = 'pac' AND party = 'REP') AS pac_rep_total,
    sum(amount) FILTER (WHERE kind = 'other') AS other_total,
    count(*) FILTER (WHERE kind = 'employee') AS employee_contribution_count,
    sum(amount) FILTER (WHERE kind = 'employee') AS employee_total_estimated,
    sum(amount) FILTER (WHERE kind = 'employee' AND party = 'DEM') AS employee_dem_total,
    sum(amount) FILTER (WHERE kind = 'employee' AND party = 'REP') AS employee_rep_total
  FROM read_parquet($fec_contributions, hive_partitioning = false)
  WHERE cycle_end BETWEEN $from::DATE AND $to::DATE
  GROUP BY
    cycle,
    cycle_end,
    ticker
),
lobbying AS (
  SELECT
    cycle,
    cycle_end,
    ticker,
    arg_min(client_name, id) FILTER (WHERE client_name <> '') AS client_name,
    sum(amount) AS lobbying_total
  FROM read_parquet($lobbying_reports, hive_partitioning = false)
  WHERE cycle_end BETWEEN $from::DATE AND $to::DATE
  GROUP BY
    cycle,
    cycle_end,
    ticker
),
cycles AS (
  SELECT
    cycle,
    coalesce(bool_or(employee_contribution_count > 0), false) AS has_employees,
    coalesce(bool_or(lobbying_total IS NOT NULL), false) AS has_lobbying
  FROM contributions
  FULL JOIN lobbying USING (cycle, cycle_end, ticker)
  GROUP BY cycle
),
companies AS (
  SELECT cycle, cycle_end, ticker FROM committees
  UNION
  SELECT cycle, cycle_end, ticker FROM contributions
  UNION
  SELECT cycle, cycle_end, ticker FROM lobbying
),
names AS (
  SELECT
    ticker,
    date,
    full_name
  FROM read_parquet($tickers, hive_partitioning = false)
)
SELECT
  company.cycle,
  company.cycle_end,
  company.ticker,
  coalesce(committees.company_name, names.full_name, lobbying.client_name, company.ticker) AS company_name,
  coalesce(pac_count, 0) AS pac_count,
  coalesce(pac_contribution_count, 0) AS pac_contribution_count,
  coalesce(pac_total, 0)::DECIMAL(18, 2) AS pac_total,
  coalesce(pac_dem_total, 0)::DECIMAL(18, 2) AS pac_dem_total,
  coalesce(pac_rep_total, 0)::DECIMAL(18, 2) AS pac_rep_total,
  coalesce(other_total, 0)::DECIMAL(18, 2) AS other_total,
  CASE WHEN has_employees THEN coalesce(employee_contribution_count, 0) END AS employee_contribution_count,
  CASE WHEN has_employees THEN coalesce(employee_total_estimated, 0) END::DECIMAL(18, 2) AS employee_total_estimated,
  CASE WHEN has_employees THEN coalesce(employee_dem_total, 0) END::DECIMAL(18, 2) AS employee_dem_total,
  CASE WHEN has_employees THEN coalesce(employee_rep_total, 0) END::DECIMAL(18, 2) AS employee_rep_total,
  CASE WHEN has_lobbying THEN coalesce(lobbying_total, 0) END::DECIMAL(18, 2) AS lobbying_total
FROM companies AS company
ASOF LEFT JOIN names ON names.ticker = company.ticker AND names.date <= company.cycle_end
LEFT JOIN committees
  ON committees.cycle = company.cycle AND committees.ticker = company.ticker
LEFT JOIN contributions
  ON contributions.cycle = company.cycle AND contributions.ticker = company.ticker
LEFT JOIN lobbying
  ON lobbying.cycle = company.cycle AND lobbying.ticker = company.ticker
LEFT JOIN cycles ON cycles.cycle = company.cycle
WHERE company.ticker <> ''
