-- option_ticker_days: option activity summed over the contracts of an underlying, one row per underlying and trading day
-- partition: day, month, year by date
-- key: date, ticker
-- sort: ticker, date
-- ranges: ticker
-- known: date; as its inputs
CREATE TABLE option_ticker_days (
  date DATE NOT NULL,                       -- trading date, New York
  ticker VARCHAR NOT NULL,                  -- ticker of the underlying, in upper case
  volume BIGINT NOT NULL,                   -- contracts traded; this and all other figures exclude cancelled trades
  call_volume BIGINT NOT NULL,              -- calls traded
  put_volume BIGINT NOT NULL,               -- puts traded
  call_open_interest BIGINT NOT NULL,       -- open call contracts before the session
  put_open_interest BIGINT NOT NULL,        -- open put contracts before the session
  premium DECIMAL(18, 4) NOT NULL,          -- total premium of all trades, dollars
  call_premium DECIMAL(18, 4) NOT NULL,     -- premium of calls, dollars
  put_premium DECIMAL(18, 4) NOT NULL,      -- premium of puts, dollars
  bullish_premium DECIMAL(18, 4) NOT NULL,  -- ask-side premium of calls plus bid-side premium of puts, dollars
  bearish_premium DECIMAL(18, 4) NOT NULL   -- bid-side premium of calls plus ask-side premium of puts, dollars
);
