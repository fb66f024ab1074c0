-- source: greeks = ndjson
-- columns: strike, date, expiry
-- columns: call_option_symbol, call_delta, call_gamma, call_theta, call_vega, call_rho, call_charm, call_vanna, call_volatility
-- columns: put_option_symbol, put_delta, put_gamma, put_theta, put_vega, put_rho, put_charm, put_vanna, put_volatility
--
-- source: screener = ndjson
-- columns: option_symbol, ticker_symbol, option_type, strike, expiry, volume, open_interest, prev_oi
-- columns: stock_price, bid, ask, iv, delta, gamma, theta, vega
-- columns: close, dte
--
-- source: option_stance = json
-- has: as_of_date, stance, ticker, data
-- member: as_of_date; date of the chain
-- member: context.stock_price; becomes underlying_price
-- member: data[]; scored contracts

-- step: shown_contracts
WITH scored AS (
  SELECT
    file,
    line,
    record ->> 'as_of_date' AS date,
    record ->> 'ticker' AS ticker,
    record ->> '$.context.stock_price' AS underlying_price,
    unnest(record -> '$.data[*]') AS contract
  FROM option_stance
),
contracts AS (
  SELECT
    file,
    line,
    call_option_symbol AS symbol,
    date,
    NULL AS ticker,
    NULL AS bid,
    NULL AS ask,
    NULL AS last,
    NULL AS volume,
    NULL AS open_interest,
    NULL AS underlying_price,
    call_volatility AS implied_volatility,
    call_delta AS delta,
    call_gamma AS gamma,
    call_theta AS theta,
    call_vega AS vega,
    call_rho AS rho,
    call_charm AS charm,
    call_vanna AS vanna
  FROM greeks
  WHERE call_option_symbol IS NOT NULL
  UNION ALL
  SELECT
    file,
    line,
    put_option_symbol AS symbol,
    date,
    NULL AS ticker,
    NULL AS bid,
    NULL AS ask,
    NULL AS last,
    NULL AS volume,
    NULL AS open_interest,
    NULL AS underlying_price,
    put_volatility AS implied_volatility,
    put_delta AS delta,
    put_gamma AS gamma,
    put_theta AS theta,
    put_vega AS vega,
    put_rho AS rho,
    put_charm AS charm,
    put_vanna AS vanna
  FROM greeks
  WHERE put_option_symbol IS NOT NULL
  UNION ALL
  SELECT
    file,
    line,
    option_symbol,
    (day_of(expiry) - whole_of(dte)::INTEGER)::VARCHAR,
    ticker_symbol,
    bid,
    ask,
    "close",
    volume,
    open_interest,
    stock_price,
    iv,
    delta,
    gamma,
    theta,
    vega,
    NULL,
    NULL,
    NULL
  FROM screener
  UNION ALL
  SELECT
    file,
    line,
    contract ->> 'option_symbol',
    date,
    ticker,
    NULL,
    NULL,
    NULL,
    contract ->> 'volume',
    contract ->> 'open_interest',
    underlying_price,
    contract ->> 'iv',
    contract ->> 'delta',
    contract ->> 'gamma',
    contract ->> 'theta',
    contract ->> 'vega',
    NULL,
    NULL,
    NULL
  FROM scored
)
SELECT
  file,
  line,
  option_symbol_of(symbol) AS option_symbol,
  day_of(date) AS date,
  coalesce(ticker_of(ticker), option_underlying(option_symbol_of(symbol))) AS underlying_symbol,
  TRY_CAST(half_even_text(bid, 4) AS DECIMAL(18, 4)) AS bid,
  TRY_CAST(half_even_text(ask, 4) AS DECIMAL(18, 4)) AS ask,
  TRY_CAST(half_even_text(last, 4) AS DECIMAL(18, 4)) AS last,
  whole_of(volume) AS volume,
  whole_of(open_interest) AS open_interest,
  TRY_CAST(half_even_text(underlying_price, 4) AS DECIMAL(18, 4)) AS underlying_price,
  figure_of(implied_volatility) AS implied_volatility,
  figure_of(delta) AS delta,
  figure_of(gamma) AS gamma,
  figure_of(theta) AS theta,
  figure_of(vega) AS vega,
  figure_of(rho) AS rho,
  figure_of(charm) AS charm,
  figure_of(vanna) AS vanna,
  coalesce(
    option_symbol_fault('option_symbol', symbol),
    option_day_fault('date', date, day_of(date), option_expiry(option_symbol_of(symbol)), $today),
    option_symbol_fault('option_symbol', symbol),
    number_fault('bid', bid, TRY_CAST(half_even_text(bid, 4) AS DECIMAL(18, 4))),
    number_fault('ask', ask, TRY_CAST(half_even_text(ask, 4) AS DECIMAL(18, 4))),
    number_fault('last', last, TRY_CAST(half_even_text(last, 4) AS DECIMAL(18, 4))),
    count_fault('volume', volume, whole_of(volume)),
    count_fault('open_interest', open_interest, whole_of(open_interest)),
    number_fault('underlying_price', underlying_price, TRY_CAST(half_even_text(underlying_price, 4) AS DECIMAL(18, 4))),
    number_fault('implied_volatility', implied_volatility, figure_of(implied_volatility)),
    number_fault('delta', delta, figure_of(delta)),
    number_fault('gamma', gamma, figure_of(gamma)),
    number_fault('theta', theta, figure_of(theta)),
    number_fault('vega', vega, figure_of(vega)),
    number_fault('rho', rho, figure_of(rho)),
    number_fault('charm', charm, figure_of(charm)),
    number_fault('vanna', vanna, figure_of(vanna))
  ) AS fault
FROM contracts

-- A contract that several answers show, or that the lake has, keeps the values that one of them lacks.
-- dataset: option_chain_days
WITH merged AS (
  SELECT
    max(file) AS file,
    arg_max(line, (file, line)) AS line,
    date,
    option_symbol,
    arg_max(underlying_symbol, (file, line)) AS underlying_symbol,
    arg_max(bid, (file, line)) AS bid,
    arg_max(ask, (file, line)) AS ask,
    arg_max(last, (file, line)) AS last,
    arg_max(volume, (file, line)) AS volume,
    arg_max(open_interest, (file, line)) AS open_interest,
    arg_max(underlying_price, (file, line)) AS underlying_price,
    arg_max(implied_volatility, (file, line)) AS implied_volatility,
    arg_max(delta, (file, line)) AS delta,
    arg_max(gamma, (file, line)) AS gamma,
    arg_max(theta, (file, line)) AS theta,
    arg_max(vega, (file, line)) AS vega,
    arg_max(rho, (file, line)) AS rho,
    arg_max(charm, (file, line)) AS charm,
    arg_max(vanna, (file, line)) AS vanna
  FROM shown_contracts
  WHERE fault IS NULL
  GROUP BY
    date,
    option_symbol
)
SELECT
  file,
  line,
  merged.date,
  coalesce(known.underlying_symbol, merged.underlying_symbol) AS underlying_symbol,
  merged.option_symbol,
  option_type_of(merged.option_symbol) AS option_type,
  option_strike(merged.option_symbol) AS strike,
  option_expiry(merged.option_symbol) AS expiry,
  coalesce(known.multiplier, option_multiplier(merged.option_symbol)) AS multiplier,
  coalesce(known.settlement, option_settlement(merged.option_symbol)) AS settlement,
  coalesce(merged.bid, known.bid) AS bid,
  coalesce(merged.ask, known.ask) AS ask,
  coalesce(merged.last, known.last) AS last,
  coalesce(merged.volume, known.volume) AS volume,
  coalesce(merged.open_interest, known.open_interest) AS open_interest,
  coalesce(merged.underlying_price, known.underlying_price) AS underlying_price,
  coalesce(merged.implied_volatility, known.implied_volatility) AS implied_volatility,
  coalesce(merged.delta, known.delta) AS delta,
  coalesce(merged.gamma, known.gamma) AS gamma,
  coalesce(merged.theta, known.theta) AS theta,
  coalesce(merged.vega, known.vega) AS vega,
  coalesce(merged.rho, known.rho) AS rho,
  coalesce(merged.charm, known.charm) AS charm,
  coalesce(merged.vanna, known.vanna) AS vanna,
  NULL::VARCHAR[] AS fault
FROM merged
LEFT JOIN held_option_chain_days AS known
  ON known.date = merged.date
  AND known.option_symbol = merged.option_symbol
UNION ALL BY NAME
SELECT file, line, fault
FROM shown_contracts
WHERE fault IS NOT NULL
