-- chain_frags: activity of one contract in five minutes: the streaming message ChainFrag
-- partition: day by date
-- key: start_time, option_symbol
-- sort: start_time, option_symbol
-- ranges: underlying_symbol
CREATE TABLE chain_frags (
  date DATE NOT NULL,                            -- trading day, New York
  underlying_symbol VARCHAR NOT NULL,            -- ticker of the underlying: the message's key
  option_symbol VARCHAR NOT NULL,                -- contract in OSI notation
  start_time TIMESTAMP NOT NULL,                 -- start of the interval, on a five-minute mark of New York time, UTC
  tape_time TIMESTAMP NOT NULL,                  -- time of the interval's latest trade, UTC
  volume BIGINT NOT NULL,                        -- contracts traded in the interval, canceled trades left out as in all that follows
  total_volume BIGINT NOT NULL,                  -- contracts traded on the day so far
  open_interest BIGINT,                          -- contracts open before the session
  premium DECIMAL(18, 4) NOT NULL,               -- premium in the interval, dollars
  ask_side_volume BIGINT NOT NULL,               -- contracts on the ask side
  bid_side_volume BIGINT NOT NULL,               -- contracts on the bid side
  floor_volume BIGINT NOT NULL,                  -- contracts from the floor
  high DECIMAL(18, 4) NOT NULL,                  -- highest price of a trade, dollars a unit
  low DECIMAL(18, 4) NOT NULL,                   -- lowest price of a trade
  open DECIMAL(18, 4) NOT NULL,                  -- price of the first trade
  close DECIMAL(18, 4) NOT NULL,                 -- price of the last trade
  iv DECIMAL(18, 10),                            -- latest implied volatility, a fraction a year
  trades BIGINT NOT NULL,                        -- number of trades
  avg_price DECIMAL(18, 10) NOT NULL,            -- volume-weighted average price, dollars a unit
  mid_volume BIGINT NOT NULL,                    -- contracts at the midpoint
  sweep_volume BIGINT NOT NULL,                  -- contracts in intermarket sweeps
  cross_volume BIGINT NOT NULL,                  -- contracts in crosses
  stock_multi_leg_volume BIGINT NOT NULL,        -- contracts traded against stock
  no_side_vol BIGINT NOT NULL,                   -- contracts without a side
  multileg_volume BIGINT NOT NULL,               -- contracts of multi-leg orders
  underlying_price DECIMAL(18, 4),               -- price of the underlying at the latest trade, dollars
  total_premium DECIMAL(18, 4) NOT NULL,         -- premium of the day so far, dollars
  total_ask_side_volume BIGINT NOT NULL,         -- ask-side contracts of the day so far
  total_bid_side_volume BIGINT NOT NULL,         -- bid-side contracts of the day so far
  total_mid_volume BIGINT NOT NULL,              -- contracts at the midpoint, the day so far
  total_stock_multi_leg_volume BIGINT NOT NULL,  -- contracts traded against stock, the day so far
  total_neutral_volume BIGINT NOT NULL,          -- contracts on neither side (midpoint and without a side), the day so far
  total_multileg_volume BIGINT NOT NULL,         -- contracts of multi-leg orders, the day so far
  delta DECIMAL(18, 10),                         -- delta at the latest trade
  gamma DECIMAL(18, 10)                          -- gamma at the latest trade
);
