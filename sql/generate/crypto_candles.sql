-- One-minute candles of four pairs for the last 14 days up to the end of $to, with a few minutes missing as if without
-- a trade. A candle opens at the close of the previous minute. Paths are sums of integer multiples of 1e-9 in the
-- logarithm, which do not depend on the order of addition.
-- DuckDB combines the hashes of several arguments by exclusive or, so two draws that differ in one argument differ by
-- the same bits for every key. Draws that must be independent are therefore hashed again.
WITH pairs (pair, start, minutely, decimals, coins, missing) AS (
  VALUES
    ('BTC-USD', 94000.0, 0.0006, 2, 8.0, 2),
    ('ETH-USD', 3400.0, 0.0007, 2, 90.0, 2),
    ('SOL-USD', 190.0, 0.0009, 3, 1200.0, 5),
    ('DOGE-USD', 0.32, 0.0010, 5, 90000.0, 9)
),
steps AS (
  SELECT
    *,
    ($to - 13)::TIMESTAMP + to_minutes(minute) AS candle_start,
    hash(hash($seed, 'coin', pair, minute)) AS draw,
    round(1e9 * minutely * normal(draw, hash(draw)))::BIGINT AS step
  FROM pairs
  CROSS JOIN range(14 * 1440) AS minutes (minute)
),
walk AS (
  SELECT
    *,
    sum(step) OVER (PARTITION BY pair ORDER BY minute ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)::BIGINT AS climb
  FROM steps
),
-- One factor for all four prices before they are rounded alike: rounding preserves their order.
candles AS (
  SELECT
    *,
    round(start * exp((climb - step) / 1e9), decimals) AS open,
    round(
      start * exp((greatest(climb, climb - step) + 3e8 * minutely * unit(hash(xor(draw, 1::UBIGINT)))) / 1e9),
      decimals
    ) AS high,
    round(
      start * exp((least(climb, climb - step) - 3e8 * minutely * unit(hash(xor(draw, 2::UBIGINT)))) / 1e9),
      decimals
    ) AS low,
    round(start * exp(climb / 1e9), decimals) AS close
  FROM walk
)
SELECT
  pair,
  candle_start::DATE AS date,
  candle_start AS start,
  60 AS seconds,
  round(open, 10)::DECIMAL(18, 10) AS open,
  round(high, 10)::DECIMAL(18, 10) AS high,
  round(low, 10)::DECIMAL(18, 10) AS low,
  round(close, 10)::DECIMAL(18, 10) AS close,
  -- Volume is higher in minutes with large moves, and lowest at night in America and Europe.
  round(
    coins * (0.2 + abs(step) / (1e9 * minutely)) * (0.3 + unit(hash($seed, 'coin volume', pair, minute)))
      * (1.1 - cos(2 * pi() * (minute % 1440 - 240) / 1440)),
    8
  )::DECIMAL(28, 8) AS volume
FROM candles
WHERE hash($seed, 'coin missing', pair, minute) % 1000 >= missing
