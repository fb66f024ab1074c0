-- stock_trades: trades of stocks and ETFs with their venue, one row a trade
-- partition: day by date
-- key: date, ticker, sequence
-- sort: ticker, executed_at, sequence
-- ranges: ticker
CREATE TABLE stock_trades (
  date DATE NOT NULL,              -- trading day, New York
  ticker VARCHAR NOT NULL,         -- ticker symbol, upper-case
  executed_at TIMESTAMP NOT NULL,  -- time of the execution, UTC
  sequence BIGINT NOT NULL,        -- tells the trade from others of its ticker and day, ascending with its millisecond
  price DECIMAL(18, 6) NOT NULL,   -- price in dollars
  size BIGINT NOT NULL,            -- shares
  exchange VARCHAR NOT NULL,       -- code of the venue; D is a FINRA trade reporting facility: off-exchange
  sale_condition VARCHAR,          -- conditions of the sale as the source gives them
  canceled BOOLEAN NOT NULL        -- whether the trade is to be left out: canceled, or marked suspicious by the source
);
