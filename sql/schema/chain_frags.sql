-- chain_frags: activity of one contract in one five-minute interval: the streaming message ChainFrag
-- partition: day by date
-- key: start_time, option_symbol
-- sort: start_time, option_symbol
-- ranges: underlying_symbol
-- known: date; as its inputs
CREATE TABLE chain_frags (
  date DATE NOT NULL,                            -- trading date, New York
  underlying_symbol VARCHAR NOT NULL,            -- ticker of the underlying; the key of the message
  option_symbol VARCHAR NOT NULL,                -- option symbol in OSI notation
  start_time TIMESTAMP NOT NULL,                 -- start of the interval, on a five-minute boundary, UTC
  tape_time TIMESTAMP NOT NULL,                  -- time of the latest trade in the interval, UTC
  volume BIGINT NOT NULL,                        -- contracts traded in the interval; this and all other figures exclude cancelled trades
  total_volume BIGINT NOT NULL,                  -- contracts traded on the day so far
  open_interest BIGINT,                          -- open contracts before the session
  premium DECIMAL(18, 4) NOT NULL,               -- premium traded in the interval, dollars
  ask_side_volume BIGINT NOT NULL,               -- contracts traded on the ask side
  bid_side_volume BIGINT NOT NULL,               -- contracts traded on the bid side
  floor_volume BIGINT NOT NULL,                  -- contracts traded on the floor
  high DECIMAL(18, 4) NOT NULL,                  -- highest trade price, dollars per unit
  low DECIMAL(18, 4) NOT NULL,                   -- lowest trade price, dollars per unit
  open DECIMAL(18, 4) NOT NULL,                  -- price of the first trade, dollars per unit
  close DECIMAL(18, 4) NOT NULL,                 -- price of the last trade, dollars per unit
  iv DECIMAL(18, 10),                            -- implied volatility of the latest trade, annualised, as a fraction
  trades BIGINT NOT NULL,                        -- number of trades
  avg_price DECIMAL(18, 10) NOT NULL,            -- volume-weighted average price, dollars per unit
  mid_volume BIGINT NOT NULL,                    -- contracts traded at the midpoint
  sweep_volume BIGINT NOT NULL,                  -- contracts traded in intermarket sweeps
  cross_volume BIGINT NOT NULL,                  -- contracts traded in crosses
  stock_multi_leg_volume BIGINT NOT NULL,        -- contracts traded as part of an order with a stock leg
  no_side_vol BIGINT NOT NULL,                   -- contracts traded without a side
  multileg_volume BIGINT NOT NULL,               -- contracts traded as part of a multi-leg order
  underlying_price DECIMAL(18, 4),               -- price of the underlying at the latest trade, dollars
  total_premium DECIMAL(18, 4) NOT NULL,         -- premium traded on the day so far, dollars
  total_ask_side_volume BIGINT NOT NULL,         -- contracts traded on the ask side on the day so far
  total_bid_side_volume BIGINT NOT NULL,         -- contracts traded on the bid side on the day so far
  total_mid_volume BIGINT NOT NULL,              -- contracts traded at the midpoint on the day so far
  total_stock_multi_leg_volume BIGINT NOT NULL,  -- contracts traded as part of an order with a stock leg on the day so far
  total_neutral_volume BIGINT NOT NULL,          -- contracts traded at the midpoint or without a side on the day so far
  total_multileg_volume BIGINT NOT NULL,         -- contracts traded as part of a multi-leg order on the day so far
  delta DECIMAL(18, 10),                         -- delta of the latest trade
  gamma DECIMAL(18, 10)                          -- gamma of the latest trade
);
