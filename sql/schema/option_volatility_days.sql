-- option_volatility_days: implied volatility of an underlying and its rank in the last 252 sessions, one row per underlying and trading day
-- partition: day, month, year by date
-- key: date, ticker
-- sort: ticker, date
-- ranges: ticker
-- known: date; as its inputs
CREATE TABLE option_volatility_days (
  date DATE NOT NULL,             -- trading date, New York
  ticker VARCHAR NOT NULL,        -- ticker of the underlying, in upper case
  stock_price DECIMAL(18, 4),     -- price of the underlying at the time of the chain's quotes, dollars
  iv_30d DECIMAL(18, 10),         -- at-the-money implied volatility at 30 calendar days, annualised, as a fraction; interpolated in total variance between the nearest expiries
  iv_rank DECIMAL(18, 10),        -- 100 × (iv_30d − low) / (high − low) over the last 252 sessions; NULL if high equals low
  iv_percentile DECIMAL(18, 10),  -- percentage of the last 252 sessions in which iv_30d was below this one
  sessions INTEGER NOT NULL       -- number of the last 252 sessions with an iv_30d, including this one
);
