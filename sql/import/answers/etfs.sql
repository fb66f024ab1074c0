-- source: etf_info = ndjson
-- columns: name, etf_company, domicile, description, website, inception_date, expense_ratio, holdings_count
-- columns: aum, has_options
--
-- source: etf_holdings = ndjson
-- columns: ticker, name, short_name, type, sector, has_options, weight, shares
-- columns: open, high, low, close, volume, week52_high, week52_low

-- dataset: etfs
SELECT
  file,
  line,
  ticker_of($ticker) AS ticker,
  day_of($date) AS date,
  name,
  etf_company,
  domicile,
  description,
  website,
  day_of(inception_date) AS inception_date,
  TRY_CAST(half_even_text(expense_ratio, 4) AS DECIMAL(9, 4)) AS expense_ratio,
  TRY_CAST(whole_of(holdings_count) AS INTEGER) AS holdings_count,
  TRY_CAST(half_even_text(aum, 2) AS DECIMAL(18, 2)) AS aum,
  TRY_CAST(has_options AS BOOLEAN) AS has_options,
  coalesce(
    ticker_fault('ticker of the ETF (specify --ticker)', $ticker),
    day_fault('date (specify --date)', $date, day_of($date), $today),
    blank_fault('name', name),
    unread_fault('inception_date', 'not a date', inception_date, day_of(inception_date)),
    number_fault('expense_ratio', expense_ratio, TRY_CAST(half_even_text(expense_ratio, 4) AS DECIMAL(9, 4))),
    count_fault('holdings_count', holdings_count, TRY_CAST(whole_of(holdings_count) AS INTEGER)),
    number_fault('aum', aum, TRY_CAST(half_even_text(aum, 2) AS DECIMAL(18, 2))),
    unread_fault('has_options', 'neither true nor false', has_options, TRY_CAST(has_options AS BOOLEAN))
  ) AS fault
FROM etf_info

-- dataset: etf_holdings
SELECT
  file,
  line,
  day_of($date) AS date,
  ticker_of($ticker) AS etf,
  coalesce(ticker_of(ticker), '') AS ticker,
  name,
  short_name,
  type,
  sector,
  TRY_CAST(has_options AS BOOLEAN) AS has_options,
  TRY_CAST(half_even_text(weight, 6) AS DECIMAL(12, 6)) AS weight,
  TRY_CAST(half_even_text(shares, 4) AS DECIMAL(18, 4)) AS shares,
  coalesce(
    ticker_fault('ticker of the ETF (specify --ticker)', $ticker),
    day_fault('date (specify --date)', $date, day_of($date), $today),
    blank_fault('name', name),
    unread_fault('has_options', 'neither true nor false', has_options, TRY_CAST(has_options AS BOOLEAN)),
    blank_fault('weight', weight),
    number_fault('weight', weight, TRY_CAST(half_even_text(weight, 6) AS DECIMAL(12, 6))),
    blank_fault('shares', shares),
    number_fault('shares', shares, TRY_CAST(half_even_text(shares, 4) AS DECIMAL(18, 4)))
  ) AS fault
FROM etf_holdings

-- Bars that the lake has are not replaced: they may have an adjusted close.
-- dataset: daily_bars
SELECT
  file,
  line,
  ticker_of(ticker) AS ticker,
  day_of($date) AS date,
  TRY_CAST(half_even_text(open, 6) AS DECIMAL(18, 6)) AS open,
  TRY_CAST(half_even_text(high, 6) AS DECIMAL(18, 6)) AS high,
  TRY_CAST(half_even_text(low, 6) AS DECIMAL(18, 6)) AS low,
  TRY_CAST(half_even_text(close, 6) AS DECIMAL(18, 6)) AS close,
  NULL::DECIMAL(18, 6) AS adjusted_close,
  whole_of(volume) AS volume,
  coalesce(
    number_fault('open', open, TRY_CAST(half_even_text(open, 6) AS DECIMAL(18, 6))),
    number_fault('high', high, TRY_CAST(half_even_text(high, 6) AS DECIMAL(18, 6))),
    number_fault('low', low, TRY_CAST(half_even_text(low, 6) AS DECIMAL(18, 6))),
    number_fault('close', close, TRY_CAST(half_even_text(close, 6) AS DECIMAL(18, 6))),
    count_fault('volume', volume, whole_of(volume))
  ) AS fault
FROM etf_holdings
WHERE close IS NOT NULL
  AND ticker_fault('ticker', ticker) IS NULL
  AND ticker_fault('ticker', $ticker) IS NULL
  AND day_of($date) IS NOT NULL
  AND (ticker_of(ticker), day_of($date)) NOT IN (SELECT (ticker, date) FROM held_daily_bars)
