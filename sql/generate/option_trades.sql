-- option_trades: the trades of one generated day ($from), each with a quote around the contract's value at the current
-- price of the underlying. The side follows from comparing the fill with the midpoint, never the reverse.
-- Each table joined by LEFT JOIN is smaller than the trades, so that the engine probes it with the trades and not the
-- reverse: the trades then keep their order.
WITH met AS (
  SELECT
    tape.* EXCLUDE (number, filed),
    traded.* EXCLUDE (number, years),
    conditions.* EXCLUDE (code),
    hash($seed, id) AS h,
    today.opens,
    -- On the expiry date, the time left to the close, at least one minute.
    CASE
      WHEN expiry > traded.date THEN years
      ELSE greatest(60e0, epoch(today.closes - executed_at)) / 31536000e0
    END AS years
  FROM market_tape AS tape
  LEFT JOIN market_traded AS traded USING (number)
  LEFT JOIN market_conditions AS conditions USING (code)
  LEFT JOIN market_today AS today ON today.ticker_number = tape.ticker_number
),
first_terms AS (
  SELECT
    *,
    iv * sqrt(years) AS deviation,
    ln(price_now / k_now) / (iv * sqrt(years)) + iv * sqrt(years) / 2e0 AS d1
  FROM met
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
    option_value(carry, price_now, k_now, tail1, tail2) AS value
  FROM second_terms
),
quoted AS (
  SELECT
    *,
    quote_bid(value, quote_margin(value, delta)) AS bid,
    quote_ask(value, quote_margin(value, delta)) AS ask
  FROM valued
),
-- Prices in cents, so that fill and midpoint compare exactly. A fill between them is rounded down to the cent.
filled AS (
  SELECT
    *,
    greatest(1, CASE
      WHEN aim > 1 THEN ask + 1
      WHEN aim < 0 THEN bid - 1
      ELSE bid + floor((ask - bid) * aim)::INTEGER
    END) AS cents
  FROM quoted
),
sided AS (
  SELECT
    *,
    (CASE WHEN is_cross OR sale > 0 OR blindness = 2 THEN 2 ELSE sign(2 * cents - bid - ask) END)::TINYINT AS side,
    100e0 * greek_vega(carry, price_now, density, years) AS vega_unit
  FROM filled
)
SELECT
  id,
  date,
  ticker AS underlying_symbol,
  option_symbol AS option_chain_id,
  option_symbol_id,
  option_type,
  strike,
  expiry,
  100 AS multiplier,
  executed_at,
  (cents * 0.01e0)::DECIMAL(18, 4) AS price,
  size::BIGINT AS size,
  -- Cents per unit times a hundred units are dollars.
  (cents * size::BIGINT)::DECIMAL(18, 4) AS premium,
  total_volume - volume_before AS volume,
  open_interest,
  round(price_now, 4)::DECIMAL(18, 4) AS underlying_price,
  CASE
    WHEN is_floor THEN ['A', 'C', 'N', 'X'][1 + (h & 3)::BIGINT]
    ELSE ['A', 'B', 'C', 'D', 'E', 'H', 'I', 'J', 'M', 'N', 'P', 'Q', 'S', 'T', 'W', 'X', 'Z'][1 + (h % 17)::BIGINT]
  END AS exchange,
  canceled,
  (h >> 5) % 20 = 0 AS is_agg,
  CASE WHEN side = 1 THEN size ELSE 0 END::BIGINT AS ask_vol,
  CASE WHEN side = -1 THEN size ELSE 0 END::BIGINT AS bid_vol,
  CASE WHEN side = 0 THEN size ELSE 0 END::BIGINT AS mid_vol,
  CASE WHEN side = 2 THEN size ELSE 0 END::BIGINT AS no_side_vol,
  CASE WHEN is_multi THEN size ELSE 0 END::BIGINT AS multi_vol,
  CASE WHEN is_stock_multi THEN size ELSE 0 END::BIGINT AS stock_multi_vol,
  CASE WHEN blindness < 2 THEN (bid * 0.01e0)::DECIMAL(18, 4) END AS nbbo_bid,
  CASE WHEN blindness < 2 THEN (ask * 0.01e0)::DECIMAL(18, 4) END AS nbbo_ask,
  CASE WHEN blindness = 0 THEN 1 + ((h >> 10) & 255) * ((h >> 18) & 7) // 4 END::BIGINT AS nbbo_bid_size,
  CASE WHEN blindness = 0 THEN 1 + ((h >> 21) & 255) * ((h >> 29) & 7) // 4 END::BIGINT AS nbbo_ask_size,
  -- Quotes are up to two seconds old, and none is older than the session.
  CASE WHEN blindness = 0 THEN greatest(opens, executed_at - to_microseconds(((h >> 32) % 2000000)::BIGINT)) END
    AS nbbo_bid_time,
  CASE WHEN blindness = 0 THEN greatest(opens, executed_at - to_microseconds(((h >> 40) % 2000000)::BIGINT)) END
    AS nbbo_ask_time,
  -- The averages lag by four tenths of the move since the minute began.
  CASE WHEN blindness < 2 THEN round(greatest(0e0, bid * 0.01e0 - 0.4e0 * delta * (price_now - minute_open)), 4)
    ::DECIMAL(18, 4) END
    AS ewma_nbbo_bid,
  CASE WHEN blindness < 2 THEN round(greatest(0.01e0, ask * 0.01e0 - 0.4e0 * delta * (price_now - minute_open)), 4)
    ::DECIMAL(18, 4) END
    AS ewma_nbbo_ask,
  round(delta, 10)::DECIMAL(18, 10) AS delta,
  round(greek_gamma(carry, price_now, density, deviation), 10)::DECIMAL(18, 10) AS gamma,
  round(greek_theta(carry, price_now, k_now, tail1, tail2, density, iv, years, rate, dividend_yield), 10)
    ::DECIMAL(18, 10) AS theta,
  round(vega_unit / 100e0, 10)::DECIMAL(18, 10) AS vega,
  round(greek_rho(carry, k_now, tail2, years), 10)::DECIMAL(18, 10) AS rho,
  round(value, 4)::DECIMAL(18, 4) AS theo,
  -- One step of Newton's method from the quote's volatility to the fill's, if the price depends on volatility at all.
  round(
    iv * greatest(
      0.5e0,
      least(2e0, 1e0 + CASE WHEN vega_unit > 0.1e0 THEN (cents * 0.01e0 - value) / vega_unit / iv ELSE 0e0 END)
    ),
    10
  )::DECIMAL(18, 10) AS implied_volatility,
  tags,
  CASE WHEN canceled THEN ['canceled'] WHEN sale = 1 THEN ['late'] WHEN sale = 2 THEN ['out_of_sequence'] ELSE [] END
    AS report_flags,
  detail AS upstream_condition_detail,
  trade_code,
  CASE sale WHEN 1 THEN 'late' WHEN 2 THEN 'out_of_sequence' END AS sale_condition,
  multi_leg_id
FROM sided
LEFT JOIN market_tags USING (side, is_call, issue_type)
