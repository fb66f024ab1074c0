-- market_shares: the assignment of the day's trades to contracts and to the lake's files. Single trades are numbered
-- from 0 and assigned to contracts in proportion to their weight, by rounding the running sum: no draw. A large day is
-- made in portions of one file each, consecutive by ticker and symbol, so that a contract's trades are in one portion.
WITH planted AS (
  SELECT
    number,
    count(*) AS trades
  FROM market_plants
  GROUP BY number
),
ordered AS (
  SELECT
    number,
    count(*) AS trades
  FROM market_legs
  GROUP BY number
),
weighed AS (
  SELECT
    chain.number,
    ticker_number,
    row_number() OVER (ORDER BY ticker, option_symbol) AS filed,
    coalesce(planted.trades, 0) + coalesce(ordered.trades, 0) AS other_trades,
    -- Planted contracts have no other trades, so nothing interrupts a burst.
    CASE WHEN planted.number IS NULL THEN weight ELSE 0 END AS share
  FROM market_chain AS chain
  LEFT JOIN planted USING (number)
  LEFT JOIN ordered USING (number)
),
summed AS (
  SELECT
    *,
    (sum(share) OVER (ORDER BY number))::BIGINT AS until,
    (sum(share) OVER ())::BIGINT AS total,
    ($trades - sum(other_trades) OVER ())::BIGINT AS singles
  FROM weighed
),
dealt AS (
  SELECT
    number,
    ticker_number,
    filed,
    other_trades,
    share_of(until - share, total, singles) AS first_trade,
    share_of(until, total, singles) AS end_trade
  FROM summed
)
SELECT
  number,
  ticker_number,
  filed,
  first_trade,
  end_trade,
  other_trades,
  -- Assigned by the contract's last trade: a portion has at most $portion_trades plus those of one contract.
  (greatest(0, (sum(end_trade - first_trade + other_trades) OVER (ORDER BY filed))::BIGINT - 1) // $portion_trades)::INTEGER AS portion
FROM dealt
