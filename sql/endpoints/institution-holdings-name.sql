-- institution-holdings-name: the first 5 institutions by name that match a name, each with the number of all matches
--
-- Institutions with that whole name, else those whose name contains it; case is ignored. An institution that is not in
-- `institutions` has the name of its latest filing.
WITH filed AS (
  SELECT
    cik,
    arg_max(institution_name, (report_date, filing_date)) AS name
  FROM read_parquet($institution_totals, hive_partitioning = false)
  GROUP BY cik
),
named AS (
  SELECT
    cik,
    coalesce(institution.name, filed.name) AS name
  FROM read_parquet($institutions, hive_partitioning = false) AS institution
  FULL JOIN filed USING (cik)
),
fitting AS (
  SELECT
    cik,
    name,
    lower(name) = lower($name) AS is_whole
  FROM named
  WHERE contains(lower(name), lower($name))
)
SELECT
  cik,
  name,
  count(*) OVER () AS fitting
FROM fitting
WHERE is_whole = (SELECT bool_or(is_whole) FROM fitting)
ORDER BY
  name,
  cik
LIMIT 5
