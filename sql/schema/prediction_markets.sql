-- prediction_markets: markets of questions that a date decides, one row an outcome token
-- partition: none by date
-- key: asset_id
-- sort: asset_id
-- ranges: asset_id
CREATE TABLE prediction_markets (
  asset_id VARCHAR NOT NULL,       -- number of the outcome token, as text
  date DATE NOT NULL,              -- day on which the market was made, UTC
  condition_id VARCHAR,            -- number of the market, which its tokens share, as text
  slug VARCHAR,                    -- name of the market in addresses
  question VARCHAR NOT NULL,       -- question of the market
  outcome VARCHAR NOT NULL,        -- outcome that the token pays for, e.g. Yes
  outcome_index INTEGER NOT NULL,  -- place of the outcome among the market's, from 0
  category VARCHAR NOT NULL,       -- Crypto, Culture, Finance, Games, Mentions, Other, Politics, Sports or Weather
  image VARCHAR,                   -- URL of the market's picture
  created_at TIMESTAMP NOT NULL,   -- when the market was made, UTC
  opens TIMESTAMP,                 -- when its tokens began to be traded, UTC
  starts TIMESTAMP,                -- when the time begins that the question is about, UTC
  resolves TIMESTAMP,              -- when the market is due to be resolved, UTC
  closed_at TIMESTAMP,             -- when it was closed, UTC; NULL while it is open
  resolved BOOLEAN NOT NULL,       -- whether its outcome is settled
  final_price DECIMAL(18, 6),      -- dollars that a token paid: 1, 0 or a share; NULL until it is settled
  best_bid DECIMAL(18, 6),         -- best bid when the source was read, dollars a token
  best_ask DECIMAL(18, 6),         -- best ask then, dollars a token
  last_price DECIMAL(18, 6),       -- price of the last trade then, dollars a token
  volume DECIMAL(18, 2),           -- dollars traded in all of the market's tokens until then
  updated_at TIMESTAMP             -- when the source changed what it says, UTC
);
