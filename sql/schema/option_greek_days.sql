-- option_greek_days: implied volatility and greeks that the option chains lack, one row per listed contract and trading day
-- partition: day by date
-- key: date, option_symbol
-- sort: underlying_symbol, expiry, strike, option_type
-- ranges: underlying_symbol, option_symbol
-- known: date; as its inputs
CREATE TABLE option_greek_days (
  date DATE NOT NULL,                  -- trading date, New York
  underlying_symbol VARCHAR NOT NULL,  -- ticker of the underlying, in upper case
  option_symbol VARCHAR NOT NULL,      -- option symbol in OSI notation, without spaces
  option_type VARCHAR NOT NULL,        -- call or put
  strike DECIMAL(18, 3) NOT NULL,      -- strike in dollars
  expiry DATE NOT NULL,                -- expiry date
  settlement VARCHAR NOT NULL,         -- AM (settles at opening prices on the expiry date) or PM (settles at closing prices)
  underlying_price DECIMAL(18, 4),     -- price of the underlying in the chain, dollars
  figures_source VARCHAR,              -- where the contract's implied volatility is from: chain (the chain has it), midpoint (of its quotes) or last (its last trade); NULL if it has none
  price DECIMAL(18, 5),                -- price that the implied volatility is computed from, dollars per unit; NULL if the chain has it
  rate DECIMAL(18, 10),                -- interest rate to the expiry, continuously compounded, a fraction per year, that the row's figures are computed with; NULL if none is computed
  forward DECIMAL(18, 10),             -- forward price of the underlying at the expiry that the row's figures are computed with, dollars; NULL if none is computed
  implied_volatility DECIMAL(18, 10),  -- implied volatility, annualised, as a fraction; this and the greeks are NULL if the chain has them all
  delta DECIMAL(18, 10),               -- change in price per dollar change in the underlying; this and the other greeks are the chain's own where it has them
  gamma DECIMAL(18, 10),               -- change in delta per dollar change in the underlying
  theta DECIMAL(18, 10),               -- change in price per calendar day, dollars
  vega DECIMAL(18, 10),                -- change in price per point (0.01) of volatility, dollars
  rho DECIMAL(18, 10),                 -- change in price per point (0.01) of the interest rate, dollars
  charm DECIMAL(18, 10),               -- change in delta per calendar day
  vanna DECIMAL(18, 10)                -- change in delta per point (0.01) of volatility
);
