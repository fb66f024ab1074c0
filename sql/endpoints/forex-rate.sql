-- forex-rate: Exchange rate of two currencies
-- path: /api/forex/rate
-- subject: Economy and currencies
-- description: The price of one unit of `from` in `to`: the latest quote of the pair, else 1 / the latest inverse
--   quote, else the two rates crossed through USD, else through EUR. `rate` is the mid; the bid of an inverse quote is
--   1 / its ask. `bid` and `ask` are null where a quote is a reference rate, which has neither. `last_refreshed` is the
--   time of the older of two quotes. The rate of a currency to itself is 1, as of its latest quote. A currency without
--   quotes in the lake is a 422.
--
-- Every route has two legs, to a hub and on from it. The hub is $to itself, whose price in itself is 1, else USD, else
-- EUR. A leg is a fraction: quote / 1, or 1 / quote if it is inverse. The products of both legs are exact. Their text has
-- one nearest double, which a cast of a decimal with this many digits would miss.
WITH asked AS (
  SELECT
    $from AS source,
    $to AS target
),
quotes AS (
  SELECT
    base,
    quote,
    max(time) AS time,
    arg_max({rate: rate, bid: bid, ask: ask}, time) AS latest
  FROM read_parquet($fx_quotes, hive_partitioning = false)
  GROUP BY
    base,
    quote
),
-- Stored, so that it is not computed for each of the two legs.
legs AS MATERIALIZED (
  SELECT
    base AS source,
    quote AS target,
    false AS inverse,
    time,
    latest.rate,
    latest.bid,
    latest.ask,
    1.0::DECIMAL(18, 10) AS rate_divisor,
    1.0::DECIMAL(18, 10) AS bid_divisor,
    1.0::DECIMAL(18, 10) AS ask_divisor
  FROM quotes
  UNION ALL
  SELECT
    quote,
    base,
    true,
    time,
    1,
    1,
    1,
    latest.rate,
    latest.ask,
    latest.bid
  FROM quotes
  UNION ALL
  SELECT
    target,
    target,
    false,
    max(time),
    1,
    1,
    1,
    1,
    1,
    1
  FROM quotes
  JOIN asked ON target IN (base, quote)
  GROUP BY target
)
SELECT
  legs.source AS "from",
  onward.target AS "to",
  (legs.rate * onward.rate)::VARCHAR::DOUBLE / (legs.rate_divisor * onward.rate_divisor)::VARCHAR::DOUBLE AS rate,
  (legs.bid * onward.bid)::VARCHAR::DOUBLE / (legs.bid_divisor * onward.bid_divisor)::VARCHAR::DOUBLE AS bid,
  (legs.ask * onward.ask)::VARCHAR::DOUBLE / (legs.ask_divisor * onward.ask_divisor)::VARCHAR::DOUBLE AS ask,
  strftime(least(legs.time, onward.time), '%Y-%m-%d %H:%M:%S') AS last_refreshed,
  'UTC' AS time_zone
FROM asked
JOIN legs ON legs.source = asked.source AND list_contains([asked.target, 'USD', 'EUR'], legs.target)
JOIN legs AS onward ON onward.source = legs.target AND onward.target = asked.target
ORDER BY
  list_position([asked.target, 'USD', 'EUR'], legs.target),
  legs.inverse,
  onward.inverse
LIMIT 1
