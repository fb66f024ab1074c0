SELECT
  price,
  date,
  sum(size)::BIGINT AS volume,
  count(*) AS transactions,
  sum(ask_vol)::BIGINT AS ask_vol,
  sum(bid_vol)::BIGINT AS bid_vol,
  sum(mid_vol)::BIGINT AS mid_vol,
  sum(CASE WHEN upstream_condition_detail IN ('slcn', 'slci', 'mlct', 'tlct') THEN size ELSE 0 END)::BIGINT AS cross_vol,
  sum(CASE WHEN upstream_condition_detail IN ('slft', 'mlft', 'mfsl', 'tlft', 'tfsl') THEN size ELSE 0 END)::BIGINT
    AS floor_vol,
  sum(CASE WHEN upstream_condition_detail = 'isoi' THEN size ELSE 0 END)::BIGINT AS sweep_vol,
  sum(multi_vol)::BIGINT AS multi_vol
FROM option_trades_{day}
WHERE option_chain_id = $id AND date = $date::DATE AND NOT canceled
GROUP BY price, date
ORDER BY price
