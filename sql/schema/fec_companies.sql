-- fec_companies: political money of public companies, one row a company and election cycle
-- partition: year by cycle_end
-- key: cycle, ticker
-- sort: cycle, ticker
-- ranges: ticker
CREATE TABLE fec_companies (
  cycle INTEGER NOT NULL,                   -- two-year election cycle, its even year
  cycle_end DATE NOT NULL,                  -- last day of the cycle
  ticker VARCHAR NOT NULL,                  -- ticker of the company
  company_name VARCHAR NOT NULL,            -- name of the company
  pac_count BIGINT NOT NULL,                -- confirmed corporate committees
  pac_contribution_count BIGINT NOT NULL,   -- contributions of these to candidates and parties
  pac_total DECIMAL(18, 2) NOT NULL,        -- their sum, dollars
  pac_dem_total DECIMAL(18, 2) NOT NULL,    -- of it to Democrats
  pac_rep_total DECIMAL(18, 2) NOT NULL,    -- of it to Republicans
  other_total DECIMAL(18, 2) NOT NULL,      -- contributions of the committees to anyone else, dollars
  employee_contribution_count BIGINT,       -- contributions of employees; NULL where the lake has no such records for the cycle, as all that follow
  employee_total_estimated DECIMAL(18, 2),  -- their sum, dollars
  employee_dem_total DECIMAL(18, 2),        -- of it to Democrats
  employee_rep_total DECIMAL(18, 2),        -- of it to Republicans
  lobbying_total DECIMAL(18, 2)             -- lobbying expenses of the cycle, dollars; NULL where the lake has no reports for the cycle
);
