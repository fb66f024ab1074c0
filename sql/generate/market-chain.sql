-- market_chain: the contracts of one generated day ($from), numbered in a total order, with their quotes at the close,
-- their open interest and their weight, which sets their share of the trades.
WITH grids AS (
  -- Anchors only widen a grid, so no contract disappears before it expires.
  SELECT
    layer,
    round(greatest(1, floor(min(price) / reach / step)))::BIGINT AS lowest,
    ceil(max(price) * reach / step)::BIGINT AS highest
  FROM market_series AS series
  JOIN market_anchors AS anchors
    ON anchors.number = series.ticker_number
    AND anchors.date BETWEEN series.first_session AND $from
    AND (is_monday OR anchors.date = series.first_session)
  WHERE series.expiry > $from OR (series.expiry = $from AND settlement = 'PM')
  GROUP BY layer, reach, step
),
multiples AS (
  SELECT
    layer,
    unnest(range(lowest, highest + 1)) AS multiple
  FROM grids
),
-- Layers share strikes.
strikes AS (
  SELECT
    ticker_number,
    expiry,
    round(multiple * step, 3)::DECIMAL(18, 3) AS strike,
    min(settlement) AS settlement,
    min(first_session) AS first_session
  FROM multiples
  JOIN market_series USING (layer)
  GROUP BY ALL
),
-- Numbered while rows are few and narrow: the position of a pair, and that of the same strike at the next expiry.
pairs AS (
  SELECT
    *,
    row_number() OVER (ORDER BY ticker_number, expiry, strike)::INTEGER AS pair,
    -- Position of the strike within its expiry.
    row_number() OVER (PARTITION BY ticker_number, expiry ORDER BY strike)::INTEGER AS place,
    count(*) OVER (PARTITION BY ticker_number, expiry)::INTEGER AS places
  FROM strikes
),
followed AS (
  SELECT
    *,
    lead(pair) OVER (PARTITION BY ticker_number, strike ORDER BY expiry) AS later_pair
  FROM pairs
),
contracts AS (
  SELECT
    today.*,
    expiry,
    strike,
    settlement,
    first_session,
    place,
    places,
    -- The call comes before the put.
    unnest(['call', 'put']) AS option_type,
    unnest([2 * pair - 1, 2 * pair]) AS number,
    -- The far leg of a calendar spread.
    unnest([2 * later_pair - 1, 2 * later_pair]) AS later,
    -- Quotes on the expiry date are those of 15 minutes before the close.
    CASE WHEN expiry > date THEN (expiry - date) / 365e0 ELSE 15e0 / (365 * 1440) END AS years
  FROM followed
  JOIN market_today AS today USING (ticker_number)
),
-- The smile: distance from the spot in standard deviations (of one day at least), limited to 3.5.
moneyness AS (
  SELECT
    * REPLACE (CASE WHEN expiry > date THEN dividend_yield ELSE 0 END AS dividend_yield),
    -- No interest and no dividend accrues on the expiry date.
    CASE WHEN expiry > date THEN treasury_rate(expiry - date, three_months, two_years, five_years) ELSE 0 END AS rate,
    osi_symbol(ticker, expiry, option_type, strike) AS option_symbol,
    strike::DOUBLE AS k,
    greatest(-3.5e0, least(3.5e0, ln(strike::DOUBLE / spot) / (level * sqrt(greatest(years, 1e0 / 365))))) AS x
  FROM contracts
),
smile AS (
  SELECT
    *,
    symbol_number(option_symbol) AS option_symbol_id,
    level * (1e0 - 0.02e0 * x + 0.035e0 * x * x) AS iv,
    option_type = 'call' AS is_call,
    exp(-dividend_yield * years) AS carry,
    k * exp((dividend_yield - rate) * years) AS k_now
  FROM moneyness
),
first_terms AS (
  SELECT
    *,
    iv * sqrt(years) AS deviation,
    ln(spot / k_now) / (iv * sqrt(years)) + iv * sqrt(years) / 2e0 AS d1
  FROM smile
),
second_terms AS (
  SELECT
    *,
    d1 - deviation AS d2,
    normal_cdf(d1) - CASE WHEN is_call THEN 0e0 ELSE 1e0 END AS tail1,
    normal_cdf(d1 - deviation) - CASE WHEN is_call THEN 0e0 ELSE 1e0 END AS tail2,
    normal_density(d1) AS density
  FROM first_terms
),
valued AS (
  SELECT
    *,
    greek_delta(carry, tail1) AS delta,
    option_value(carry, spot, k_now, tail1, tail2) AS theo
  FROM second_terms
),
remembered AS (
  SELECT
    valued.*,
    known.open_interest AS known_interest,
    known.peak_volume,
    -- Share of the day's trades: higher near the money and near expiry, with random popularity.
    round(1e6 * share * exp(-0.35e0 * x * x) / (1 + (expiry - valued.date) / 12e0)
      * pow(unit(hash($seed, 'popular', valued.option_symbol_id)), -0.5e0)
      * pow(unit(hash($seed, 'busy', valued.option_symbol_id, valued.date)), -0.45e0))::BIGINT + 1 AS weight
  FROM valued
  LEFT JOIN market_interest AS known USING (option_symbol_id)
)
SELECT
  * EXCLUDE (
    known_interest, opens, closes, span_us, session, share, level, three_months, two_years, five_years
  ),
  -- Contracts listed before the first generated day have open interest; later ones start with none.
  CASE
    WHEN known_interest IS NOT NULL THEN known_interest
    WHEN first_session < date AND date = (SELECT min(date) FROM market_sessions WHERE NOT warm)
      THEN first_interest(option_symbol_id)
    ELSE 0
  END AS open_interest
FROM remembered
