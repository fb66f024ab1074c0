-- market_series: layers of strikes listed per underlying and expiry: a coarse layer when the expiry is listed, and
-- finer ones as it approaches. The step of a layer is fixed by the price on the day it is listed, so that a listed
-- contract stays on the grid until it expires. The more trades the market has, the finer the grids.
WITH layers (kind, days) AS (
  -- An expiry has the layers of its kind, each listed this many days before.
  VALUES
    ('january', 800), ('january', 600), ('january', 450), ('january', 330), ('january', 250), ('january', 190),
    ('january', 95), ('january', 29),
    ('quarterly', 190), ('quarterly', 95), ('quarterly', 29),
    ('monthly', 95), ('monthly', 29),
    ('weekly', 29),
    ('daily', 7)
),
-- Strikes per layer: an underlying has about 30 layers of calls and puts listed at a time.
sized AS (
  SELECT greatest(8, least(300, 16000 * pow($trades / 100000, 0.69) / count(*) / 30)) AS strikes
  FROM market_tickers
  WHERE has_options
),
listings AS (
  SELECT
    tickers.number,
    ticker,
    issue_type,
    expiry,
    kind,
    greatest(expiry - days, $from) AS listed,
    -- Strikes reach 2.2 standard deviations over that time beyond the anchors.
    exp(2.2 * volatility * sqrt(least(days, 250) / 365)) AS reach
  FROM market_tickers AS tickers
  CROSS JOIN market_expiries AS expiries
  JOIN layers USING (kind)
  WHERE has_options AND expiry - days <= $to
    AND expiry >= (SELECT min(date) FROM market_sessions WHERE NOT warm)
    -- Only the largest company and the broadest fund have daily expiries.
    AND (kind <> 'daily' OR tickers.number IN (0, 7))
),
priced AS (
  SELECT
    listings.*,
    anchors.date AS first_session,
    anchors.price
  FROM listings
  ASOF JOIN market_anchors AS anchors ON listings.number = anchors.number AND listings.listed <= anchors.date
),
-- The usual steps; a layer has the largest one up to 1.5 times the ideal step.
steps (step) AS (
  SELECT unnest([0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500])::DECIMAL(18, 3)
)
SELECT
  row_number() OVER (ORDER BY number, expiry, listed)::INTEGER AS layer,
  number AS ticker_number,
  ticker,
  expiry,
  kind,
  reach,
  first_session,
  coalesce((SELECT max(step) FROM steps WHERE step <= 1.5 * price * (reach - 1 / reach) / strikes), 0.5) AS step,
  -- The index settles its monthly expiries at opening prices, and trades them until the previous session.
  CASE WHEN issue_type = 'Index' AND kind NOT IN ('weekly', 'daily') THEN 'AM' ELSE 'PM' END AS settlement
FROM priced
CROSS JOIN sized
