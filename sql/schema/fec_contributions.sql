-- fec_contributions: contributions by companies' committees and employees, one row per contribution
-- partition: year by cycle_end
-- key: id
-- sort: cycle, ticker, date
-- ranges: ticker
-- known: half_year_report_due(coalesce(date, cycle_end)); the last day on which a committee may report the half-year (52 U.S.C. 30104(a)(4)); early only for a late report
CREATE TABLE fec_contributions (
  id VARCHAR NOT NULL,            -- record number in the source
  cycle INTEGER NOT NULL,         -- two-year election cycle, named by its even year
  cycle_end DATE NOT NULL,        -- last day of the cycle
  date DATE,                      -- date of the contribution; NULL if the source has none
  ticker VARCHAR NOT NULL,        -- ticker of the company; empty if unknown
  kind VARCHAR NOT NULL,          -- pac (corporate committee to a candidate or party), other (corporate committee to anyone else) or employee
  committee_id VARCHAR,           -- contributing committee; NULL for an employee
  recipient_id VARCHAR,           -- candidate or committee that received the contribution
  party VARCHAR,                  -- party of the recipient: DEM, REP, …; NULL if unknown
  amount DECIMAL(18, 2) NOT NULL  -- amount in dollars; negative for refunds
);
