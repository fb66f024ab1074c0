-- option_volatility_days: implied volatility of one underlying and trading day, with its place in the last 252 sessions
-- partition: day, month, year by date
-- key: date, ticker
-- sort: ticker, date
-- ranges: ticker
CREATE TABLE option_volatility_days (
  date DATE NOT NULL,             -- trading day, New York
  ticker VARCHAR NOT NULL,        -- ticker of the underlying, upper-case
  stock_price DECIMAL(18, 4),     -- price of the underlying at the chain's quotes, dollars
  iv_30d DECIMAL(18, 10),         -- at-the-money implied volatility 30 calendar days ahead, a fraction a year: interpolated in total variance between the expiries around
  iv_rank DECIMAL(18, 10),        -- 100 × (iv_30d − low) / (high − low) over the last 252 sessions; NULL where they are equal
  iv_percentile DECIMAL(18, 10),  -- 100 × share of the last 252 sessions whose iv_30d was below this one
  sessions INTEGER NOT NULL       -- sessions with an iv_30d among the last 252, this one included
);
