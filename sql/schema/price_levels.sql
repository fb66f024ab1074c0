-- price_levels: volume by price of one ticker and trading day, on and off exchange
-- partition: day by date
-- key: date, ticker, price
-- sort: ticker, price
-- ranges: ticker
CREATE TABLE price_levels (
  date DATE NOT NULL,                -- trading day, New York
  ticker VARCHAR NOT NULL,           -- ticker symbol, upper-case
  price DECIMAL(18, 2) NOT NULL,     -- price rounded to the cent, half away from zero, dollars
  dark_pool_volume BIGINT NOT NULL,  -- shares traded off exchange (code D)
  regular_volume BIGINT NOT NULL     -- shares traded elsewhere
);
