-- flow_alerts: alerts raised by the flow rules, one row per alert
-- partition: day by date
-- key: id
-- sort: created_at, id
-- ranges: ticker, option_chain
-- known: date; as its inputs
CREATE TABLE flow_alerts (
  id UUID NOT NULL,                             -- UUIDv5 of the rule, the contract and the ids of the trades
  date DATE NOT NULL,                           -- trading date, New York
  alert_rule VARCHAR NOT NULL,                  -- name of the rule, e.g. RepeatedHits
  created_at TIMESTAMP NOT NULL,                -- time of the alert's last trade, UTC
  start_time TIMESTAMP NOT NULL,                -- time of the alert's first trade, UTC
  ticker VARCHAR NOT NULL,                      -- ticker of the underlying, in upper case
  option_chain VARCHAR NOT NULL,                -- option symbol in OSI notation
  type VARCHAR NOT NULL,                        -- call or put
  strike DECIMAL(18, 3) NOT NULL,               -- strike in dollars
  expiry DATE NOT NULL,                         -- expiry date
  expiry_count INTEGER NOT NULL,                -- number of distinct expiries among the trades; more than 1 only for multi-leg trades
  dte INTEGER NOT NULL,                         -- calendar days from date to expiry
  issue_type VARCHAR,                           -- type of the underlying's security
  price DECIMAL(18, 4) NOT NULL,                -- fill price of the last trade, dollars per unit
  bid DECIMAL(18, 4),                           -- national best bid at the last trade, dollars per unit
  ask DECIMAL(18, 4),                           -- national best ask at the last trade, dollars per unit
  underlying_price DECIMAL(18, 4),              -- price of the underlying at the last trade, dollars
  diff DECIMAL(18, 10),                         -- (strike − underlying_price) / underlying_price, negated for puts; positive is out of the money
  open_interest BIGINT,                         -- open contracts before the session
  volume BIGINT NOT NULL,                       -- contracts traded on the day up to and including the last trade
  volume_oi_ratio DECIMAL(18, 10) NOT NULL,     -- volume / open_interest; an open interest of 0 or NULL counts as 1
  total_size BIGINT NOT NULL,                   -- total size of the trades, contracts
  trade_count INTEGER NOT NULL,                 -- number of trades
  total_premium DECIMAL(18, 4) NOT NULL,        -- total premium of the trades, dollars
  total_ask_side_prem DECIMAL(18, 4) NOT NULL,  -- premium filled above the midpoint, dollars
  total_bid_side_prem DECIMAL(18, 4) NOT NULL,  -- premium filled below the midpoint, dollars
  all_opening_trades BOOLEAN NOT NULL,          -- whether size > open interest − (volume − size) holds for every trade
  has_floor BOOLEAN NOT NULL,                   -- whether any trade is a floor trade
  has_sweep BOOLEAN NOT NULL,                   -- whether any trade is an intermarket sweep
  has_multileg BOOLEAN NOT NULL,                -- whether any trade is part of a multi-leg order
  has_singleleg BOOLEAN NOT NULL,               -- whether any trade is not part of a multi-leg order
  iv_start DECIMAL(18, 10),                     -- implied volatility of the first trade, annualised, as a fraction
  iv_end DECIMAL(18, 10),                       -- implied volatility of the last trade, annualised, as a fraction
  marketcap DECIMAL(18, 2),                     -- market capitalisation in dollars as known on the day; for an ETF, assets under management
  sector VARCHAR,                               -- sector of the underlying
  next_earnings_date DATE,                      -- next earnings date as known on the day
  er_time VARCHAR,                              -- time of that earnings report: premarket, postmarket or unknown
  ex_dividend_date DATE,                        -- the underlying's latest ex-dividend date as known on the day
  trade_ids UUID[] NOT NULL,                    -- ids of the trades, in tape order
  ask_perc DECIMAL(38, 10),                     -- since 0.2.0: total_ask_side_prem / total_premium; NULL without premium. This and all shares and changes below are fractions, rounded half to even
  bid_perc DECIMAL(38, 10),                     -- since 0.2.0: total_bid_side_prem / total_premium; NULL without premium
  iv_change DECIMAL(38, 10),                    -- since 0.2.0: iv_end / iv_start − 1; NULL if either is unknown or iv_start is 0
  size_vol_ratio DECIMAL(38, 10),               -- since 0.2.0: total_size / volume; NULL if the volume is 0
  spread DECIMAL(38, 10),                       -- since 0.2.0: (ask − bid) / mid, mid being (ask + bid) / 2; NULL without both quotes or if mid is 0
  leading_side VARCHAR,                         -- since 0.2.0: ask if total_ask_side_prem is above total_bid_side_prem, bid if it is below, otherwise neither
  bull_perc DECIMAL(38, 10),                    -- since 0.2.0: ask_perc of a call, bid_perc of a put; NULL without premium
  bear_perc DECIMAL(38, 10),                    -- since 0.2.0: bid_perc of a call, ask_perc of a put; NULL without premium
  skew DECIMAL(38, 10),                         -- since 0.2.0: the greater of ask_perc and bid_perc; NULL without premium
  days_between_expiry_and_earnings INTEGER      -- since 0.2.0: expiry − next_earnings_date, calendar days; NULL if unknown
);
