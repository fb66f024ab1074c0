-- Order books of all outcomes of the markets in prediction_positions.sql, for each of the last three sessions: bids
-- below and asks above the day's price of the token, best first, with size growing away from it. Every eleventh token
-- has no bids, every thirteenth no asks. Token ids and prices are drawn as in prediction_positions.sql.
WITH days AS (
  SELECT date
  FROM market_sessions
  ORDER BY date DESC
  LIMIT 3
),
tokens AS (
  SELECT
    market,
    outcome = 1 AS is_no,
    2 * market + outcome AS token,
    round(0.08 + 0.84 * unit(hash($seed, 'token price', market)), 3) AS usual
  FROM range(45) AS markets (market)
  CROSS JOIN range(2) AS outcomes (outcome)
),
-- Prices as integers, in thousandths of a dollar.
priced AS (
  SELECT
    *,
    round(
      1000 * least(0.98, greatest(0.02, usual + 0.04 * (unit(hash($seed, 'token move', market, date)) - 0.5)))
    )::INTEGER AS yes_price,
    CASE WHEN is_no THEN 1000 - yes_price ELSE yes_price END AS price,
    hash(hash($seed, 'book', token, date)) AS draw,
    1 + (draw % 4)::INTEGER AS near
  FROM tokens
  CROSS JOIN days
),
-- Levels a few thousandths apart, between zero and one dollar.
levels AS (
  SELECT
    *,
    list_filter(
      list_transform(
        range(CASE WHEN token % 11 = 10 THEN 0 ELSE 5 + (draw >> 8) % 8 END::BIGINT),
        lambda i: price - near - 3 * i
      ),
      lambda p: p > 0
    ) AS bids,
    list_filter(
      list_transform(
        range(CASE WHEN token % 13 = 12 THEN 0 ELSE 5 + (draw >> 16) % 8 END::BIGINT),
        lambda i: price + near + 3 * i
      ),
      lambda p: p < 1000
    ) AS asks
  FROM priced
)
SELECT
  date,
  concat(
    '1',
    right(lpad(hash($seed, 'token 1', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 2', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 3', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 4', market, is_no)::VARCHAR, 20, '0'), 19)
  ) AS asset_id,
  date::TIMESTAMP + to_milliseconds(75600000 + (draw % 3600000)::BIGINT) AS timestamp,
  list_transform(bids, lambda p: round(p / 1000, 6)::DECIMAL(18, 6)) AS bid_prices,
  list_transform(
    bids,
    lambda p: round(100 + 40 * (price - p) * (0.5 + unit(hash($seed, 'bid size', token, date, p))), 2)::DECIMAL(18, 6)
  ) AS bid_sizes,
  list_transform(asks, lambda p: round(p / 1000, 6)::DECIMAL(18, 6)) AS ask_prices,
  list_transform(
    asks,
    lambda p: round(100 + 40 * (p - price) * (0.5 + unit(hash($seed, 'ask size', token, date, p))), 2)::DECIMAL(18, 6)
  ) AS ask_sizes
FROM levels
