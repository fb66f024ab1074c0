-- crypto_candles: candles of crypto pairs, one row a pair, start and length
-- partition: day, month by date
-- key: pair, seconds, start
-- sort: pair, seconds, start
-- ranges: pair
CREATE TABLE crypto_candles (
  pair VARCHAR NOT NULL,           -- BASE-QUOTE, e.g. BTC-USD
  date DATE NOT NULL,              -- day of the start, UTC
  start TIMESTAMP NOT NULL,        -- start of the candle, UTC
  seconds INTEGER NOT NULL,        -- length of the candle in seconds: 60 as a rule
  open DECIMAL(18, 10) NOT NULL,   -- first price, units of the quote currency
  high DECIMAL(18, 10) NOT NULL,   -- highest price
  low DECIMAL(18, 10) NOT NULL,    -- lowest price
  close DECIMAL(18, 10) NOT NULL,  -- last price
  volume DECIMAL(28, 8) NOT NULL   -- units of the base currency traded
);
