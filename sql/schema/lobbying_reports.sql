-- lobbying_reports: lobbying expenses that companies reported, one row a report
-- partition: year by cycle_end
-- key: id
-- sort: cycle, ticker, id
-- ranges: ticker
CREATE TABLE lobbying_reports (
  id VARCHAR NOT NULL,            -- number of the report in its source, or registrant, client, year and period, so that an amendment replaces it
  cycle INTEGER NOT NULL,         -- two-year election cycle that the period lies in, its even year
  cycle_end DATE NOT NULL,        -- last day of the cycle
  ticker VARCHAR NOT NULL,        -- ticker of the company; empty when none is known
  client_name VARCHAR NOT NULL,   -- client as named in the report
  period_start DATE NOT NULL,     -- first day of the period reported on
  amount DECIMAL(18, 2) NOT NULL  -- dollars
);
