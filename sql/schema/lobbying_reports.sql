-- lobbying_reports: lobbying expenses reported by companies, one row per report
-- partition: year by cycle_end
-- key: id
-- sort: cycle, ticker, id
-- ranges: ticker
-- known: lobbying_report_due(period_start); the last day on which the report was due, moved past weekends and holidays (2 U.S.C. 1604); early only for a late report or an amendment
CREATE TABLE lobbying_reports (
  id VARCHAR NOT NULL,            -- report number in the source; otherwise made of registrant, client, year and period, so that an amendment replaces the report
  cycle INTEGER NOT NULL,         -- two-year election cycle of the reporting period, named by its even year
  cycle_end DATE NOT NULL,        -- last day of the cycle
  ticker VARCHAR NOT NULL,        -- ticker of the company; empty if unknown
  client_name VARCHAR NOT NULL,   -- name of the client in the report
  period_start DATE NOT NULL,     -- first day of the reporting period
  amount DECIMAL(18, 2) NOT NULL  -- amount in dollars
);
