-- option_trades: trades of option contracts with the quote they met, one row a trade
-- partition: day by date
-- key: id
-- sort: underlying_symbol, option_chain_id, executed_at
-- ranges: underlying_symbol, option_chain_id
CREATE TABLE option_trades (
  id UUID NOT NULL,                    -- trade id; where the source has none, a UUIDv5 of the natural key
  date DATE NOT NULL,                  -- trading day, New York
  underlying_symbol VARCHAR NOT NULL,  -- ticker of the underlying, upper-case
  option_chain_id VARCHAR NOT NULL,    -- contract in OSI notation without blanks, e.g. AAPL240119C00190000
  option_symbol_id BIGINT,             -- number of the contract, the same wherever the contract appears
  option_type VARCHAR NOT NULL,        -- call or put
  strike DECIMAL(18, 3) NOT NULL,      -- strike in dollars
  expiry DATE NOT NULL,                -- expiration day
  multiplier INTEGER NOT NULL,         -- units of the underlying a contract, 100 as a rule
  executed_at TIMESTAMP NOT NULL,      -- time of the execution, UTC, microseconds
  price DECIMAL(18, 4) NOT NULL,       -- fill price in dollars a unit
  size BIGINT NOT NULL,                -- contracts
  premium DECIMAL(18, 4) NOT NULL,     -- price × size × multiplier, dollars
  volume BIGINT NOT NULL,              -- contracts of this contract traded on the day up to and with this trade, canceled ones left out
  open_interest BIGINT,                -- contracts open before the day's session, from the clearing house; NULL when unknown
  underlying_price DECIMAL(18, 4),     -- price of the underlying at the execution, dollars
  exchange VARCHAR,                    -- code of the exchange that executed
  canceled BOOLEAN NOT NULL,           -- whether the trade was canceled later
  is_agg BOOLEAN NOT NULL,             -- whether simultaneous executions are combined into this row
  ask_vol BIGINT NOT NULL,             -- contracts filled above the midpoint: size or 0
  bid_vol BIGINT NOT NULL,             -- contracts filled below the midpoint: size or 0
  mid_vol BIGINT NOT NULL,             -- contracts filled at the midpoint: size or 0
  no_side_vol BIGINT NOT NULL,         -- contracts without a side (no valid quote; late, out-of-sequence and cross prints): size or 0
  multi_vol BIGINT NOT NULL,           -- contracts traded as part of a multi-leg order: size or 0
  stock_multi_vol BIGINT NOT NULL,     -- contracts traded against stock in one order: size or 0
  nbbo_bid DECIMAL(18, 4),             -- national best bid at the execution, dollars
  nbbo_ask DECIMAL(18, 4),             -- national best offer at the execution, dollars
  nbbo_bid_size BIGINT,                -- contracts at the best bid; NULL without quote metadata
  nbbo_ask_size BIGINT,                -- contracts at the best offer; NULL without quote metadata
  nbbo_bid_time TIMESTAMP,             -- last update of the best bid, UTC
  nbbo_ask_time TIMESTAMP,             -- last update of the best offer, UTC
  ewma_nbbo_bid DECIMAL(18, 4),        -- exponentially weighted moving average of the best bid, dollars
  ewma_nbbo_ask DECIMAL(18, 4),        -- exponentially weighted moving average of the best offer, dollars
  delta DECIMAL(18, 10),               -- change of the price a dollar of the underlying
  gamma DECIMAL(18, 10),               -- change of delta a dollar of the underlying
  theta DECIMAL(18, 10),               -- change of the price a calendar day, dollars
  vega DECIMAL(18, 10),                -- change of the price a point (0.01) of volatility, dollars
  rho DECIMAL(18, 10),                 -- change of the price a point (0.01) of interest, dollars
  theo DECIMAL(18, 4),                 -- theoretical value, dollars a unit
  implied_volatility DECIMAL(18, 10),  -- implied volatility of the fill price, a fraction a year
  tags VARCHAR[] NOT NULL,             -- tags, e.g. ask_side, bullish
  report_flags VARCHAR[] NOT NULL,     -- report flags
  upstream_condition_detail VARCHAR,   -- condition of the sale as the tape names it: auto, isoi (sweep), slan, floor: slft mlft mfsl tlft tfsl, cross: slcn slci mlct tlct, …
  trade_code VARCHAR,                  -- trade code of the tape
  sale_condition VARCHAR,              -- further condition: late, out_of_sequence or NULL
  multi_leg_id UUID                    -- the multi-leg order that this trade belongs to, time-ordered; NULL for a single leg
);
