-- stock_days: trading days of stocks and ETFs, one row per ticker and trading day: the imported daily bar, otherwise a bar made from the day's one-minute bars, with averages and extremes
-- partition: day, month, year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
-- known: date; as its inputs
CREATE TABLE stock_days (
  ticker VARCHAR NOT NULL,        -- ticker symbol, in upper case
  date DATE NOT NULL,             -- trading date, New York
  open DECIMAL(18, 6),            -- first price of the day in dollars, not adjusted; NULL if the source has none
  high DECIMAL(18, 6),            -- highest price of the day in dollars, not adjusted; NULL if the source has none
  low DECIMAL(18, 6),             -- lowest price of the day in dollars, not adjusted; NULL if the source has none
  close DECIMAL(18, 6) NOT NULL,  -- last price of the day in dollars, not adjusted
  adjusted_close DECIMAL(18, 6),  -- close in dollars, adjusted for splits and dividends; NULL if the lake has no adjustment
  volume BIGINT,                  -- shares traded; NULL if the source has none
  previous_close DECIMAL(18, 6),  -- close of the ticker's previous trading day in dollars, on the basis of this day where a split lies between; NULL on its first day and after a gap of more than 10 calendar days
  avg30_volume DECIMAL(24, 4),    -- mean volume of the ticker's last 30 trading days, including this one, in shares on the basis of this day
  week52_high DECIMAL(18, 6),     -- highest price of this day and the 364 days before it in dollars, on the basis of this day
  week52_low DECIMAL(18, 6)       -- lowest price of this day and the 364 days before it in dollars, on the basis of this day
);
