SELECT
  h.ticker, h.name, h.short_name, h.type, coalesce(h.sector, '') AS sector, h.has_options, h.weight,
  round(h.shares)::BIGINT AS shares,
  s.open, s.high, s.low, s.close, s.previous_close AS prev_price, s.volume, s.avg30_volume, s.week52_high, s.week52_low,
  s.week52_high AS week_52_high, s.week52_low AS week_52_low, o.call_volume, o.put_volume, o.call_premium, o.put_premium,
  o.bullish_premium, o.bearish_premium
FROM etf_holdings AS h
LEFT JOIN stock_days AS s
  ON s.ticker = h.ticker AND s.date = (SELECT max(date) FROM stock_days)
LEFT JOIN option_ticker_days AS o
  ON o.ticker = h.ticker AND o.date = (SELECT max(date) FROM stock_days)
WHERE h.etf = $ticker
  AND h.date = (SELECT max(date) FROM etf_holdings WHERE etf = $ticker)
ORDER BY h.weight DESC, h.ticker, h.name
