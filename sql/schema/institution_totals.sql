-- institution_totals: an institution's portfolio, one row an institution and report date
-- partition: day by report_date
-- key: report_date, cik
-- sort: cik
-- ranges: cik
CREATE TABLE institution_totals (
  report_date DATE NOT NULL,              -- last day of the period reported on
  filing_date DATE NOT NULL,              -- day of the latest filing for it
  cik VARCHAR NOT NULL,                   -- Central Index Key without leading zeros
  institution_name VARCHAR,               -- name of the institution as filed with this report; NULL when the source has none
  total_value DECIMAL(18, 2) NOT NULL,    -- value of all positions, dollars
  share_value DECIMAL(18, 2) NOT NULL,    -- value of shares, dollars
  call_value DECIMAL(18, 2) NOT NULL,     -- value of calls, dollars
  put_value DECIMAL(18, 2) NOT NULL,      -- value of puts, dollars
  fund_value DECIMAL(18, 2) NOT NULL,     -- value of funds, dollars
  pfd_value DECIMAL(18, 2) NOT NULL,      -- value of preferred stock, dollars
  debt_value DECIMAL(18, 2) NOT NULL,     -- value of debt, dollars
  warrant_value DECIMAL(18, 2) NOT NULL,  -- value of warrants, dollars
  share_holdings BIGINT NOT NULL,         -- shares held, units
  call_holdings BIGINT NOT NULL,          -- units under calls
  put_holdings BIGINT NOT NULL,           -- units under puts
  fund_holdings BIGINT NOT NULL,          -- units of funds
  pfd_holdings BIGINT NOT NULL,           -- units of preferred stock
  debt_holdings BIGINT NOT NULL,          -- units of debt
  warrant_holdings BIGINT NOT NULL,       -- units of warrants
  buy_value DECIMAL(18, 2) NOT NULL,      -- value of what was added since the report before, at this report's value a unit, dollars
  sell_value DECIMAL(18, 2) NOT NULL,     -- value of what was given up since the report before, at the former report's value a unit, dollars, not above 0
  percent_of_total DOUBLE                 -- total_value / total_value of all institutions of the same report date, a fraction
);
