-- flow_alerts: alerts that the flow rules raise, one row an alert
-- partition: day by date
-- key: id
-- sort: created_at, id
-- ranges: ticker, option_chain
CREATE TABLE flow_alerts (
  id UUID NOT NULL,                             -- UUIDv5 of rule, contract and the ids of its trades
  date DATE NOT NULL,                           -- trading day, New York
  alert_rule VARCHAR NOT NULL,                  -- rule, e.g. RepeatedHits
  created_at TIMESTAMP NOT NULL,                -- time of the last trade of the alert, UTC
  start_time TIMESTAMP NOT NULL,                -- time of its first trade, UTC
  ticker VARCHAR NOT NULL,                      -- ticker of the underlying, upper-case
  option_chain VARCHAR NOT NULL,                -- contract in OSI notation
  type VARCHAR NOT NULL,                        -- call or put
  strike DECIMAL(18, 3) NOT NULL,               -- strike in dollars
  expiry DATE NOT NULL,                         -- expiration day
  expiry_count INTEGER NOT NULL,                -- different expiries among the trades; more than 1 only for multi-leg trades
  dte INTEGER NOT NULL,                         -- calendar days from date to expiry
  issue_type VARCHAR,                           -- kind of the underlying's security
  price DECIMAL(18, 4) NOT NULL,                -- fill price of the last trade, dollars a unit
  bid DECIMAL(18, 4),                           -- best bid at the last trade, dollars a unit
  ask DECIMAL(18, 4),                           -- best offer at the last trade, dollars a unit
  underlying_price DECIMAL(18, 4),              -- price of the underlying at the last trade, dollars
  diff DECIMAL(18, 10),                         -- (strike − underlying_price) / underlying_price, negated for puts: positive is out of the money
  open_interest BIGINT,                         -- contracts open before the session
  volume BIGINT NOT NULL,                       -- contract's volume of the day up to and with the last trade
  volume_oi_ratio DECIMAL(18, 10) NOT NULL,     -- volume / open_interest, an open interest of 0 or NULL taken as 1
  total_size BIGINT NOT NULL,                   -- sum of the trades' sizes, contracts
  trade_count INTEGER NOT NULL,                 -- number of trades
  total_premium DECIMAL(18, 4) NOT NULL,        -- premium of the trades, dollars
  total_ask_side_prem DECIMAL(18, 4) NOT NULL,  -- premium filled above the midpoint, dollars
  total_bid_side_prem DECIMAL(18, 4) NOT NULL,  -- premium filled below the midpoint, dollars
  all_opening_trades BOOLEAN NOT NULL,          -- whether for each trade size > open interest − (volume − size)
  has_floor BOOLEAN NOT NULL,                   -- whether a trade comes from the floor
  has_sweep BOOLEAN NOT NULL,                   -- whether a trade is an intermarket sweep
  has_multileg BOOLEAN NOT NULL,                -- whether a trade is part of a multi-leg order
  has_singleleg BOOLEAN NOT NULL,               -- whether a trade is not part of one
  iv_start DECIMAL(18, 10),                     -- implied volatility of the first trade, a fraction a year
  iv_end DECIMAL(18, 10),                       -- implied volatility of the last trade
  marketcap DECIMAL(18, 2),                     -- market capitalisation in dollars known on the day; assets of an ETF
  sector VARCHAR,                               -- sector of the underlying
  next_earnings_date DATE,                      -- next earnings date known on the day
  er_time VARCHAR,                              -- premarket, postmarket or unknown
  ex_dividend_date DATE,                        -- the underlying's ex-dividend date, the latest known on the day
  trade_ids UUID[] NOT NULL                     -- ids of the trades, in the order of the tape
);
