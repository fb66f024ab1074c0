-- etf_holdings: holdings of ETFs, one row per holding and date of the list
-- partition: day by date
-- key: date, etf, name, ticker
-- sort: etf, weight, ticker
-- ranges: etf
-- known: weekday_after(date); issuers publish a list before the next session; a day early where that weekday is a holiday
CREATE TABLE etf_holdings (
  date DATE NOT NULL,              -- date of the list
  etf VARCHAR NOT NULL,            -- ticker of the ETF
  ticker VARCHAR NOT NULL,         -- ticker of the holding; empty for cash and similar holdings
  name VARCHAR NOT NULL,           -- name of the holding
  short_name VARCHAR,              -- short name
  type VARCHAR,                    -- type of the holding: stock, etf, bond, cash, …
  sector VARCHAR,                  -- sector; NULL if unknown or not applicable
  has_options BOOLEAN,             -- whether it has listed options
  weight DECIMAL(12, 6) NOT NULL,  -- weight as a percentage of the fund
  shares DECIMAL(18, 4) NOT NULL   -- number of units held
);
