-- institutions: institutions that file holdings, one row an institution
-- partition: none by updated_on
-- key: cik
-- sort: cik
-- ranges: cik
CREATE TABLE institutions (
  cik VARCHAR NOT NULL,           -- Central Index Key without leading zeros
  updated_on DATE NOT NULL,       -- day of the source
  name VARCHAR NOT NULL,          -- name as filed
  short_name VARCHAR,             -- short name
  description VARCHAR,            -- what it is
  website VARCHAR,                -- URL
  logo_url VARCHAR,               -- URL
  founder_img_url VARCHAR,        -- URL
  people VARCHAR[] NOT NULL,      -- names of its people
  tags VARCHAR[] NOT NULL,        -- tags, e.g. hedge_fund, value_investor
  is_hedge_fund BOOLEAN NOT NULL  -- whether it is a hedge fund
);
