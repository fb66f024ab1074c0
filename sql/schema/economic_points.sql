-- economic_points: data points of economic series, one row per series and date
-- partition: none by date
-- key: indicator, maturity, interval, date
-- sort: indicator, maturity, interval, date
-- ranges: indicator
-- known: published_on(indicator, interval, date); later than any regular release of the series, so never early except after a shutdown of the government; the value is the revision in the file
CREATE TABLE economic_points (
  indicator VARCHAR NOT NULL,  -- name of the indicator in the API, e.g. treasury-yield
  maturity VARCHAR NOT NULL,   -- 3month to 30year for treasury-yield, otherwise empty
  interval VARCHAR NOT NULL,   -- interval of the stored series: daily, weekly, monthly, quarterly, semiannual or annual
  date DATE NOT NULL,          -- first day of the period
  value DECIMAL(18, 6)         -- value in the indicator's unit; NULL if the source has no value
);
