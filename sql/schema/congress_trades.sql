-- congress_trades: trades that members of Congress disclosed, one row a transaction
-- partition: month by filed_at_date
-- key: id
-- sort: filed_at_date, politician_id, ticker
-- ranges: ticker
CREATE TABLE congress_trades (
  id UUID NOT NULL,                -- UUIDv5 of the natural key where the source has none
  politician_id UUID NOT NULL,     -- politician
  name VARCHAR NOT NULL,           -- standardised name of the politician
  reporter VARCHAR NOT NULL,       -- name as written in the filing
  member_type VARCHAR NOT NULL,    -- house or senate
  is_active BOOLEAN NOT NULL,      -- whether the politician is in office
  issuer VARCHAR,                  -- who executed the transaction: self, spouse, joint, child, …
  ticker VARCHAR,                  -- ticker; NULL when the filing names none
  asset_description VARCHAR,       -- asset as described in the filing
  txn_type VARCHAR NOT NULL,       -- Buy, Sell, Sell (partial), Exchange, …
  amounts VARCHAR NOT NULL,        -- reported range as text, e.g. $1,001 - $15,000
  transaction_date DATE NOT NULL,  -- day of the transaction
  filed_at_date DATE NOT NULL,     -- day of the filing
  notes VARCHAR                    -- notes of the filing
);
