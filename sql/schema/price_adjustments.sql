-- price_adjustments: days on which the basis of a ticker's prices changes or seems to change, one row per ticker and day
-- partition: year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
-- known: date; as its inputs
CREATE TABLE price_adjustments (
  ticker VARCHAR NOT NULL,  -- ticker symbol, in upper case
  date DATE NOT NULL,       -- first trading date of the ticker, New York, on or after the day of the split or the ex-dividend date
  split_ratio DOUBLE,       -- shares on this day per share on the ticker's previous day, by stock_splits: 4 for a split of 4:1, 1 if the bars are adjusted for the split already; NULL without a split
  dividend_ratio DOUBLE,    -- part of the previous close without the dividends of stock_dividends since then, 1 − dividends / close; NULL without one
  adjustment DOUBLE,        -- change of basis since the previous day: coalesce(adjusted_close, close) of stock_days times the product of the ticker's adjustments up to each day is adjusted for splits and dividends; NULL if there is no change
  suspected_split VARCHAR   -- ratio such as 4:1 that is near last close / open, where neither stock_splits nor adjusted_close has a split; NULL otherwise
);
