-- fx_quotes: exchange rates, one row a pair and time
-- partition: year by date
-- key: base, quote, time
-- sort: base, quote, time
-- ranges: base, quote
CREATE TABLE fx_quotes (
  base VARCHAR NOT NULL,          -- ISO 4217 code of the currency that is priced
  quote VARCHAR NOT NULL,         -- ISO 4217 code of the currency of the price
  date DATE NOT NULL,             -- day of the rate, UTC
  time TIMESTAMP NOT NULL,        -- time of the rate, UTC
  rate DECIMAL(18, 10) NOT NULL,  -- units of quote for one of base; the mid where bid and ask are known
  bid DECIMAL(18, 10),            -- bid; NULL for reference rates
  ask DECIMAL(18, 10)             -- ask; NULL for reference rates
);
