-- institution_positions: an institution's positions and their history, one row per position, report date and date on which a filing changed it; a position closed since the previous report, or withdrawn by a later filing, has a row with 0 units
-- partition: day by report_date
-- key: report_date, cik, ticker, security_type, put_call, filing_date
-- sort: cik, ticker, security_type, put_call
-- ranges: cik, ticker
-- known: filing_date; as its inputs
CREATE TABLE institution_positions (
  report_date DATE NOT NULL,           -- last day of the reporting period
  filing_date DATE NOT NULL,           -- date of the filing of this or an earlier report from which on the row holds, until the next one of the position
  cik VARCHAR NOT NULL,                -- Central Index Key (CIK) of the institution, without leading zeros
  ticker VARCHAR NOT NULL,             -- ticker; the CUSIP if no ticker is known
  full_name VARCHAR,                   -- name of the issuer
  sector VARCHAR,                      -- sector of the ticker on the report date; NULL if unknown
  security_type VARCHAR NOT NULL,      -- Share, Option, Fund, Preferred, Debt or Warrant
  put_call VARCHAR NOT NULL,           -- call or put; empty if neither
  units BIGINT NOT NULL,               -- units held; 0 if the position was closed since the previous report, or is only in an earlier filing of this one
  previous_units BIGINT NOT NULL,      -- units in the institution's previous report, on the basis of this one; 0 if not held or without such a report
  units_change BIGINT NOT NULL,        -- units − previous_units; 0 in the institution's first report
  historical_units BIGINT[] NOT NULL,  -- units in up to 8 reports of the institution, newest first, starting with this one and going back to the first purchase, on the basis of this report; 0 if not held; empty if never held by the filings up to this one
  value DECIMAL(18, 2) NOT NULL,       -- value on the report date, dollars
  first_buy DATE NOT NULL,             -- first report date of the current uninterrupted holding; this report date if only an earlier filing of it has the position
  price_first_buy DECIMAL(18, 6),      -- close of the ticker on first_buy or the last session before it, dollars, on the basis of this report
  avg_price DECIMAL(18, 10),           -- average price paid: increases count at the close of their report dates, decreases at the average; on the basis of this report; NULL without prices
  close DECIMAL(18, 6),                -- close of the ticker on the report date or the last session before it, dollars
  shares_outstanding DECIMAL(18, 2),   -- shares outstanding on the report date
  perc_of_share_value DOUBLE,          -- value / value of all the institution's positions of type Share, as a fraction; NULL for other types
  perc_of_total DOUBLE                 -- units / shares_outstanding, as a fraction; NULL for types other than Share
);
