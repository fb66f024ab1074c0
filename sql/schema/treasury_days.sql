-- treasury_days: treasury yields as known at the end of a day with option chains, one row per maturity and trading day
-- partition: year by date
-- key: date, months
-- sort: date, months
-- ranges: maturity
-- known: date; as its inputs
CREATE TABLE treasury_days (
  date DATE NOT NULL,            -- a day with option chains
  maturity VARCHAR NOT NULL,     -- maturity as in economic_points: 3month to 30year
  months INTEGER NOT NULL,       -- the same in months
  point_date DATE NOT NULL,      -- date of the data point in economic_points
  yield DECIMAL(18, 6) NOT NULL  -- yield in percent per year, as published: bond-equivalent, compounded twice a year
);
