SELECT
  price,
  date,
  sum(size) AS volume,
  count(*) AS transactions,
  sum(ask_vol) AS ask_vol,
  sum(bid_vol) AS bid_vol,
  sum(mid_vol) AS mid_vol,
  sum(CASE WHEN upstream_condition_detail IN ('slcn', 'slci', 'mlct', 'tlct') THEN size ELSE 0 END) AS cross_vol,
  sum(CASE WHEN upstream_condition_detail IN ('slft', 'mlft', 'mfsl', 'tlft', 'tfsl') THEN size ELSE 0 END)
    AS floor_vol,
  sum(CASE WHEN upstream_condition_detail = 'isoi' THEN size ELSE 0 END) AS sweep_vol,
  sum(multi_vol) AS multi_vol
FROM option_trades
WHERE option_chain_id = :id AND date = :date AND NOT canceled
GROUP BY price, date
ORDER BY price
