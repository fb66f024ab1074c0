-- market_tape: the day's trades in narrow rows: contract, time, size, condition and where the fill lies between bid and
-- ask, with the running volume of the contract. Exactly $trades rows.
WITH shares AS (
  SELECT
    number,
    ticker_number,
    share,
    sum(share) OVER (ORDER BY number) AS until,
    sum(share) OVER () AS total,
    $trades - (SELECT count(*) FROM market_plants) - (SELECT count(*) FROM market_legs) AS singles
  FROM (
    -- Planted contracts have no other trades: nothing comes between those of a burst.
    SELECT
      number,
      ticker_number,
      CASE WHEN number IN (SELECT number FROM market_plants) THEN 0 ELSE weight END AS share
    FROM market_chain
  )
),
singles AS (
  SELECT
    number,
    ticker_number,
    unnest(range(((until - share) * singles // total)::BIGINT, (until * singles // total)::BIGINT)) AS trade
  FROM shares
),
drawn AS (
  SELECT
    number,
    ticker_number,
    trade,
    opens,
    span_us,
    hash($seed, 'trade', date, trade) AS h,
    hash($seed, 'trade, time', date, trade) AS t,
    hash($seed, 'trade, kind', date, trade) AS k
  FROM singles
  JOIN market_today USING (ticker_number)
),
conditioned AS (
  SELECT
    *,
    unit16(h, 1) AS side,
    unit16(h, 2) AS inside,
    unit16(h, 3) AS bulk,
    floor(span_us * moment(h, t))::BIGINT AS offset_us,
    (CASE
      WHEN unit16(k, 0) < 0.74 THEN 0
      WHEN unit16(k, 0) < 0.82 THEN 1
      WHEN unit16(k, 0) < 0.91 THEN 2
      WHEN unit16(k, 0) < 0.95 THEN 3
      WHEN unit16(k, 0) < 0.96 THEN 4
      WHEN unit16(k, 0) < 0.965 THEN 5
      WHEN unit16(k, 0) < 0.975 THEN 6
      WHEN unit16(k, 0) < 0.985 THEN 12
      WHEN unit16(k, 0) < 0.992 THEN 13
      WHEN unit16(k, 0) < 0.995 THEN 14
      WHEN unit16(k, 0) < 0.998 THEN 15
      ELSE 16
    END)::UTINYINT AS code
  FROM drawn
),
orders AS (
  SELECT
    number,
    ticker_number,
    trade,
    opens + to_microseconds(offset_us) AS executed_at,
    offset_us,
    offset_us AS quoted_us,
    -- Crosses and floor trades are larger.
    least(5000, pow(bulk, -0.8e0) * CASE WHEN code IN (4, 5, 6, 14, 15, 16) THEN 25 ELSE 1 END)::INTEGER AS size,
    -- Most fills are at the offer or the bid, some at the midpoint or between, one in seventy just outside (2, -2).
    (CASE
      WHEN side < 0.41 THEN 1
      WHEN side < 0.79 THEN 0
      WHEN side < 0.93 THEN 0.5
      WHEN side < 0.986 THEN inside
      WHEN side < 0.993 THEN 2
      ELSE -2
    END)::FLOAT AS aim,
    code,
    -- 2 in 1000 are canceled; late and out of sequence 1 in 1000 each; quotes are missing or lack their metadata.
    (k >> 17) % 500 = 0 AS canceled,
    (CASE (k >> 27) % 1000 WHEN 0 THEN 1 WHEN 1 THEN 2 ELSE 0 END)::UTINYINT AS sale,
    (CASE WHEN (k >> 37) % 1000 = 0 THEN 2 WHEN (k >> 37) % 1000 < 6 THEN 1 ELSE 0 END)::UTINYINT AS blindness,
    NULL::UUID AS multi_leg_id
  FROM conditioned
  UNION ALL
  SELECT
    number,
    ticker_number,
    -1 - (8 * number_of_order + leg),
    opens + to_microseconds(offset_us),
    offset_us,
    offset_us,
    size,
    aim,
    code,
    false,
    0,
    0,
    multi_leg_id
  FROM market_legs
  JOIN market_chain USING (number)
  JOIN market_today USING (ticker_number)
  UNION ALL
  SELECT
    number,
    ticker_number,
    -1000000000000 - (64 * (32 * copy + 2 * plan + part) + trade),
    opens + to_microseconds(offset_us),
    offset_us,
    quoted_us,
    size,
    aim,
    code,
    false,
    0,
    0,
    NULL
  FROM market_plants
  JOIN market_chain USING (number)
  JOIN market_today USING (ticker_number)
),
named AS (
  SELECT
    * EXCLUDE (trade),
    -- Orders and planted trades count downwards from -1 and from -1,000,000,000,000.
    uuid_of(hash($seed, 'trade, id', $from, trade), hash($seed, 'trade, id, end', $from, trade)) AS id
  FROM orders
)
SELECT
  *,
  sum(CASE WHEN canceled THEN 0 ELSE size END) OVER (PARTITION BY number ORDER BY executed_at, id ROWS UNBOUNDED PRECEDING)::BIGINT AS volume
FROM named
