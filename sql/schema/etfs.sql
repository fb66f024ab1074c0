-- etfs: what is known of an ETF from a day on, one row an ETF and day of change
-- partition: year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
CREATE TABLE etfs (
  ticker VARCHAR NOT NULL,      -- ticker of the ETF
  date DATE NOT NULL,           -- day from which the row holds, until the ETF's next one
  name VARCHAR NOT NULL,        -- name of the fund
  etf_company VARCHAR,          -- company that runs it
  domicile VARCHAR,             -- country of its domicile
  description VARCHAR,          -- what it holds and why
  website VARCHAR,              -- URL
  inception_date DATE,          -- first day of the fund
  expense_ratio DECIMAL(9, 4),  -- expense ratio in percent a year
  holdings_count INTEGER,       -- number of its holdings
  aum DECIMAL(18, 2),           -- assets under management, dollars
  has_options BOOLEAN           -- whether options on it are listed
);
