-- insiders: Insiders of a company
-- path: /api/insider/{ticker}
-- subject: Politicians and insiders
-- description: One record per insider, by name. `is_person` is false for funds, companies and the like. Where they are
--   unknown, `logo_url` is null and `social_links` is empty.
SELECT
  id,
  cik,
  name,
  display_name,
  name_slug,
  is_person,
  logo_url,
  social_links,
  ticker
FROM read_parquet($insiders, hive_partitioning = false)
WHERE ticker = $ticker
ORDER BY
  name,
  cik
