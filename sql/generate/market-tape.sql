-- market_tape: the trades of one portion of the day ($portion) in narrow rows, in the order of the lake's files:
-- contract, time, size, condition and position of the fill between bid and ask, with the price of the underlying and
-- the portion's volume so far.
WITH singles AS (
  SELECT
    number,
    ticker_number,
    filed,
    unnest(range(first_trade, end_trade)) AS trade
  FROM market_shares
  WHERE portion = $portion
),
drawn AS (
  SELECT
    number,
    ticker_number,
    filed,
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
    filed,
    trade,
    opens + to_microseconds(offset_us) AS executed_at,
    offset_us,
    offset_us AS quoted_us,
    -- Crosses and floor trades are larger.
    round(least(5000, pow(bulk, -0.8e0) * CASE WHEN code IN (4, 5, 6, 14, 15, 16) THEN 25 ELSE 1 END))::INTEGER AS size,
    -- Most fills are at the ask or the bid, some at or near the midpoint, one in seventy just outside (2, -2).
    (CASE
      WHEN side < 0.41 THEN 1
      WHEN side < 0.79 THEN 0
      WHEN side < 0.93 THEN 0.5
      WHEN side < 0.986 THEN inside
      WHEN side < 0.993 THEN 2
      ELSE -2
    END)::FLOAT AS aim,
    code,
    -- 2 in 1000 are cancelled; late and out of sequence 1 in 1000 each; some quotes are missing or lack metadata.
    (k >> 17) % 500 = 0 AS canceled,
    (CASE (k >> 27) % 1000 WHEN 0 THEN 1 WHEN 1 THEN 2 ELSE 0 END)::UTINYINT AS sale,
    (CASE WHEN (k >> 37) % 1000 = 0 THEN 2 WHEN (k >> 37) % 1000 < 6 THEN 1 ELSE 0 END)::UTINYINT AS blindness,
    NULL::UUID AS multi_leg_id
  FROM conditioned
  UNION ALL
  SELECT
    number,
    ticker_number,
    filed,
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
  JOIN market_shares USING (number)
  JOIN market_today USING (ticker_number)
  WHERE portion = $portion
  UNION ALL
  SELECT
    number,
    ticker_number,
    filed,
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
  JOIN market_shares USING (number)
  JOIN market_today USING (ticker_number)
  WHERE portion = $portion
),
named AS (
  SELECT
    * EXCLUDE (trade),
    -- Trade numbers of orders count down from -1, those of planted trades from -1,000,000,000,000.
    uuid_of(hash($seed, 'trade, id', $from, trade), hash($seed, 'trade, id, end', $from, trade)) AS id
  FROM orders
),
minutes AS (
  SELECT
    number AS ticker_number,
    minute::BIGINT AS minute,
    open::DOUBLE AS minute_open,
    close::DOUBLE AS minute_close
  FROM market_minutes
  WHERE date = $from
),
filed_in_order AS (
  SELECT
    named.*,
    minute_open,
    price_within(minute_open, minute_close, quoted_us) AS price_now
  FROM named
  JOIN minutes ON minutes.ticker_number = named.ticker_number AND minutes.minute = quoted_us // 60000000
  ORDER BY filed, executed_at, id
)
-- A window without its own ORDER BY processes the rows in their present order, which takes a tenth of the time of
-- sorting each contract's trades.
SELECT
  *,
  sum(CASE WHEN canceled THEN 0 ELSE size END) OVER (ROWS UNBOUNDED PRECEDING)::BIGINT AS total_volume
FROM filed_in_order
