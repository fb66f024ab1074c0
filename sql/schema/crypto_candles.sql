-- crypto_candles: candles of cryptocurrency pairs, one row per pair, start and length
-- partition: day, month by date
-- key: pair, seconds, start
-- sort: pair, seconds, start
-- ranges: pair
-- known: start + to_seconds(seconds); exact: the end of the candle
CREATE TABLE crypto_candles (
  pair VARCHAR NOT NULL,           -- BASE-QUOTE, e.g. BTC-USD
  date DATE NOT NULL,              -- date of the start, UTC
  start TIMESTAMP NOT NULL,        -- start of the candle, UTC
  seconds INTEGER NOT NULL,        -- length of the candle in seconds, usually 60
  open DECIMAL(18, 10) NOT NULL,   -- first price, in units of the quote currency
  high DECIMAL(18, 10) NOT NULL,   -- highest price, in units of the quote currency
  low DECIMAL(18, 10) NOT NULL,    -- lowest price, in units of the quote currency
  close DECIMAL(18, 10) NOT NULL,  -- last price, in units of the quote currency
  volume DECIMAL(28, 8) NOT NULL   -- volume traded, in units of the base currency
);
