-- fec_contributions: contributions by companies' committees and employees, one row a contribution
-- partition: year by cycle_end
-- key: id
-- sort: cycle, ticker, date
-- ranges: ticker
CREATE TABLE fec_contributions (
  id VARCHAR NOT NULL,            -- number of the record in its source
  cycle INTEGER NOT NULL,         -- two-year election cycle, its even year
  cycle_end DATE NOT NULL,        -- last day of the cycle
  date DATE,                      -- day of the contribution; NULL when the source has none
  ticker VARCHAR NOT NULL,        -- ticker of the company; empty when none is known
  kind VARCHAR NOT NULL,          -- pac (corporate committee to a candidate or party), other (to anyone else) or employee
  committee_id VARCHAR,           -- the committee that gave; NULL for an employee
  recipient_id VARCHAR,           -- candidate or committee that received
  party VARCHAR,                  -- party of the recipient: DEM, REP, …; NULL when unknown
  amount DECIMAL(18, 2) NOT NULL  -- dollars; negative for refunds
);
