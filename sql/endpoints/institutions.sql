-- institutions: Institutions and their portfolios
-- path: /api/institutions
-- subject: Institutions
-- description: One record per institution that files Form 13F, with the portfolio of its latest report: `date` is the
--   date of the report, `filing_date` that of the latest filing of it, or of an earlier report if that changed what it
--   compares with. Institutions that never reported are excluded. Where
--   the lake only has the reports of an institution, `name` is the name in the filing and the descriptive fields are
--   null or empty.
-- description: Values are in dollars, rounded; filters compare them as shown. `buy_value` is what was added since the
--   previous report, at the values of this report; `sell_value` is what was sold, at the values of the previous one,
--   and is never above 0. Both are sums of `units_change` of `institution-holdings`, which takes splits into account, of
--   closed positions too: a position adds value × units_change / units, or former value × units_change / former units on
--   the basis of this report, rounded to four places, half to even. In an institution's first report both are 0. Holdings are units: shares, shares under options, or principal of debt in dollars.
-- description: Records are sorted by `total_value`, greatest first, unless `order` specifies another field.
--   `total_holdings` is the sum of the seven unit counts, `percent_of_total` the portfolio's share of all portfolios
--   reported for the same date, each by its latest filing. Ties are in the order of the CIK.
--
-- Every institution that reported has a portfolio; only those in `institutions` have descriptive fields. Values are
-- rounded to the dollar, half to even. Unit counts are decimals, which are strings in JSON; 19 digits are enough
-- for any of them.
WITH latest AS (
  SELECT
    cik,
    max((report_date, filing_date))[1] AS report_date,
    max((report_date, filing_date))[2] AS filing_date
  FROM read_parquet($institution_totals, hive_partitioning = false)
  GROUP BY cik
),
-- The total of all institutions per report date, for the order that needs it: of a report that was filed again, the latest
-- filing counts.
report_totals AS (
  SELECT
    report_date,
    sum(total_value) AS all_value
  FROM (
    SELECT
      report_date,
      arg_max(total_value, filing_date) AS total_value
    FROM read_parquet($institution_totals, hive_partitioning = false)
    WHERE $by_share
    GROUP BY
      report_date,
      cik
  )
  GROUP BY report_date
),
-- Stored, for what follows is dear to begin: DuckDB begins it again for each hash join of the same pipeline.
reported AS MATERIALIZED (
  SELECT
    total.*,
    institution.* EXCLUDE (cik),
    all_value
  FROM read_parquet($institution_totals, hive_partitioning = false) AS total
  JOIN latest USING (cik, report_date, filing_date)
  LEFT JOIN report_totals USING (report_date)
  LEFT JOIN read_parquet($institutions, hive_partitioning = false) AS institution USING (cik)
),
portfolios AS (
  SELECT
    coalesce(name, institution_name) AS name,
    short_name,
    cik,
    description,
    website,
    logo_url,
    founder_img_url,
    coalesce(people, []) AS people,
    coalesce(tags, []) AS tags,
    coalesce(is_hedge_fund, false) AS is_hedge_fund,
    report_date AS date,
    filing_date,
    whole(total_value) AS total_value,
    whole(share_value) AS share_value,
    whole(call_value) AS call_value,
    whole(put_value) AS put_value,
    whole(fund_value) AS fund_value,
    whole(pfd_value) AS pfd_value,
    whole(debt_value) AS debt_value,
    whole(warrant_value) AS warrant_value,
    whole(buy_value) AS buy_value,
    whole(sell_value) AS sell_value,
    share_holdings::DECIMAL(19, 0) AS share_holdings,
    call_holdings::DECIMAL(19, 0) AS call_holdings,
    put_holdings::DECIMAL(19, 0) AS put_holdings,
    fund_holdings::DECIMAL(19, 0) AS fund_holdings,
    pfd_holdings::DECIMAL(19, 0) AS pfd_holdings,
    debt_holdings::DECIMAL(19, 0) AS debt_holdings,
    warrant_holdings::DECIMAL(19, 0) AS warrant_holdings,
    total_value / nullif(all_value, 0) AS percent_of_total
  FROM reported
),
summed AS (
  SELECT
    *,
    share_holdings
      + call_holdings
      + put_holdings
      + fund_holdings
      + pfd_holdings
      + debt_holdings
      + warrant_holdings AS total_holdings
  FROM portfolios
)
SELECT
  name,
  short_name,
  cik,
  description,
  website,
  logo_url,
  founder_img_url,
  people,
  tags,
  is_hedge_fund,
  date,
  filing_date,
  total_value,
  share_value,
  call_value,
  put_value,
  fund_value,
  pfd_value,
  debt_value,
  warrant_value,
  buy_value,
  sell_value,
  share_holdings,
  call_holdings,
  put_holdings,
  fund_holdings,
  pfd_holdings,
  debt_holdings,
  warrant_holdings
FROM summed
WHERE ($name IS NULL OR contains(lower(name), lower($name)) OR cik = $cik)
  AND ($min_total_value IS NULL OR total_value >= $min_total_value)
  AND ($max_total_value IS NULL OR total_value <= $max_total_value)
  AND ($min_share_value IS NULL OR share_value >= $min_share_value)
  AND ($max_share_value IS NULL OR share_value <= $max_share_value)
  AND ($tags IS NULL OR list_has_any(tags, $tags))
ORDER BY
  /* order */ total_value DESC NULLS LAST,
  cik
LIMIT $limit
OFFSET $offset
