-- etfs: profiles of ETFs, one row per ETF and date of a change
-- partition: year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
-- known: date; the date from which the profile applies, which the source or --date states
CREATE TABLE etfs (
  ticker VARCHAR NOT NULL,      -- ticker of the ETF
  date DATE NOT NULL,           -- date from which the row applies, until the ETF's next row
  name VARCHAR NOT NULL,        -- name of the fund
  etf_company VARCHAR,          -- company that manages the fund
  domicile VARCHAR,             -- country of domicile
  description VARCHAR,          -- description of the fund
  website VARCHAR,              -- URL
  inception_date DATE,          -- date of the fund's inception
  expense_ratio DECIMAL(9, 4),  -- expense ratio, percent per year
  holdings_count INTEGER,       -- number of holdings
  aum DECIMAL(18, 2),           -- assets under management, dollars
  has_options BOOLEAN           -- whether it has listed options
);
