-- etf-info: ETF profile and trading volume
-- path: /api/etfs/{ticker}/info
-- subject: Stocks and ETFs
-- description: The fund as known on the last closed trading date of stocks, and the volume of its shares and
--   options on that day. If the lake only has later data on the fund, the response has the earliest. `expense_ratio` is
--   in percent per year, `aum` in dollars; `avg30_volume` is the mean of the last 30 days, in shares of the last one.
--   Unknown values are null, as are figures of a stock without a bar on that day and of options that the lake lacks. A
--   ticker that is not a known ETF is a 422.
--
-- The row of the fund is its latest on or before the day, else its first one. Figures are null on a day without a bar
-- or without options.
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
