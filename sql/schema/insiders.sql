-- insiders: insiders of companies, one row a person or fund and ticker
-- partition: none by updated_on
-- key: ticker, cik
-- sort: ticker, name
-- ranges: ticker
CREATE TABLE insiders (
  ticker VARCHAR NOT NULL,         -- ticker of the company
  cik VARCHAR NOT NULL,            -- Central Index Key of the insider without leading zeros
  updated_on DATE NOT NULL,        -- day of the source
  id BIGINT NOT NULL,              -- number of the insider
  name VARCHAR NOT NULL,           -- name as filed
  display_name VARCHAR NOT NULL,   -- name as shown
  name_slug VARCHAR NOT NULL,      -- name for addresses, lower-case with hyphens
  is_person BOOLEAN NOT NULL,      -- false for funds, companies and the like
  logo_url VARCHAR,                -- URL of a picture
  social_links VARCHAR[] NOT NULL  -- URLs
);
