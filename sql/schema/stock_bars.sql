-- stock_bars: one-minute bars of stocks and ETFs, one row a ticker and minute with trades
-- partition: day, month by date
-- key: ticker, start
-- sort: ticker, start
-- ranges: ticker
CREATE TABLE stock_bars (
  ticker VARCHAR NOT NULL,          -- ticker symbol, upper-case
  date DATE NOT NULL,               -- trading day, New York
  start TIMESTAMP NOT NULL,         -- start of the bar's minute, UTC
  open DECIMAL(18, 6) NOT NULL,     -- first price of the minute in dollars, as traded
  high DECIMAL(18, 6) NOT NULL,     -- highest price of the minute in dollars, as traded
  low DECIMAL(18, 6) NOT NULL,      -- lowest price of the minute in dollars, as traded
  close DECIMAL(18, 6) NOT NULL,    -- last price of the minute in dollars, as traded
  volume BIGINT                     -- shares traded in the minute; NULL when the source has none
);
