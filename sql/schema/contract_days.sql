-- contract_days: the screener's rows: one row per option contract and trading day, from its first listing or trade to its expiry
-- partition: day by date
-- key: date, option_symbol
-- sort: underlying_symbol, option_symbol
-- ranges: underlying_symbol, option_symbol
-- known: date; as its inputs
CREATE TABLE contract_days (
  date DATE NOT NULL,                            -- trading date, New York
  underlying_symbol VARCHAR NOT NULL,            -- ticker of the underlying, in upper case
  option_symbol VARCHAR NOT NULL,                -- option symbol in OSI notation, without spaces
  option_type VARCHAR NOT NULL,                  -- call or put
  strike DECIMAL(18, 3) NOT NULL,                -- strike in dollars
  expiry DATE NOT NULL,                          -- expiry date
  multiplier INTEGER NOT NULL,                   -- units of the underlying per contract
  dte INTEGER NOT NULL,                          -- calendar days from date to expiry
  volume BIGINT NOT NULL,                        -- contracts traded on the day, 0 if none; without trades of the underlying in the lake, as the chain reports it; this and all other figures exclude cancelled trades
  trades BIGINT NOT NULL,                        -- number of trades in the lake
  premium DECIMAL(18, 4) NOT NULL,               -- total premium of the trades in the lake, dollars
  ask_side_volume BIGINT NOT NULL,               -- contracts filled above the midpoint
  bid_side_volume BIGINT NOT NULL,               -- contracts filled below the midpoint
  mid_volume BIGINT NOT NULL,                    -- contracts filled at the midpoint
  no_side_volume BIGINT NOT NULL,                -- contracts without a side, such as all those that only the chain reports; the four volumes by side add up to volume
  sweep_volume BIGINT NOT NULL,                  -- contracts traded in intermarket sweeps
  floor_volume BIGINT NOT NULL,                  -- contracts traded on the floor
  cross_volume BIGINT NOT NULL,                  -- contracts traded in crosses
  multileg_volume BIGINT NOT NULL,               -- contracts traded as part of a multi-leg order
  stock_multi_leg_volume BIGINT NOT NULL,        -- contracts traded as part of an order with a stock leg
  ask_side_premium DECIMAL(18, 4) NOT NULL,      -- premium filled above the midpoint, dollars
  bid_side_premium DECIMAL(18, 4) NOT NULL,      -- premium filled below the midpoint, dollars
  total_ask_changes BIGINT NOT NULL,             -- number of trades whose national best ask differs from that of the previous trade
  total_bid_changes BIGINT NOT NULL,             -- number of trades whose national best bid differs from that of the previous trade
  avg_price DECIMAL(18, 10),                     -- premium / (volume × multiplier), dollars per unit; NULL if the lake has no trade
  open DECIMAL(18, 4),                           -- price of the first trade, dollars per unit
  high DECIMAL(18, 4),                           -- highest trade price, dollars per unit
  low DECIMAL(18, 4),                            -- lowest trade price, dollars per unit
  close DECIMAL(18, 4),                          -- price of the last trade, dollars per unit
  last_fill TIMESTAMP,                           -- time of the last trade, UTC
  chain_prev_close DECIMAL(18, 4),               -- close of the last previous day on which the contract traded, dollars per unit
  open_interest BIGINT,                          -- open contracts before the session: from the chain, otherwise from the day's first trade
  prev_oi BIGINT,                                -- open interest of the previous session
  bid DECIMAL(18, 4),                            -- last bid of the chain; without a chain, the national best bid at the last trade, dollars per unit
  ask DECIMAL(18, 4),                            -- last ask of the chain; without a chain, the national best ask at the last trade, dollars per unit
  stock_price DECIMAL(18, 4),                    -- price of the underlying in the chain; without a chain, at the last trade, dollars
  iv DECIMAL(18, 10),                            -- implied volatility in the chain, otherwise the one of option_greek_days, annualised, as a fraction; without a chain, of the last trade (the greeks likewise)
  delta DECIMAL(18, 10),                         -- change in price per dollar change in the underlying
  gamma DECIMAL(18, 10),                         -- change in delta per dollar change in the underlying
  theta DECIMAL(18, 10),                         -- change in price per calendar day, dollars
  vega DECIMAL(18, 10),                          -- change in price per point (0.01) of volatility, dollars
  roc DECIMAL(18, 10),                           -- return on capital of a short position: avg_price / margin, where margin = max(0.20 × stock price − out-of-the-money amount, 0.10 × stock price (call) or 0.10 × strike (put))
  ticker_vol BIGINT NOT NULL,                    -- contracts traded on the day, over all contracts of the underlying
  contract_30_d_avg_volume DECIMAL(18, 4),       -- mean daily volume over up to 30 previous sessions, counting sessions without a trade as 0, and none whose volume is not known; NULL on the contract's first day
  days_of_oi_increases INTEGER NOT NULL,         -- number of consecutive sessions, ending with this one, in which open interest rose
  days_of_vol_greater_than_oi INTEGER NOT NULL,  -- number of consecutive sessions, ending with this one, in which volume exceeded open interest (NULL counts as 0); sessions whose volume is not known neither count nor interrupt
  ask_side_perc_7_day DECIMAL(18, 10),           -- of the last 7 sessions, those in which the contract traded: the fraction with more ask-side than bid-side volume
  bid_side_perc_7_day DECIMAL(18, 10),           -- of the same sessions, the fraction with more bid-side than ask-side volume
  is_new BOOLEAN NOT NULL,                       -- whether no previous session in the lake has the contract; false on the lake's first day
  recent_volumes BIGINT[] NOT NULL,              -- known volumes of up to 30 sessions since the contract's first, in order, ending with this one; input to the next day's averages
  recent_sides VARCHAR[] NOT NULL,               -- leading side of the last 7 sessions, in order, ending with this one: ask, bid, even, or none without a trade in the lake; as recent_volumes without sessions whose volume is not known
  full_name VARCHAR,                             -- name of the company or fund
  sector VARCHAR,                                -- sector of the underlying; NULL when unknown
  issue_type VARCHAR,                            -- type of the underlying's security: Common Stock, ETF, Index, ADR, …
  marketcap DECIMAL(18, 2),                      -- market capitalisation in dollars; for an ETF, assets under management
  ticker_30_d_avg_volume DECIMAL(24, 4),         -- mean daily volume of the underlying stock over its last 30 sessions, shares
  next_earnings_date DATE,                       -- next earnings date as known on the day
  er_time VARCHAR,                               -- time of that earnings report: premarket, postmarket or unknown
  ex_dividend_date DATE,                         -- the underlying's latest ex-dividend date as known on the day
  diff DECIMAL(38, 10),                          -- since 0.2.0: (strike − stock_price) / stock_price, negated for puts; positive is out of the money; NULL if the stock price is unknown or 0. This and all ratios, shares and changes below are fractions, rounded half to even
  ask_perc DECIMAL(38, 10),                      -- since 0.2.0: ask_side_volume / volume; NULL without volume
  bid_perc DECIMAL(38, 10),                      -- since 0.2.0: bid_side_volume / volume; NULL without volume
  bid_ask_vol BIGINT,                            -- since 0.2.0: ask_side_volume − bid_side_volume, contracts
  bull_bear_vol BIGINT,                          -- since 0.2.0: bid_ask_vol of a call, −bid_ask_vol of a put, contracts
  multileg_volume_ratio DECIMAL(38, 10),         -- since 0.2.0: multileg_volume / volume; NULL without volume
  total_multileg_volume_ratio DECIMAL(38, 10),   -- since 0.2.0: (multileg_volume + stock_multi_leg_volume) / volume; NULL without volume
  floor_volume_ratio DECIMAL(38, 10),            -- since 0.2.0: floor_volume / volume; NULL without volume
  sweep_volume_ratio DECIMAL(38, 10),            -- since 0.2.0: sweep_volume / volume; NULL without volume
  volume_ticker_vol_ratio DECIMAL(38, 10),       -- since 0.2.0: volume / ticker_vol; NULL if no contract of the underlying traded
  volume_oi_ratio DECIMAL(38, 10),               -- since 0.2.0: volume / open_interest, an open interest of 0 counts as 1; NULL if the open interest is unknown
  oi_change BIGINT,                              -- since 0.2.0: open_interest − prev_oi, contracts; NULL if either is unknown
  oi_change_perc DECIMAL(38, 10),                -- since 0.2.0: oi_change / prev_oi; NULL if either is unknown or prev_oi is 0
  perc_change DECIMAL(38, 10),                   -- since 0.2.0: close / chain_prev_close − 1; NULL without a trade on the day or before
  daily_perc_change DECIMAL(38, 10),             -- since 0.2.0: close / open − 1; NULL without a trade
  from_high_perc DECIMAL(38, 10),                -- since 0.2.0: close / high − 1; NULL without a trade
  from_low_perc DECIMAL(38, 10),                 -- since 0.2.0: close / low − 1; NULL without a trade
  spread DECIMAL(38, 10),                        -- since 0.2.0: (ask − bid) / mid, mid being (ask + bid) / 2; NULL without both quotes or if mid is 0
  earnings_dte INTEGER,                          -- since 0.2.0: next_earnings_date − date, calendar days; NULL if unknown
  days_between_expiry_and_earnings INTEGER,      -- since 0.2.0: expiry − next_earnings_date, calendar days; NULL if unknown
  skew_perc DECIMAL(38, 10),                     -- since 0.2.0: the greater of ask_perc and bid_perc; NULL without volume
  bull_perc DECIMAL(38, 10),                     -- since 0.2.0: ask_perc of a call, bid_perc of a put; NULL without volume
  bear_perc DECIMAL(38, 10)                      -- since 0.2.0: bid_perc of a call, ask_perc of a put; NULL without volume
);
