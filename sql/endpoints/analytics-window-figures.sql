-- analytics-window-figures: the figures of an analytics response as rows, one number per row, in its order
SELECT
  calculation,
  symbol,
  nullif(other, '') AS other_symbol,
  bin::INTEGER AS bin,
  lower_edge,
  upper_edge,
  nullif(start_time, '')::TIMESTAMP AS start_time,
  nullif(end_time, '')::TIMESTAMP AS end_time,
  value
FROM (
  SELECT
    unnest($calculations) AS calculation,
    unnest($symbols) AS symbol,
    unnest($others) AS other,
    unnest($bins) AS bin,
    unnest($lowers) AS lower_edge,
    unnest($uppers) AS upper_edge,
    unnest($starts) AS start_time,
    unnest($ends) AS end_time,
    unnest($values) AS value
)
