-- tickers: what is known of a ticker from a day on, one row a ticker and day of change
-- partition: year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
CREATE TABLE tickers (
  ticker VARCHAR NOT NULL,            -- ticker symbol, upper-case
  date DATE NOT NULL,                 -- day from which the row holds, until the ticker's next one
  full_name VARCHAR NOT NULL,         -- name of the company or fund
  short_name VARCHAR,                 -- short name
  sector VARCHAR,                     -- sector, e.g. Technology; NULL when unknown or not applicable
  industry_type VARCHAR,              -- industry within the sector
  issue_type VARCHAR,                 -- Common Stock, ETF, Index, ADR, …
  marketcap DECIMAL(18, 2),           -- market capitalisation in dollars; assets under management of an ETF
  shares_outstanding DECIMAL(18, 2),  -- shares outstanding
  next_earnings_date DATE,            -- next earnings date known on the day
  er_time VARCHAR,                    -- time of that report: premarket, postmarket or unknown
  ex_dividend_date DATE,              -- ex-dividend date, the latest known on the day
  has_options BOOLEAN                 -- whether options on it are listed
);
