-- etf-info: what is known of an ETF on a day, and that day's volume of its shares and options.
--
-- The fund's row is the latest from that day or before it; of a fund that came later, the first. A day without a bar or
-- without options leaves nulls.
WITH fund AS (
  SELECT *
  FROM read_parquet($etfs, hive_partitioning = false)
  WHERE ticker = $ticker
  ORDER BY
    date > $date::DATE,
    abs(date - $date::DATE)
  LIMIT 1
)
SELECT
  fund.name,
  fund.etf_company,
  fund.domicile,
  fund.description,
  fund.website,
  fund.inception_date,
  fund.expense_ratio,
  fund.holdings_count,
  fund.aum,
  fund.has_options,
  stocks.avg30_volume,
  stocks.volume AS stock_vol,
  options.volume AS opt_vol,
  options.call_volume AS call_vol,
  options.put_volume AS put_vol
FROM fund
LEFT JOIN read_parquet($stock_days, hive_partitioning = false) AS stocks
  ON stocks.ticker = fund.ticker AND stocks.date = $date
LEFT JOIN read_parquet($option_ticker_days, hive_partitioning = false) AS options
  ON options.ticker = fund.ticker AND options.date = $date
