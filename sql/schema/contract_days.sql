-- contract_days: the screener's row: one contract and trading day, every contract that is listed, traded or carried over until it expires
-- partition: day by date
-- key: date, option_symbol
-- sort: underlying_symbol, option_symbol
-- ranges: underlying_symbol, option_symbol
CREATE TABLE contract_days (
  date DATE NOT NULL,                            -- trading day, New York
  underlying_symbol VARCHAR NOT NULL,            -- ticker of the underlying, upper-case
  option_symbol VARCHAR NOT NULL,                -- contract in OSI notation without blanks
  option_type VARCHAR NOT NULL,                  -- call or put
  strike DECIMAL(18, 3) NOT NULL,                -- strike in dollars
  expiry DATE NOT NULL,                          -- expiration day
  multiplier INTEGER NOT NULL,                   -- units of the underlying a contract
  dte INTEGER NOT NULL,                          -- calendar days from date to expiry
  volume BIGINT NOT NULL,                        -- contracts traded on the day, canceled trades left out as in all that follows; 0 when none
  trades BIGINT NOT NULL,                        -- number of trades
  premium DECIMAL(18, 4) NOT NULL,               -- sum of the trades' premiums, dollars
  ask_side_volume BIGINT NOT NULL,               -- contracts filled above the midpoint
  bid_side_volume BIGINT NOT NULL,               -- contracts filled below the midpoint
  mid_volume BIGINT NOT NULL,                    -- contracts filled at the midpoint
  no_side_volume BIGINT NOT NULL,                -- contracts without a side; the four add up to volume
  sweep_volume BIGINT NOT NULL,                  -- contracts in intermarket sweeps
  floor_volume BIGINT NOT NULL,                  -- contracts from the floor
  cross_volume BIGINT NOT NULL,                  -- contracts in crosses
  multileg_volume BIGINT NOT NULL,               -- contracts of multi-leg orders
  stock_multi_leg_volume BIGINT NOT NULL,        -- contracts traded against stock
  ask_side_premium DECIMAL(18, 4) NOT NULL,      -- premium of what was filled above the midpoint, dollars
  bid_side_premium DECIMAL(18, 4) NOT NULL,      -- premium of what was filled below the midpoint, dollars
  total_ask_changes BIGINT NOT NULL,             -- how often the best offer differs from that of the trade before
  total_bid_changes BIGINT NOT NULL,             -- how often the best bid differs from that of the trade before
  avg_price DECIMAL(18, 10),                     -- premium / (volume × multiplier), dollars a unit; NULL without a trade
  open DECIMAL(18, 4),                           -- price of the first trade, dollars a unit
  high DECIMAL(18, 4),                           -- highest price of a trade
  low DECIMAL(18, 4),                            -- lowest price of a trade
  close DECIMAL(18, 4),                          -- price of the last trade
  last_fill TIMESTAMP,                           -- time of the last trade, UTC
  chain_prev_close DECIMAL(18, 4),               -- close of the last earlier day on which the contract traded, dollars a unit
  open_interest BIGINT,                          -- contracts open before the day's session: the chain's figure, else that of the day's first trade
  prev_oi BIGINT,                                -- open interest of the session before
  bid DECIMAL(18, 4),                            -- the chain's last bid; without a chain, the best bid of the last trade
  ask DECIMAL(18, 4),                            -- the chain's last offer; without a chain, the best offer of the last trade
  stock_price DECIMAL(18, 4),                    -- the chain's price of the underlying; without a chain, that of the last trade
  iv DECIMAL(18, 10),                            -- implied volatility of the chain, a fraction a year; without a chain, of the last trade, as the greeks
  delta DECIMAL(18, 10),                         -- change of the price a dollar of the underlying
  gamma DECIMAL(18, 10),                         -- change of delta a dollar of the underlying
  theta DECIMAL(18, 10),                         -- change of the price a calendar day, dollars
  vega DECIMAL(18, 10),                          -- change of the price a point (0.01) of volatility, dollars
  roc DECIMAL(18, 10),                           -- return on capital of a short position: avg_price / margin; margin = max(0.20 × stock − out-of-the-money amount, 0.10 × stock (call) or 0.10 × strike (put))
  ticker_vol BIGINT NOT NULL,                    -- contracts traded on the day in all contracts of the underlying
  contract_30_d_avg_volume DECIMAL(18, 4),       -- mean daily volume over the up to 30 sessions before the day, those without a trade counted as 0; NULL on the contract's first day
  days_of_oi_increases INTEGER NOT NULL,         -- consecutive sessions up to the day on which open interest rose
  days_of_vol_greater_than_oi INTEGER NOT NULL,  -- consecutive sessions up to the day on which volume exceeded open interest (NULL taken as 0)
  ask_side_perc_7_day DECIMAL(18, 10),           -- of the days among the last 7 sessions on which the contract traded, the share with more ask-side than bid-side volume
  bid_side_perc_7_day DECIMAL(18, 10),           -- of the same days, the share with more bid-side than ask-side volume
  is_new BOOLEAN NOT NULL,                       -- whether no earlier session that the lake holds had the contract; false on the lake's first day
  recent_volumes BIGINT[] NOT NULL,              -- volumes of the last 30 sessions, this one last, since the contract's first: what the next day's averages are made from
  recent_sides VARCHAR[] NOT NULL,               -- of the last 7 sessions: ask, bid, even, or none without a trade; this one last
  full_name VARCHAR,                             -- name of the company or fund
  sector VARCHAR,                                -- sector of the underlying; NULL when unknown
  issue_type VARCHAR,                            -- kind of the underlying's security: Common Stock, ETF, Index, ADR, …
  marketcap DECIMAL(18, 2),                      -- market capitalisation in dollars; assets under management of an ETF
  ticker_30_d_avg_volume DECIMAL(24, 4),         -- mean daily volume of the underlying's stock over its last 30 sessions, shares
  next_earnings_date DATE,                       -- next earnings date known on the day
  er_time VARCHAR,                               -- time of that report: premarket, postmarket or unknown
  ex_dividend_date DATE                          -- the underlying's ex-dividend date, the latest known on the day
);
