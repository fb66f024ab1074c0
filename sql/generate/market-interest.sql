-- market_interest: the state of each contract for the next session: its busiest day so far, and its open interest,
-- which changes by openings minus closings and so by at most the day's volume.
SELECT
  option_symbol_id,
  greatest(
    0,
    open_interest
    + round(coalesce(totals.volume, 0) * (1.5 * unit(hash($seed, 'opening', option_symbol_id, date)) - 0.6))::BIGINT
  ) AS open_interest,
  greatest(coalesce(peak_volume, 0), coalesce(totals.volume, 0)) AS peak_volume
FROM market_chain AS chain
LEFT JOIN market_totals AS totals USING (option_symbol)
