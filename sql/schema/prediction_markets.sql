-- prediction_markets: prediction markets, one row per outcome token
-- partition: none by date
-- key: asset_id
-- sort: asset_id
-- ranges: asset_id
-- known: updated_at::DATE; when the source last changed the market; never known where the source has no such time
CREATE TABLE prediction_markets (
  asset_id VARCHAR NOT NULL,       -- id of the outcome token, as text
  date DATE NOT NULL,              -- date on which the market was created, UTC
  condition_id VARCHAR,            -- id of the market, shared by its tokens, as text
  slug VARCHAR,                    -- name of the market in URLs
  question VARCHAR NOT NULL,       -- question of the market
  outcome VARCHAR NOT NULL,        -- outcome that the token pays out on, e.g. Yes
  outcome_index INTEGER NOT NULL,  -- index of the outcome in the market, from 0
  category VARCHAR NOT NULL,       -- Crypto, Culture, Finance, Games, Mentions, Other, Politics, Sports or Weather
  image VARCHAR,                   -- URL of the market's picture
  created_at TIMESTAMP NOT NULL,   -- when the market was created, UTC
  opens TIMESTAMP,                 -- when trading in its tokens opened, UTC
  starts TIMESTAMP,                -- start of the period that the question is about, UTC
  resolves TIMESTAMP,              -- when the market is due to resolve, UTC
  closed_at TIMESTAMP,             -- when the market was closed, UTC; NULL while it is open
  resolved BOOLEAN NOT NULL,       -- whether the outcome is settled
  final_price DECIMAL(18, 6),      -- dollars paid per token: 1, 0 or a fraction; NULL until settled
  best_bid DECIMAL(18, 6),         -- best bid when the source was read, dollars per token
  best_ask DECIMAL(18, 6),         -- best ask when the source was read, dollars per token
  last_price DECIMAL(18, 6),       -- price of the last trade when the source was read, dollars per token
  volume DECIMAL(18, 2),           -- total volume of all the market's tokens when the source was read, dollars
  updated_at TIMESTAMP             -- when the source last changed the market's data, UTC
);
