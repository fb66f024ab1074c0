-- institution_holdings: holdings as reported on SEC Form 13F, one row per position, report date and filing date
-- partition: day by report_date
-- key: report_date, cik, cusip, security_type, put_call, filing_date
-- sort: cik, ticker, security_type, put_call
-- ranges: cik, ticker
-- known: filing_date; exact to the day; for earlier quarters of an investor the day on which the report was due (17 CFR 240.13f-1)
CREATE TABLE institution_holdings (
  report_date DATE NOT NULL,       -- last day of the reporting period
  filing_date DATE NOT NULL,       -- date of the filing
  cik VARCHAR NOT NULL,            -- Central Index Key (CIK) of the institution, without leading zeros
  institution_name VARCHAR,        -- name of the institution as filed
  cusip VARCHAR NOT NULL,          -- CUSIP of the security
  ticker VARCHAR NOT NULL,         -- ticker; the CUSIP if no ticker is known
  full_name VARCHAR,               -- name of the issuer
  title_of_class VARCHAR,          -- title of class as filed, e.g. COM
  security_type VARCHAR NOT NULL,  -- Share, Option, Fund, Preferred, Debt or Warrant
  put_call VARCHAR NOT NULL,       -- call or put; empty if neither
  units BIGINT NOT NULL,           -- number of shares, or principal amount in dollars
  value DECIMAL(18, 2) NOT NULL,   -- value on the report date, dollars
  filing_kind VARCHAR              -- since 0.2.0: report (replaces all earlier filings for the report date), addition (adds to them) or undated (the source has no filing date; any report replaces it). NULL: it replaces earlier rows of its own position, and adds to the rest
);
