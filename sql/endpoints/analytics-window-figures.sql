-- analytics-window-figures: the figures of an analytics response as rows, one number per row, in its order
--
-- $figures is a JSON array of rows. A column that a row lacks is NULL there. The text is a column before it is read: as a
-- constant, it would be read several times while the statement is planned.
SELECT
  calculation,
  symbol,
  other_symbol,
  bin,
  lower_edge,
  upper_edge,
  start_time::TIMESTAMP AS start_time,
  end_time::TIMESTAMP AS end_time,
  value
FROM (
  SELECT
    unnest(
      from_json(
        figures,
        '[{
          "calculation": "VARCHAR",
          "symbol": "VARCHAR",
          "other_symbol": "VARCHAR",
          "bin": "INTEGER",
          "lower_edge": "DOUBLE",
          "upper_edge": "DOUBLE",
          "start_time": "VARCHAR",
          "end_time": "VARCHAR",
          "value": "DOUBLE"
        }]'
      ),
      recursive := true
    )
  FROM (SELECT $figures::VARCHAR AS figures)
)
