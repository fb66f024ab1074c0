-- option_chain_days: end-of-day option chains, one row a listed contract and trading day
-- partition: day by date
-- key: date, option_symbol
-- sort: underlying_symbol, expiry, strike, option_type
-- ranges: underlying_symbol, option_symbol
CREATE TABLE option_chain_days (
  date DATE NOT NULL,                  -- trading day, New York
  underlying_symbol VARCHAR NOT NULL,  -- ticker of the underlying, upper-case
  option_symbol VARCHAR NOT NULL,      -- contract in OSI notation without blanks
  option_type VARCHAR NOT NULL,        -- call or put
  strike DECIMAL(18, 3) NOT NULL,      -- strike in dollars
  expiry DATE NOT NULL,                -- expiration day
  multiplier INTEGER NOT NULL,         -- units of the underlying a contract
  settlement VARCHAR NOT NULL,         -- AM (opening prices of the expiration day) or PM (its closing prices)
  bid DECIMAL(18, 4),                  -- last bid of the day, dollars a unit
  ask DECIMAL(18, 4),                  -- last offer of the day, dollars a unit
  last DECIMAL(18, 4),                 -- price of the day's last trade, dollars a unit
  volume BIGINT,                       -- contracts traded on the day as the chain reports it
  open_interest BIGINT,                -- contracts open before the day's session, from the clearing house
  underlying_price DECIMAL(18, 4),     -- price of the underlying at the chain's quotes, dollars
  implied_volatility DECIMAL(18, 10),  -- fraction a year; computed from the midpoint where the source has none
  delta DECIMAL(18, 10),               -- change of the price a dollar of the underlying; computed where the source has none, as all that follow
  gamma DECIMAL(18, 10),               -- change of delta a dollar of the underlying
  theta DECIMAL(18, 10),               -- change of the price a calendar day, dollars
  vega DECIMAL(18, 10),                -- change of the price a point (0.01) of volatility, dollars
  rho DECIMAL(18, 10),                 -- change of the price a point (0.01) of interest, dollars
  charm DECIMAL(18, 10),               -- change of delta a calendar day
  vanna DECIMAL(18, 10)                -- change of delta a point (0.01) of volatility
);
