-- fec_committees: political committees of companies, one row per committee and election cycle
-- partition: year by cycle_end
-- key: cycle, committee_id
-- sort: cycle, committee_id
-- ranges: ticker
-- known: cycle_end; never early: the source has no date of registration
CREATE TABLE fec_committees (
  cycle INTEGER NOT NULL,          -- two-year election cycle, named by its even year
  cycle_end DATE NOT NULL,         -- last day of the cycle
  committee_id VARCHAR NOT NULL,   -- committee number assigned by the Federal Election Commission (FEC)
  name VARCHAR NOT NULL,           -- name of the committee
  connected_organization VARCHAR,  -- organisation that sponsors the committee
  is_corporate BOOLEAN NOT NULL,   -- whether it is a confirmed corporate committee (PAC)
  ticker VARCHAR NOT NULL,         -- ticker of the sponsoring company; empty if unknown
  company_name VARCHAR             -- name of that company
);
