-- option_chain_days: end-of-day option chains, one row per listed contract and trading day
-- partition: day by date
-- key: date, option_symbol
-- sort: underlying_symbol, expiry, strike, option_type
-- ranges: underlying_symbol, option_symbol
-- known: date; exact to the day; open interest is from the morning before the session
CREATE TABLE option_chain_days (
  date DATE NOT NULL,                  -- trading date, New York
  underlying_symbol VARCHAR NOT NULL,  -- ticker of the underlying, in upper case
  option_symbol VARCHAR NOT NULL,      -- option symbol in OSI notation, without spaces
  option_type VARCHAR NOT NULL,        -- call or put
  strike DECIMAL(18, 3) NOT NULL,      -- strike in dollars
  expiry DATE NOT NULL,                -- expiry date
  multiplier INTEGER NOT NULL,         -- units of the underlying per contract
  settlement VARCHAR NOT NULL,         -- AM (settles at opening prices on the expiry date) or PM (settles at closing prices)
  bid DECIMAL(18, 4),                  -- last bid of the day, dollars per unit
  ask DECIMAL(18, 4),                  -- last ask of the day, dollars per unit
  last DECIMAL(18, 4),                 -- price of the last trade, of this day or an earlier one, dollars per unit
  volume BIGINT,                       -- contracts traded on the day, as reported in the chain
  open_interest BIGINT,                -- open contracts before the session, from the clearing house
  underlying_price DECIMAL(18, 4),     -- price of the underlying at the time of the chain's quotes, dollars
  implied_volatility DECIMAL(18, 10),  -- implied volatility, annualised, as a fraction; NULL if the source has none: option_greek_days has the computed one
  delta DECIMAL(18, 10),               -- change in price per dollar change in the underlying; this and the other greeks are NULL if the source has none: option_greek_days has the computed ones
  gamma DECIMAL(18, 10),               -- change in delta per dollar change in the underlying
  theta DECIMAL(18, 10),               -- change in price per calendar day, dollars
  vega DECIMAL(18, 10),                -- change in price per point (0.01) of volatility, dollars
  rho DECIMAL(18, 10),                 -- change in price per point (0.01) of the interest rate, dollars
  charm DECIMAL(18, 10),               -- change in delta per calendar day
  vanna DECIMAL(18, 10)                -- change in delta per point (0.01) of volatility
);
