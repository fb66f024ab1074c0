SELECT
  price,
  date,
  sum(size)::bigint AS volume,
  count(*) AS transactions,
  sum(ask_vol)::bigint AS ask_vol,
  sum(bid_vol)::bigint AS bid_vol,
  sum(mid_vol)::bigint AS mid_vol,
  sum(CASE WHEN upstream_condition_detail IN ('slcn', 'slci', 'mlct', 'tlct') THEN size ELSE 0 END)::bigint AS cross_vol,
  sum(CASE WHEN upstream_condition_detail IN ('slft', 'mlft', 'mfsl', 'tlft', 'tfsl') THEN size ELSE 0 END)::bigint
    AS floor_vol,
  sum(CASE WHEN upstream_condition_detail = 'isoi' THEN size ELSE 0 END)::bigint AS sweep_vol,
  sum(multi_vol)::bigint AS multi_vol
FROM option_trades
WHERE option_chain_id = $id AND date = $date::date AND NOT canceled
GROUP BY price, date
ORDER BY price
