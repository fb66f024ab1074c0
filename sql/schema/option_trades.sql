-- option_trades: trades of option contracts with the quote at execution, one row per trade
-- partition: day by date
-- key: id
-- sort: underlying_symbol, option_chain_id, executed_at
-- ranges: underlying_symbol, option_chain_id
-- known: date; exact to the day; a cancellation counts as known at the end of the day of the trade
CREATE TABLE option_trades (
  id UUID NOT NULL,                    -- trade id; if the source has none, a UUIDv5 of the natural key
  date DATE NOT NULL,                  -- trading date, New York
  underlying_symbol VARCHAR NOT NULL,  -- ticker of the underlying, in upper case
  option_chain_id VARCHAR NOT NULL,    -- option symbol in OSI notation, without spaces, e.g. AAPL240119C00190000
  option_symbol_id BIGINT,             -- numeric id of the contract, the same in every row of the contract
  option_type VARCHAR NOT NULL,        -- call or put
  strike DECIMAL(18, 3) NOT NULL,      -- strike in dollars
  expiry DATE NOT NULL,                -- expiry date
  multiplier INTEGER NOT NULL,         -- units of the underlying per contract, usually 100
  executed_at TIMESTAMP NOT NULL,      -- execution time, UTC, microseconds
  price DECIMAL(18, 4) NOT NULL,       -- fill price, dollars per unit
  size BIGINT NOT NULL,                -- number of contracts
  premium DECIMAL(18, 4) NOT NULL,     -- price × size × multiplier, dollars
  volume BIGINT NOT NULL,              -- contracts traded on the day up to and including this trade, excluding cancelled trades
  open_interest BIGINT,                -- open contracts before the session, from the clearing house; NULL if unknown
  underlying_price DECIMAL(18, 4),     -- price of the underlying at execution, dollars
  exchange VARCHAR,                    -- code of the executing exchange
  canceled BOOLEAN NOT NULL,           -- whether the trade was cancelled later
  is_agg BOOLEAN NOT NULL,             -- whether simultaneous executions are aggregated into this row
  ask_vol BIGINT NOT NULL,             -- contracts filled above the midpoint: size or 0
  bid_vol BIGINT NOT NULL,             -- contracts filled below the midpoint: size or 0
  mid_vol BIGINT NOT NULL,             -- contracts filled at the midpoint: size or 0
  no_side_vol BIGINT NOT NULL,         -- contracts without a side (no valid quote, or a late, out-of-sequence or cross print): size or 0
  multi_vol BIGINT NOT NULL,           -- contracts traded as part of a multi-leg order: size or 0
  stock_multi_vol BIGINT NOT NULL,     -- contracts traded as part of an order with a stock leg: size or 0
  nbbo_bid DECIMAL(18, 4),             -- national best bid at execution, dollars per unit
  nbbo_ask DECIMAL(18, 4),             -- national best ask at execution, dollars per unit
  nbbo_bid_size BIGINT,                -- contracts at the national best bid; NULL without quote metadata
  nbbo_ask_size BIGINT,                -- contracts at the national best ask; NULL without quote metadata
  nbbo_bid_time TIMESTAMP,             -- time of the last update of the national best bid, UTC
  nbbo_ask_time TIMESTAMP,             -- time of the last update of the national best ask, UTC
  ewma_nbbo_bid DECIMAL(18, 4),        -- exponentially weighted moving average of the national best bid, dollars per unit
  ewma_nbbo_ask DECIMAL(18, 4),        -- exponentially weighted moving average of the national best ask, dollars per unit
  delta DECIMAL(18, 10),               -- change in price per dollar change in the underlying
  gamma DECIMAL(18, 10),               -- change in delta per dollar change in the underlying
  theta DECIMAL(18, 10),               -- change in price per calendar day, dollars
  vega DECIMAL(18, 10),                -- change in price per point (0.01) of volatility, dollars
  rho DECIMAL(18, 10),                 -- change in price per point (0.01) of the interest rate, dollars
  theo DECIMAL(18, 4),                 -- theoretical value, dollars per unit
  implied_volatility DECIMAL(18, 10),  -- implied volatility of the fill price, annualised, as a fraction
  tags VARCHAR[] NOT NULL,             -- tags, e.g. ask_side, bullish
  report_flags VARCHAR[] NOT NULL,     -- report flags
  upstream_condition_detail VARCHAR,   -- sale condition as named on the tape: auto; sweep: isoi; floor: slft mlft mfsl tlft tfsl; cross: slcn slci mlct tlct; slan, …
  trade_code VARCHAR,                  -- trade code of the tape
  sale_condition VARCHAR,              -- additional condition: late, out_of_sequence or NULL
  multi_leg_id UUID                    -- id of the multi-leg order of this trade, a time-ordered UUID; NULL for a single-leg trade
);
