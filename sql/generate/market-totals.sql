-- market_totals: volume and last price of each contract of a portion, from its trades in market_trades. The running
-- volume grows with every trade that counts, so its maximum is the day's volume and identifies the last such trade.
SELECT
  option_chain_id AS option_symbol,
  max(volume) AS volume,
  arg_max(price, volume) AS last
FROM market_trades
WHERE NOT canceled
GROUP BY option_chain_id
