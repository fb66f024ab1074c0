-- institution_totals: portfolio totals of institutions, one row per institution, report date and date on which a filing changed them
-- partition: day by report_date
-- key: report_date, cik, filing_date
-- sort: cik
-- ranges: cik
-- known: filing_date; as its inputs
CREATE TABLE institution_totals (
  report_date DATE NOT NULL,              -- last day of the reporting period
  filing_date DATE NOT NULL,              -- date of the filing of this or an earlier report from which on the row holds, until the next one of the report
  cik VARCHAR NOT NULL,                   -- Central Index Key (CIK) of the institution, without leading zeros
  institution_name VARCHAR,               -- name of the institution as filed with this report; NULL if the source has none
  total_value DECIMAL(18, 2) NOT NULL,    -- value of all positions, dollars
  share_value DECIMAL(18, 2) NOT NULL,    -- value of shares, dollars
  call_value DECIMAL(18, 2) NOT NULL,     -- value of calls, dollars
  put_value DECIMAL(18, 2) NOT NULL,      -- value of puts, dollars
  fund_value DECIMAL(18, 2) NOT NULL,     -- value of funds, dollars
  pfd_value DECIMAL(18, 2) NOT NULL,      -- value of preferred stock, dollars
  debt_value DECIMAL(18, 2) NOT NULL,     -- value of debt, dollars
  warrant_value DECIMAL(18, 2) NOT NULL,  -- value of warrants, dollars
  share_holdings BIGINT NOT NULL,         -- number of shares held
  call_holdings BIGINT NOT NULL,          -- units underlying the calls
  put_holdings BIGINT NOT NULL,           -- units underlying the puts
  fund_holdings BIGINT NOT NULL,          -- units of funds held
  pfd_holdings BIGINT NOT NULL,           -- units of preferred stock held
  debt_holdings BIGINT NOT NULL,          -- units of debt held
  warrant_holdings BIGINT NOT NULL,       -- units of warrants held
  buy_value DECIMAL(18, 2) NOT NULL,      -- value of increases since the previous report, at this report's value per unit, dollars; 0 in the first report
  sell_value DECIMAL(18, 2) NOT NULL,     -- value of decreases since the previous report, at the previous report's value per unit, dollars; at most 0, 0 in the first report
  percent_of_total DOUBLE                 -- total_value / total_value of all institutions for the same report date, as filed by filing_date, as a fraction
);
