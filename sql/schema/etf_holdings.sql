-- etf_holdings: holdings of ETFs, one row a holding and day of the list
-- partition: day by date
-- key: date, etf, name, ticker
-- sort: etf, weight, ticker
-- ranges: etf
CREATE TABLE etf_holdings (
  date DATE NOT NULL,              -- day of the list
  etf VARCHAR NOT NULL,            -- ticker of the ETF
  ticker VARCHAR NOT NULL,         -- ticker of the holding; empty for cash and the like
  name VARCHAR NOT NULL,           -- name of the holding
  short_name VARCHAR,              -- short name
  type VARCHAR,                    -- kind of the holding: stock, etf, bond, cash, …
  sector VARCHAR,                  -- sector; NULL when unknown or not applicable
  has_options BOOLEAN,             -- whether options on it are listed
  weight DECIMAL(12, 6) NOT NULL,  -- weight in percent of the fund
  shares DECIMAL(18, 4) NOT NULL   -- units held
);
