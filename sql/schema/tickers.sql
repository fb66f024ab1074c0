-- tickers: profiles of companies and funds, one row per ticker and date of a change
-- partition: year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
-- known: date; the date from which the profile applies; Alpha Vantage's overviews without --date apply from the end of their latest quarter, and name, sector, industry and type from 1900 on
CREATE TABLE tickers (
  ticker VARCHAR NOT NULL,            -- ticker symbol, in upper case
  date DATE NOT NULL,                 -- date from which the row applies, until the ticker's next row
  full_name VARCHAR NOT NULL,         -- name of the company or fund
  short_name VARCHAR,                 -- short name
  sector VARCHAR,                     -- sector, e.g. Technology; NULL if unknown or not applicable
  industry_type VARCHAR,              -- industry within the sector
  issue_type VARCHAR,                 -- Common Stock, ETF, Index, ADR, …
  marketcap DECIMAL(18, 2),           -- market capitalisation in dollars; for an ETF, assets under management
  shares_outstanding DECIMAL(18, 2),  -- shares outstanding
  next_earnings_date DATE,            -- next earnings date as known on the date
  er_time VARCHAR,                    -- time of that earnings report: premarket, postmarket or unknown
  ex_dividend_date DATE,              -- latest ex-dividend date as known on the date
  has_options BOOLEAN                 -- whether it has listed options
);
