-- prediction_books: order books of prediction markets, one row per outcome token and time
-- partition: day by date
-- key: asset_id, timestamp
-- sort: asset_id, timestamp
-- ranges: asset_id
-- known: timestamp; exact
CREATE TABLE prediction_books (
  date DATE NOT NULL,                    -- date of the book, UTC
  asset_id VARCHAR NOT NULL,             -- id of the outcome token, as text
  timestamp TIMESTAMP NOT NULL,          -- time of the book, UTC, milliseconds
  bid_prices DECIMAL(18, 6)[] NOT NULL,  -- bid prices, best first, dollars per token
  bid_sizes DECIMAL(18, 6)[] NOT NULL,   -- tokens at each bid price
  ask_prices DECIMAL(18, 6)[] NOT NULL,  -- ask prices, best first, dollars per token
  ask_sizes DECIMAL(18, 6)[] NOT NULL    -- tokens at each ask price
);
