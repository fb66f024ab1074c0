-- insiders: the persons and funds that report as insiders of a company, by name.
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
