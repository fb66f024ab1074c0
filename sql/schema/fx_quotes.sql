-- fx_quotes: exchange rates, one row per currency pair and time
-- partition: year by date
-- key: base, quote, time
-- sort: base, quote, time
-- ranges: base, quote
-- known: time; exact; a reference rate without a time is from 15:00 UTC
CREATE TABLE fx_quotes (
  base VARCHAR NOT NULL,          -- ISO 4217 code of the base currency
  quote VARCHAR NOT NULL,         -- ISO 4217 code of the quote currency
  date DATE NOT NULL,             -- date of the rate, UTC
  time TIMESTAMP NOT NULL,        -- time of the rate, UTC
  rate DECIMAL(18, 10) NOT NULL,  -- units of the quote currency per unit of the base currency; the midpoint if bid and ask are known
  bid DECIMAL(18, 10),            -- bid; NULL for reference rates
  ask DECIMAL(18, 10)             -- ask; NULL for reference rates
);
