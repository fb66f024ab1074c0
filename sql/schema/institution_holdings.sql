-- institution_holdings: holdings as reported on Form 13F, one row a position and report date
-- partition: day by report_date
-- key: report_date, cik, cusip, security_type, put_call
-- sort: cik, ticker, security_type, put_call
-- ranges: cik, ticker
CREATE TABLE institution_holdings (
  report_date DATE NOT NULL,       -- last day of the period reported on
  filing_date DATE NOT NULL,       -- day of the filing
  cik VARCHAR NOT NULL,            -- Central Index Key of the institution without leading zeros
  institution_name VARCHAR,        -- name of the institution as filed
  cusip VARCHAR NOT NULL,          -- CUSIP of the security
  ticker VARCHAR NOT NULL,         -- ticker; the CUSIP where no ticker is known
  full_name VARCHAR,               -- name of the issuer
  title_of_class VARCHAR,          -- class as filed, e.g. COM
  security_type VARCHAR NOT NULL,  -- Share, Option, Fund, Preferred, Debt or Warrant
  put_call VARCHAR NOT NULL,       -- call or put; empty when neither
  units BIGINT NOT NULL,           -- units held: shares, or principal in dollars
  value DECIMAL(18, 2) NOT NULL    -- value on the report date, dollars
);
