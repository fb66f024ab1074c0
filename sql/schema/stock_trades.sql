-- stock_trades: trades of stocks and ETFs with their venue, one row per trade
-- partition: day by date
-- key: date, ticker, sequence
-- sort: ticker, executed_at, sequence
-- ranges: ticker
-- known: date; exact to the day; a cancellation counts as known at the end of the day of the trade
CREATE TABLE stock_trades (
  date DATE NOT NULL,              -- trading date, New York
  ticker VARCHAR NOT NULL,         -- ticker symbol, in upper case
  executed_at TIMESTAMP NOT NULL,  -- execution time, UTC
  sequence BIGINT NOT NULL,        -- distinguishes trades of the same ticker and day; ascends with the millisecond of execution
  price DECIMAL(18, 6) NOT NULL,   -- price in dollars
  size BIGINT NOT NULL,            -- number of shares
  exchange VARCHAR NOT NULL,       -- code of the venue; D is a FINRA trade reporting facility, that is, off exchange
  sale_condition VARCHAR,          -- sale conditions as in the source
  canceled BOOLEAN NOT NULL        -- whether aggregates exclude the trade: it was cancelled, or the source marked it as suspicious
);
