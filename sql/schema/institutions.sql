-- institutions: institutions that file Form 13F, one row per institution
-- partition: none by updated_on
-- key: cik
-- sort: cik
-- ranges: cik
-- known: updated_on; exact to the day of the latest source, which replaces what earlier ones state
CREATE TABLE institutions (
  cik VARCHAR NOT NULL,           -- Central Index Key (CIK) of the institution, without leading zeros
  updated_on DATE NOT NULL,       -- date of the source
  name VARCHAR NOT NULL,          -- name as filed
  short_name VARCHAR,             -- short name
  description VARCHAR,            -- description of the institution
  website VARCHAR,                -- URL of the website
  logo_url VARCHAR,               -- URL of the logo
  founder_img_url VARCHAR,        -- URL of a picture of the founder
  people VARCHAR[] NOT NULL,      -- names of people at the institution
  tags VARCHAR[] NOT NULL,        -- tags, e.g. hedge_fund, value_investor
  is_hedge_fund BOOLEAN NOT NULL  -- whether the institution is a hedge fund
);
