-- multi_leg_legs: legs of multi-leg option orders, one row per leg
-- partition: day by date
-- key: multi_leg_id, option_symbol
-- sort: multi_leg_id, expiry, strike, option_type
-- ranges: multi_leg_id
-- known: date; as its inputs
CREATE TABLE multi_leg_legs (
  multi_leg_id UUID NOT NULL,          -- id of the order, a time-ordered UUIDv7
  date DATE NOT NULL,                  -- trading date, New York
  underlying_symbol VARCHAR NOT NULL,  -- ticker of the underlying
  option_symbol VARCHAR NOT NULL,      -- option symbol in OSI notation
  option_symbol_id BIGINT,             -- numeric id of the contract
  option_type VARCHAR NOT NULL,        -- call or put
  strike DECIMAL(18, 3) NOT NULL,      -- strike in dollars
  expiry DATE NOT NULL,                -- expiry date
  side VARCHAR,                        -- dominant aggressor side by volume: ask or bid; NULL if neither leads
  size BIGINT NOT NULL,                -- size of the leg, contracts
  price DECIMAL(18, 10) NOT NULL,      -- size-weighted fill price, dollars per unit
  premium DECIMAL(18, 4) NOT NULL,     -- premium of the leg, dollars
  delta DECIMAL(18, 10),               -- size-weighted delta
  theta DECIMAL(18, 10),               -- size-weighted theta
  nbbo_bid DECIMAL(18, 10),            -- size-weighted national best bid, dollars per unit
  nbbo_ask DECIMAL(18, 10),            -- size-weighted national best ask, dollars per unit
  open_interest BIGINT,                -- open contracts before the session
  volume BIGINT NOT NULL               -- contracts traded on the day up to and including the leg's last trade
);
