-- forex-rate-currencies: the currencies that there are quotes of.
SELECT base AS currency
FROM read_parquet($fx_quotes, hive_partitioning = false)
UNION
SELECT quote
FROM read_parquet($fx_quotes, hive_partitioning = false)
