-- insiders: insiders of companies, one row per ticker and person or fund
-- partition: none by updated_on
-- key: ticker, cik
-- sort: ticker, name
-- ranges: ticker
-- known: updated_on; exact to the day of the latest filing, which replaces what earlier ones state
CREATE TABLE insiders (
  ticker VARCHAR NOT NULL,         -- ticker of the company
  cik VARCHAR NOT NULL,            -- Central Index Key (CIK) of the insider, without leading zeros
  updated_on DATE NOT NULL,        -- date of the source
  id BIGINT NOT NULL,              -- numeric id of the insider
  name VARCHAR NOT NULL,           -- name as filed
  display_name VARCHAR NOT NULL,   -- name for display
  name_slug VARCHAR NOT NULL,      -- name for URLs, lower case with hyphens
  is_person BOOLEAN NOT NULL,      -- false for funds, companies and other organisations
  logo_url VARCHAR,                -- URL of a picture
  social_links VARCHAR[] NOT NULL  -- URLs of social media profiles
);
