-- multi_leg_legs: legs of multi-leg option orders, one row a leg
-- partition: day by date
-- key: multi_leg_id, option_symbol
-- sort: multi_leg_id, expiry, strike, option_type
-- ranges: multi_leg_id
CREATE TABLE multi_leg_legs (
  multi_leg_id UUID NOT NULL,          -- the order, time-ordered as UUIDv7
  date DATE NOT NULL,                  -- trading day, New York
  underlying_symbol VARCHAR NOT NULL,  -- ticker of the underlying
  option_symbol VARCHAR NOT NULL,      -- contract in OSI notation
  option_symbol_id BIGINT,             -- number of the contract
  option_type VARCHAR NOT NULL,        -- call or put
  strike DECIMAL(18, 3) NOT NULL,      -- strike in dollars
  expiry DATE NOT NULL,                -- expiration day
  side VARCHAR,                        -- dominant aggressor: ask or bid, by volume; NULL when neither leads
  size BIGINT NOT NULL,                -- contracts of the leg
  price DECIMAL(18, 10) NOT NULL,      -- size-weighted fill price, dollars a unit
  premium DECIMAL(18, 4) NOT NULL,     -- premium of the leg, dollars
  delta DECIMAL(18, 10),               -- size-weighted delta
  theta DECIMAL(18, 10),               -- size-weighted theta
  nbbo_bid DECIMAL(18, 10),            -- size-weighted best bid, dollars a unit
  nbbo_ask DECIMAL(18, 10),            -- size-weighted best offer, dollars a unit
  open_interest BIGINT,                -- contracts open before the session
  volume BIGINT NOT NULL               -- contract's volume of the day up to and with the leg's last trade
);
