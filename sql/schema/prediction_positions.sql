-- prediction_positions: positions on prediction markets that look informed, one row per position and date of the list
-- partition: day by date
-- key: date, asset_id, user_address
-- sort: date, tags_score, asset_id
-- ranges: asset_id
-- known: greatest(date, created_at::DATE); exact to the day of the list
CREATE TABLE prediction_positions (
  date DATE NOT NULL,                               -- date of the list, UTC
  asset_id VARCHAR NOT NULL,                        -- id of the outcome token, as text
  user_address VARCHAR NOT NULL,                    -- wallet address
  question VARCHAR NOT NULL,                        -- question of the market
  outcome VARCHAR NOT NULL,                         -- outcome bought
  category VARCHAR NOT NULL,                        -- Crypto, Culture, Finance, Games, Mentions, Other, Politics, Sports or Weather
  avg_price DECIMAL(18, 6) NOT NULL,                -- average price paid, dollars per token
  current_price DECIMAL(18, 6) NOT NULL,            -- current price, dollars per token
  pnl_percent DECIMAL(18, 6) NOT NULL,              -- profit as a percentage of the amount invested
  total_invested_usd DECIMAL(18, 2) NOT NULL,       -- amount invested, dollars
  invested_zscore DECIMAL(18, 6) NOT NULL,          -- standard score of the investment among those in the market
  n_positions INTEGER NOT NULL,                     -- number of the wallet's positions
  days_since_first_trade INTEGER NOT NULL,          -- days since the wallet's first trade in this market
  days_since_first_trade_overall INTEGER NOT NULL,  -- days since the wallet's first trade in any market
  first_trade_at TIMESTAMP NOT NULL,                -- time of the wallet's first trade in this market, UTC, milliseconds
  created_at TIMESTAMP NOT NULL,                    -- when the position was listed, UTC, milliseconds
  resolves TIMESTAMP,                               -- when the market resolves, UTC, milliseconds
  image VARCHAR,                                    -- URL of the market's picture
  tags VARCHAR[] NOT NULL,                          -- tags from contrarian_whales, momentum, closing_soon, insider_trades, smart_money
  tags_score DECIMAL(18, 6) NOT NULL                -- sum of the tags' weights
);
