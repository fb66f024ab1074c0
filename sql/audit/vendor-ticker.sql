-- vendor-ticker: a ticker is stored in the form of a vendor, so that no request finds its rows
-- tolerance: Earlier versions stored tickers as files had them, such as BRK-B. Requests and imports use BRK.B. Forms with two
--   meanings, such as BAC-L, and pairs are stored as they are.
-- run: 250
-- finds: daily_bars
-- reads: daily_bars on the day
SELECT
  date,
  ticker,
  ticker AS value,
  vendor_ticker_reason(ticker, 'daily_bars') AS reason
FROM read_parquet($daily_bars, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND is_vendor_ticker(ticker)
-- finds: stock_bars
-- reads: stock_bars on the day
SELECT
  date,
  ticker,
  ticker AS value,
  vendor_ticker_reason(ticker, 'stock_bars') AS reason
FROM read_parquet($stock_bars, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND is_vendor_ticker(ticker)
-- finds: stock_trades
-- reads: stock_trades on the day
SELECT
  date,
  ticker,
  ticker AS value,
  vendor_ticker_reason(ticker, 'stock_trades') AS reason
FROM read_parquet($stock_trades, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND is_vendor_ticker(ticker)
-- finds: tickers
-- reads: tickers on the day
SELECT
  date,
  ticker,
  ticker AS value,
  vendor_ticker_reason(ticker, 'tickers') AS reason
FROM read_parquet($tickers, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND is_vendor_ticker(ticker)
