-- forex-rate-currencies: the currencies with quotes
SELECT base AS currency
FROM read_parquet($fx_quotes, hive_partitioning = false)
UNION
SELECT quote
FROM read_parquet($fx_quotes, hive_partitioning = false)
