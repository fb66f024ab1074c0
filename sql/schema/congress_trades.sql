-- congress_trades: trades disclosed by members of Congress, one row per transaction
-- partition: month by filed_at_date
-- key: id
-- sort: filed_at_date, politician_id, ticker
-- ranges: ticker
-- known: filed_at_date; exact to the day; is_active is that of the day of the import
CREATE TABLE congress_trades (
  id UUID NOT NULL,                -- UUIDv5 of the natural key if the source has no id
  politician_id UUID NOT NULL,     -- id of the politician
  name VARCHAR NOT NULL,           -- standardised name of the politician
  reporter VARCHAR NOT NULL,       -- name as written in the filing
  member_type VARCHAR NOT NULL,    -- house or senate
  is_active BOOLEAN NOT NULL,      -- whether the politician is in office
  issuer VARCHAR,                  -- who made the transaction: self, spouse, joint, child, …
  ticker VARCHAR,                  -- ticker; NULL if the filing has none
  asset_description VARCHAR,       -- description of the asset in the filing
  txn_type VARCHAR NOT NULL,       -- Buy, Sell, Sell (partial), Exchange, …
  amounts VARCHAR NOT NULL,        -- reported range as text, e.g. $1,001 - $15,000
  transaction_date DATE NOT NULL,  -- date of the transaction
  filed_at_date DATE NOT NULL,     -- date of the filing
  notes VARCHAR                    -- notes in the filing
);
