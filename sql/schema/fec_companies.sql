-- fec_companies: political contributions and lobbying of public companies, one row per company and election cycle
-- partition: year by cycle_end
-- key: cycle, ticker
-- sort: cycle, ticker
-- ranges: ticker
-- known: cycle_end; as its inputs
CREATE TABLE fec_companies (
  cycle INTEGER NOT NULL,                   -- two-year election cycle, named by its even year
  cycle_end DATE NOT NULL,                  -- last day of the cycle
  ticker VARCHAR NOT NULL,                  -- ticker of the company
  company_name VARCHAR NOT NULL,            -- name of the company
  pac_count BIGINT NOT NULL,                -- number of confirmed corporate committees
  pac_contribution_count BIGINT NOT NULL,   -- number of contributions by these committees to candidates and parties
  pac_total DECIMAL(18, 2) NOT NULL,        -- total of these contributions, dollars
  pac_dem_total DECIMAL(18, 2) NOT NULL,    -- total of these contributions to Democrats, dollars
  pac_rep_total DECIMAL(18, 2) NOT NULL,    -- total of these contributions to Republicans, dollars
  other_total DECIMAL(18, 2) NOT NULL,      -- total of the committees' contributions to all others, dollars
  employee_contribution_count BIGINT,       -- number of employees' contributions; NULL, like the other employee columns, if the lake has no records of employees for the cycle
  employee_total_estimated DECIMAL(18, 2),  -- total of employees' contributions, dollars
  employee_dem_total DECIMAL(18, 2),        -- total of employees' contributions to Democrats, dollars
  employee_rep_total DECIMAL(18, 2),        -- total of employees' contributions to Republicans, dollars
  lobbying_total DECIMAL(18, 2)             -- lobbying expenses in the cycle, dollars; NULL if the lake has no reports for the cycle
);
