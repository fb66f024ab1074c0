-- institution_positions: an institution's position and its history, one row a position and report date; one that was closed since the report before stands with 0 units
-- partition: day by report_date
-- key: report_date, cik, ticker, security_type, put_call
-- sort: cik, ticker, security_type, put_call
-- ranges: cik, ticker
CREATE TABLE institution_positions (
  report_date DATE NOT NULL,           -- last day of the period reported on
  filing_date DATE NOT NULL,           -- day of the filing
  cik VARCHAR NOT NULL,                -- Central Index Key of the institution without leading zeros
  ticker VARCHAR NOT NULL,             -- ticker; the CUSIP where no ticker is known
  full_name VARCHAR,                   -- name of the issuer
  sector VARCHAR,                      -- sector of the ticker on the report date; NULL when unknown
  security_type VARCHAR NOT NULL,      -- Share, Option, Fund, Preferred, Debt or Warrant
  put_call VARCHAR NOT NULL,           -- call or put; empty when neither
  units BIGINT NOT NULL,               -- units held; 0 when closed since the report before
  previous_units BIGINT NOT NULL,      -- units in the institution's report before; 0 when not held
  units_change BIGINT NOT NULL,        -- units − previous_units
  historical_units BIGINT[] NOT NULL,  -- units in the last up to 8 reports of the institution, newest first, this one included, 0 where not held, back to the first purchase
  value DECIMAL(18, 2) NOT NULL,       -- value on the report date, dollars
  first_buy DATE NOT NULL,             -- report date since which the position has been held without a break
  price_first_buy DECIMAL(18, 6),      -- close of the ticker on that date or the last session before it, dollars
  avg_price DECIMAL(18, 10),           -- average price paid: increases at the close of their report dates, decreases at the average; NULL without prices
  close DECIMAL(18, 6),                -- close of the ticker on the report date or the last session before it, dollars
  shares_outstanding DECIMAL(18, 2),   -- shares outstanding on the report date
  perc_of_share_value DOUBLE,          -- value / value of all the institution's positions of type Share, a fraction; NULL for other types
  perc_of_total DOUBLE                 -- units / shares_outstanding, a fraction; NULL for other types than Share
);
