-- prediction_books: order books of prediction markets, one row an outcome token and time
-- partition: day by date
-- key: asset_id, timestamp
-- sort: asset_id, timestamp
-- ranges: asset_id
CREATE TABLE prediction_books (
  date DATE NOT NULL,                    -- day of the book, UTC
  asset_id VARCHAR NOT NULL,             -- number of the outcome token, as text
  timestamp TIMESTAMP NOT NULL,          -- time of the book, UTC, milliseconds
  bid_prices DECIMAL(18, 6)[] NOT NULL,  -- prices of the bids, best first, dollars a token
  bid_sizes DECIMAL(18, 6)[] NOT NULL,   -- tokens at each of these
  ask_prices DECIMAL(18, 6)[] NOT NULL,  -- prices of the asks, best first, dollars a token
  ask_sizes DECIMAL(18, 6)[] NOT NULL    -- tokens at each of these
);
