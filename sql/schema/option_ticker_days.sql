-- option_ticker_days: option activity of one underlying and trading day, summed over its contracts
-- partition: day, month, year by date
-- key: date, ticker
-- sort: ticker, date
-- ranges: ticker
CREATE TABLE option_ticker_days (
  date DATE NOT NULL,                       -- trading day, New York
  ticker VARCHAR NOT NULL,                  -- ticker of the underlying, upper-case
  volume BIGINT NOT NULL,                   -- contracts traded, canceled trades left out as in all that follows
  call_volume BIGINT NOT NULL,              -- calls traded
  put_volume BIGINT NOT NULL,               -- puts traded
  call_open_interest BIGINT NOT NULL,       -- calls open before the session
  put_open_interest BIGINT NOT NULL,        -- puts open before the session
  premium DECIMAL(18, 4) NOT NULL,          -- premium of all trades, dollars
  call_premium DECIMAL(18, 4) NOT NULL,     -- premium of calls, dollars
  put_premium DECIMAL(18, 4) NOT NULL,      -- premium of puts, dollars
  bullish_premium DECIMAL(18, 4) NOT NULL,  -- ask-side premium of calls plus bid-side premium of puts, dollars
  bearish_premium DECIMAL(18, 4) NOT NULL   -- bid-side premium of calls plus ask-side premium of puts, dollars
);
