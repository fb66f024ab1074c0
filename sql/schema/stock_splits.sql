-- stock_splits: splits and reverse splits of stocks and ETFs, one row per ticker and day on which a split takes effect
-- partition: year by date
-- key: ticker, date
-- sort: ticker, date
-- ranges: ticker
-- known: date; never early: a split is announced days or weeks before it takes effect
CREATE TABLE stock_splits (
  ticker VARCHAR NOT NULL,     -- ticker symbol, in upper case
  date DATE NOT NULL,          -- first day on which the ticker trades on the new basis, New York
  new_shares BIGINT NOT NULL,  -- shares after the split for each old_shares before it: 4 for a split of 4:1, 1 for 1:10
  old_shares BIGINT NOT NULL   -- shares before the split: 1 for a split of 4:1, 10 for 1:10
);
