SELECT
  h.ticker AS ticker, h.name AS name, h.short_name AS short_name, h.type AS type, coalesce(h.sector, '') AS sector, h.has_options AS has_options, h.weight AS weight,
  toInt64(roundBankers(h.shares, 0)) AS shares,
  s.open AS open, s.high AS high, s.low AS low, s.close AS close, s.previous_close AS prev_price, s.volume AS volume, s.avg30_volume AS avg30_volume, s.week52_high AS week52_high, s.week52_low AS week52_low,
  s.week52_high AS week_52_high, s.week52_low AS week_52_low, o.call_volume AS call_volume, o.put_volume AS put_volume, o.call_premium AS call_premium, o.put_premium AS put_premium,
  o.bullish_premium AS bullish_premium, o.bearish_premium AS bearish_premium
FROM file('{data}/etf_holdings.parquet', Parquet) AS h
LEFT JOIN file('{data}/stock_days.parquet', Parquet) AS s
  ON s.ticker = h.ticker AND s.date = (SELECT max(date) FROM file('{data}/stock_days.parquet', Parquet))
LEFT JOIN file('{data}/option_ticker_days.parquet', Parquet) AS o
  ON o.ticker = h.ticker AND o.date = (SELECT max(date) FROM file('{data}/stock_days.parquet', Parquet))
WHERE h.etf = {ticker:String}
  AND h.date = (SELECT max(date) FROM file('{data}/etf_holdings.parquet', Parquet) WHERE etf = {ticker:String})
ORDER BY h.weight DESC, h.ticker, h.name
