-- market_legs: legs of the day's multi-leg orders, about 3 orders per hundred trades, one row per leg. All legs of an
-- order have the same underlying and execution time.
WITH patterns (strategy, leg, other_type, shift, is_later, ratio, aim) AS (
  -- A leg is the order's contract moved by strikes, to the other type or to the next expiry; aims are of opposite
  -- sides.
  VALUES
    (0, 0, false, 0, false, 1, 0.9), (0, 1, false, 1, false, 1, 0.1),
    (1, 0, false, 0, false, 1, 0.9), (1, 1, true, 0, false, 1, 0.9),
    (2, 0, false, 0, false, 1, 0.1), (2, 1, false, 0, true, 1, 0.9),
    (3, 0, false, 0, false, 1, 0.1), (3, 1, true, 2, false, 1, 0.1),
    (4, 0, false, 0, false, 1, 0.9), (4, 1, false, 1, false, 2, 0.1), (4, 2, false, 2, false, 1, 0.9),
    (5, 0, false, 0, false, 1, 0.1), (5, 1, false, 1, false, 1, 0.9),
    (5, 2, true, -1, false, 1, 0.9), (5, 3, true, -2, false, 1, 0.1)
),
-- Orders are assigned to contracts in proportion to their weight, by rounding the running sum: no draw, no join.
shares AS (
  SELECT
    *,
    (sum(share) OVER (ORDER BY number))::BIGINT AS until,
    greatest(1, sum(share) OVER ())::BIGINT AS total
  FROM (
    SELECT
      *,
      -- An order needs two strikes on either side.
      CASE WHEN place BETWEEN 3 AND places - 2 AND number NOT IN (SELECT number FROM market_plants) THEN weight ELSE 0 END
        AS share
    FROM market_chain
  )
),
orders AS (
  SELECT
    *,
    unnest(range(
      share_of(until - share, total, $trades * 3 // 100),
      share_of(until, total, $trades * 3 // 100)
    )) AS number_of_order
  FROM shares
),
drawn AS (
  SELECT
    orders.*,
    hash($seed, 'order', orders.date, number_of_order) AS h,
    hash($seed, 'order, time', orders.date, number_of_order) AS t,
    opens,
    span_us
  FROM orders
  JOIN market_today USING (ticker_number)
),
timed AS (
  SELECT
    *,
    -- A calendar spread needs a next expiry; without one the order is a vertical spread.
    CASE WHEN (h >> 24) % 6 = 2 AND later IS NULL THEN 0 ELSE (h >> 24) % 6 END AS strategy,
    floor(span_us * moment(h, t))::BIGINT AS offset_us,
    round(least(2000, pow(unit16(h, 2), -0.8e0)))::BIGINT AS size,
    -- mlet, mlat, mlct, mlft, mfsl.
    (CASE
      WHEN unit16(h, 3) < 0.62 THEN 7
      WHEN unit16(h, 3) < 0.87 THEN 8
      WHEN unit16(h, 3) < 0.92 THEN 9
      WHEN unit16(h, 3) < 0.98 THEN 10
      ELSE 11
    END)::UTINYINT AS code
  FROM drawn
),
legs AS (
  SELECT
    timed.* EXCLUDE (strategy, size),
    timed.size * ratio AS size,
    leg,
    is_later,
    -- Half of the orders are the mirror image of the pattern.
    CASE WHEN t % 2 = 0 THEN aim ELSE 1 - aim END AS aim,
    place + shift AS leg_place,
    is_call <> other_type AS leg_is_call
  FROM timed
  JOIN patterns USING (strategy)
)
SELECT
  CASE WHEN is_later THEN legs.later ELSE chain.number END AS number,
  number_of_order,
  leg,
  offset_us,
  legs.size::BIGINT AS size,
  aim,
  code,
  uuid_at(opens + to_microseconds(offset_us), h, t) AS multi_leg_id
FROM legs
JOIN market_chain AS chain
  ON chain.ticker_number = legs.ticker_number AND chain.expiry = legs.expiry
  AND chain.place = leg_place AND chain.is_call = leg_is_call
