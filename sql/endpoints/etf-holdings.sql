-- etf-holdings: Holdings of an ETF
-- path: /api/etfs/{ticker}/holdings
-- subject: Stocks and ETFs
-- description: The fund's latest list of holdings, heaviest first. `weight` is in percent of the fund; `shares` are
--   rounded to whole units, half to even; `ticker` is empty for cash and the like. Prices, volumes and premiums (in
--   dollars) are those of the last closed trading date of stocks, null where the lake has none for the holding.
--   `prev_price`, `avg30_volume` and the 52-week extremes (highest and lowest price of 364 days) are in shares of that
--   date: earlier prices and volumes are converted by the splits in `stock_splits`, or else by those that the adjusted
--   closes of `daily_bars` show. They are not adjusted for dividends. `bullish_premium` is the ask-side premium of calls plus the bid-side premium of puts, `bearish_premium` the
--   reverse.
--
-- Figures are null for a holding without a ticker, a bar or options. Whole units are rounded half to even.
WITH lists AS (
  SELECT *
  FROM read_parquet($etf_holdings, hive_partitioning = false)
  WHERE etf = $ticker
),
-- Stored, so that older lists are not joined, and the hash join that finds it is not in the pipeline of the others.
latest AS MATERIALIZED (
  SELECT *
  FROM lists
  WHERE date = (SELECT max(date) FROM lists)
)
SELECT
  latest.ticker,
  latest.name,
  latest.short_name,
  latest.type,
  coalesce(latest.sector, '') AS sector,
  latest.has_options,
  latest.weight,
  whole(latest.shares)::BIGINT AS shares,
  stocks.open,
  stocks.high,
  stocks.low,
  stocks.close,
  stocks.previous_close AS prev_price,
  stocks.volume,
  stocks.avg30_volume,
  stocks.week52_high,
  stocks.week52_low,
  stocks.week52_high AS week_52_high,
  stocks.week52_low AS week_52_low,
  options.call_volume,
  options.put_volume,
  options.call_premium,
  options.put_premium,
  options.bullish_premium,
  options.bearish_premium
FROM latest
LEFT JOIN read_parquet($stock_days, hive_partitioning = false) AS stocks
  ON stocks.ticker = latest.ticker AND stocks.date = $date
LEFT JOIN read_parquet($option_ticker_days, hive_partitioning = false) AS options
  ON options.ticker = latest.ticker AND options.date = $date
ORDER BY
  latest.weight DESC,
  latest.ticker,
  latest.name
