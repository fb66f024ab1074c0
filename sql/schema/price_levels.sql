-- price_levels: volume by price on and off exchange, one row per ticker, trading day and price
-- partition: day by date
-- key: date, ticker, price
-- sort: ticker, price
-- ranges: ticker
-- known: date; as its inputs
CREATE TABLE price_levels (
  date DATE NOT NULL,                -- trading date, New York
  ticker VARCHAR NOT NULL,           -- ticker symbol, in upper case
  price DECIMAL(18, 2) NOT NULL,     -- price rounded to the cent, half to even, dollars
  dark_pool_volume BIGINT NOT NULL,  -- shares traded off exchange (code D)
  regular_volume BIGINT NOT NULL     -- shares traded on exchanges
);
