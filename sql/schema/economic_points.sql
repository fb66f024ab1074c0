-- economic_points: points of economic series, one row a series and date
-- partition: none by date
-- key: indicator, maturity, interval, date
-- sort: indicator, maturity, interval, date
-- ranges: indicator
CREATE TABLE economic_points (
  indicator VARCHAR NOT NULL,  -- name of the indicator as the API has it, e.g. treasury-yield
  maturity VARCHAR NOT NULL,   -- 3month to 30year for treasury-yield, else empty
  interval VARCHAR NOT NULL,   -- daily, weekly, monthly, quarterly, semiannual or annual: the interval as stored
  date DATE NOT NULL,          -- first day of the period
  value DECIMAL(18, 6)         -- value in the indicator's unit; NULL where the source is blank
);
