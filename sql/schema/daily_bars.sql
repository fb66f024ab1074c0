-- daily_bars: imported daily bars of stocks and ETFs, one row per ticker and trading day
-- partition: day, month, year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
-- known: date; exact to the day; adjusted_close also reflects later dividends and splits, which changes its level but not the returns
CREATE TABLE daily_bars (
  ticker VARCHAR NOT NULL,        -- ticker symbol, in upper case
  date DATE NOT NULL,             -- trading date, New York
  open DECIMAL(18, 6),            -- first price of the day in dollars, not adjusted; NULL if the source has none
  high DECIMAL(18, 6),            -- highest price of the day in dollars, not adjusted; NULL if the source has none
  low DECIMAL(18, 6),             -- lowest price of the day in dollars, not adjusted; NULL if the source has none
  close DECIMAL(18, 6) NOT NULL,  -- last price of the day in dollars, not adjusted
  adjusted_close DECIMAL(18, 6),  -- close in dollars, adjusted for splits and dividends; NULL if the lake has no adjustment
  volume BIGINT                   -- shares traded; NULL if the source has none
);
