-- contract-volume-profile: Volume profile of an option contract
-- path: /api/option-contract/{id}/volume-profile
-- subject: Option contracts
-- description: The volume of one contract on one day at each price: one record per fill price, ascending. The side of a
--   trade is its fill compared with the midpoint of the best bid and offer that is stored with the trade. Sweep, floor,
--   cross and multi-leg volumes overlap with the sides. Canceled trades are not counted.
--
-- Canceled trades are not counted. Sweep, floor and cross trades are recognised by their conditions on the OPRA tape.
SELECT
  price,
  date,
  sum(size)::BIGINT AS volume,
  count(*) AS transactions,
  sum(ask_vol)::BIGINT AS ask_vol,
  sum(bid_vol)::BIGINT AS bid_vol,
  sum(mid_vol)::BIGINT AS mid_vol,
  coalesce(sum(size) FILTER (WHERE is_cross(upstream_condition_detail)), 0)::BIGINT AS cross_vol,
  coalesce(sum(size) FILTER (WHERE is_floor(upstream_condition_detail)), 0)::BIGINT AS floor_vol,
  coalesce(sum(size) FILTER (WHERE is_sweep(upstream_condition_detail)), 0)::BIGINT AS sweep_vol,
  sum(multi_vol)::BIGINT AS multi_vol
FROM read_parquet($option_trades, hive_partitioning = false)
WHERE option_chain_id = $id
  AND date = $date
  AND NOT canceled
GROUP BY
  date,
  price
ORDER BY price
