-- stock_bars: one-minute bars of stocks and ETFs, one row per ticker and minute with trades
-- partition: day, month by date
-- key: ticker, start
-- sort: ticker, start
-- ranges: ticker
-- known: date; exact to the day
CREATE TABLE stock_bars (
  ticker VARCHAR NOT NULL,          -- ticker symbol, in upper case
  date DATE NOT NULL,               -- trading date, New York
  start TIMESTAMP NOT NULL,         -- start of the minute, UTC
  open DECIMAL(18, 6) NOT NULL,     -- first price of the minute in dollars, not adjusted
  high DECIMAL(18, 6) NOT NULL,     -- highest price of the minute in dollars, not adjusted
  low DECIMAL(18, 6) NOT NULL,      -- lowest price of the minute in dollars, not adjusted
  close DECIMAL(18, 6) NOT NULL,    -- last price of the minute in dollars, not adjusted
  volume BIGINT                     -- shares traded in the minute; NULL if the source has none
);
