-- stock_days: trading days of stocks and ETFs with what is known from the days before: the imported daily bar, else one made of the day's 1-minute bars
-- partition: day, month, year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
CREATE TABLE stock_days (
  ticker VARCHAR NOT NULL,        -- ticker symbol, upper-case
  date DATE NOT NULL,             -- trading day, New York
  open DECIMAL(18, 6),            -- first price of the day in dollars, as traded; NULL when the source has none
  high DECIMAL(18, 6),            -- highest price of the day in dollars, as traded; NULL when the source has none
  low DECIMAL(18, 6),             -- lowest price of the day in dollars, as traded; NULL when the source has none
  close DECIMAL(18, 6) NOT NULL,  -- last price of the day in dollars, as traded
  adjusted_close DECIMAL(18, 6),  -- close in dollars, adjusted for splits and dividends; NULL: the lake holds no adjustment
  volume BIGINT,                  -- shares traded; NULL when the source has none
  previous_close DECIMAL(18, 6),  -- close of the ticker's day before, in dollars, as traded; NULL on its first day, and after a gap of more than 10 calendar days
  avg30_volume DECIMAL(24, 4),    -- mean volume of the ticker's last 30 days, this one included, shares
  week52_high DECIMAL(18, 6),     -- highest price in the 364 days up to this one, in dollars, as traded
  week52_low DECIMAL(18, 6)       -- lowest price in the 364 days up to this one, in dollars, as traded
);
