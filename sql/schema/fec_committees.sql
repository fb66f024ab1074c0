-- fec_committees: political committees of companies by election cycle, one row a committee and cycle
-- partition: year by cycle_end
-- key: cycle, committee_id
-- sort: cycle, committee_id
-- ranges: ticker
CREATE TABLE fec_committees (
  cycle INTEGER NOT NULL,          -- two-year election cycle, its even year
  cycle_end DATE NOT NULL,         -- last day of the cycle
  committee_id VARCHAR NOT NULL,   -- the commission's number of the committee
  name VARCHAR NOT NULL,           -- name of the committee
  connected_organization VARCHAR,  -- organisation that stands behind it
  is_corporate BOOLEAN NOT NULL,   -- whether it is a confirmed corporate committee (PAC)
  ticker VARCHAR NOT NULL,         -- ticker of the company behind it; empty when none is known
  company_name VARCHAR             -- name of that company
);
