-- option-chain: end-of-day option chains, as Cboe offers them for download with its delayed quotes, or one row per contract
-- address: https://www.cboe.com/delayed_quotes/spy/quote_table
-- expects: of Cboe, above the header, the name of the underlying, `Last: 450.81` and `Date: September 14, 2023 at 4:31 PM EDT`, the only line with the date
-- expects: of Cboe, a call on the left and a put on the right of each line, which becomes two rows
-- expects: of others, a contract in OSI notation (AAPL240119C00190000), or its root, expiry, type and strike, and a date, or an instant, whose date in New York counts
-- expects: a last sale of 0 means that the contract never traded, an ask of 0 that there is none; both are stored as NULL
-- expects: an IV of 0 means not computed, whatever delta and gamma it has; all three are then derived from the quotes
-- rejects: files of Cboe without a date above the header; dates that are invalid, on a weekend or after the expiry
-- rejects: contracts whose symbol is not in OSI notation, or whose type, strike or expiry differs from the line
-- keeps: quotes, volume, open interest, IV and greeks that are not numbers or impossible, stored as NULL
-- keeps: contracts of a file of Cboe without a last price of the underlying before its header; their implied volatility and greeks are not derived
--
-- source: chain = csv
-- column: expiration = expiration date; must match both contracts
-- column: strike = strike; must match both contracts
-- column: call = calls; OSI notation, becomes option_symbol
-- column: call_last = last sale#1; becomes last
-- column: call_bid = bid#1
-- column: call_ask = ask#1
-- column: call_volume = volume#1
-- column: call_iv = iv#1; annualised, as a fraction, becomes implied_volatility
-- column: call_delta = delta#1
-- column: call_gamma = gamma#1
-- column: call_interest = open interest#1; becomes open_interest
-- column: put = puts; this and the columns below as for the call
-- column: put_last = last sale#2
-- column: put_bid = bid#2
-- column: put_ask = ask#2
-- column: put_volume = volume#2
-- column: put_iv = iv#2
-- column: put_delta = delta#2
-- column: put_gamma = gamma#2
-- column: put_interest = open interest#2
--
-- source: contracts = csv
-- column: option_symbol = option_symbol, contract, option_chain_id; OSI notation, with or without O: and spaces. Layouts can give root, expiration, strike and option_type instead
-- optional: root = option_root; root of the symbol, such as SPXW
-- optional: expiration = contract_expiration
-- optional: strike = contract_strike
-- optional: option_type = contract_type; call, put, C or P
-- column: date = date, quote_date, trade_date; trading date, or an instant
-- column: bid = bid, bid_price; dollars per unit
-- column: ask = ask, ask_price, offer; dollars per unit
-- optional: last = last, last_price, close
-- optional: volume = volume; contracts
-- optional: interest = open_interest, oi; contracts
-- optional: spot = underlying_price, stock_price, spot; price of the underlying
-- optional: spot_bid = underlying_bid; bid and ask of the underlying, whose midpoint is its price
-- optional: spot_ask = underlying_ask
-- optional: iv = implied_volatility, iv, implied_vol; annualised, as a fraction
-- optional: delta = delta
-- optional: gamma = gamma
-- optional: theta = theta; per calendar day
-- optional: vega = vega; per point (0.01) of volatility
-- optional: rho = rho; per point (0.01) of the interest rate
--
-- Figures that Cboe does not provide, including theta, vega, rho, charm and vanna, are NULL: option_greek_days has those
-- that follow from the quotes, or from the IV if present.
-- step: chain_headers
SELECT
  file,
  TRY_STRPTIME(written_day, '%B %d, %Y')::DATE AS day,
  written_day,
  TRY_CAST(half_even_text(plain_number(written_price), 4) AS DECIMAL(18, 4)) AS spot
FROM (
  SELECT
    file,
    nullif(regexp_extract(array_to_string(preamble, chr(10)), 'Date: *([A-Za-z]+ +\d{1,2}, *\d{4})', 1), '') AS written_day,
    nullif(regexp_extract(array_to_string(preamble, chr(10)), 'Last: *(\d+(,\d{3})*(\.\d+)?)', 1), '') AS written_price
  FROM files
)
-- step: chain_sides
SELECT
  file, line, expiration, strike, 'calls' AS place, 'call' AS side, call AS contract, call_last AS last, call_bid AS bid,
  call_ask AS ask, call_volume AS volume, call_iv AS iv, call_delta AS delta, call_gamma AS gamma,
  call_interest AS interest, written_day, day, spot, true AS has_header
FROM chain
LEFT JOIN chain_headers USING (file)
UNION ALL
SELECT
  file, line, expiration, strike, 'puts', 'put', put, put_last, put_bid, put_ask, put_volume, put_iv, put_delta,
  put_gamma, put_interest, written_day, day, spot, true
FROM chain
LEFT JOIN chain_headers USING (file)
UNION ALL BY NAME
SELECT
  * EXCLUDE (option_symbol, option_type, date, spot, spot_bid, spot_ask, number_of_spot, number_of_bid, number_of_ask, bid_of_spot, ask_of_spot),
  'option_symbol' AS place,
  call_or_put(lower(option_type)) AS side,
  option_symbol AS contract,
  date AS written_day,
  coalesce(
    day_of(date),
    if(is_without_zone(date), NULL, (instant_of(date) AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York')::DATE)
  ) AS day,
  coalesce(
    TRY_CAST(half_even_text(number_of_spot, 4) AS DECIMAL(18, 4)),
    half_even((bid_of_spot + ask_of_spot) / 2, 4)::DECIMAL(18, 4)
  ) AS spot,
  false AS has_header
FROM (
  SELECT
    *,
    nullif(TRY_CAST(half_even_text(number_of_bid, 6) AS DECIMAL(18, 6)), 0) AS bid_of_spot,
    nullif(TRY_CAST(half_even_text(number_of_ask, 6) AS DECIMAL(18, 6)), 0) AS ask_of_spot
  FROM (
    SELECT
      *,
      plain_number(present(spot)) AS number_of_spot,
      plain_number(present(spot_bid)) AS number_of_bid,
      plain_number(present(spot_ask)) AS number_of_ask
    FROM contracts
  )
)
-- dataset: option_chain_days
-- One macro per level, because a macro repeats its argument.
WITH stated AS (
  SELECT
    *,
    present(COLUMNS('^(last|bid|ask|volume|interest|iv|delta|gamma|theta|vega|rho)$')) AS "\0_stated"
  FROM chain_sides
),
plain AS (
  SELECT
    *,
    if(has_header, TRY_STRPTIME(expiration, '%a %b %d %Y')::DATE, day_of(expiration)) AS expires,
    TRY_CAST(half_even_text(plain_number(strike), 3) AS DECIMAL(18, 3)) AS strike_price,
    plain_number(COLUMNS('^(last|bid|ask|volume|interest)_stated$')) AS "\1_plain"
  FROM stated
),
named AS (
  SELECT
    *,
    coalesce(contract, option_symbol_from(root, expires, side, strike_price)) AS written_symbol
  FROM plain
),
typed AS (
  SELECT
    *,
    option_symbol_of(written_symbol) AS symbol,
    TRY_CAST(half_even_text(last_plain, 4) AS DECIMAL(18, 4)) AS last_price,
    TRY_CAST(half_even_text(bid_plain, 4) AS DECIMAL(18, 4)) AS bid_price,
    TRY_CAST(half_even_text(ask_plain, 4) AS DECIMAL(18, 4)) AS ask_price,
    whole_number(volume_plain) AS contracts,
    whole_number(interest_plain) AS open_contracts,
    figure_of(iv_stated) AS iv_figure,
    figure_of(delta_stated) AS delta_figure,
    figure_of(gamma_stated) AS gamma_figure,
    figure_of(theta_stated) AS theta_figure,
    figure_of(vega_stated) AS vega_figure,
    figure_of(rho_stated) AS rho_figure
  FROM named
),
-- A fault of the whole line is reported once. A contract of its own may be named by its symbol alone.
judged AS (
  SELECT
    *,
    NOT has_header AND contract IS NOT NULL AND expiration IS NULL AS is_symbol_alone,
    coalesce(
      CASE WHEN has_header AND written_day IS NULL THEN ['date', 'no date above the header', NULL] END,
      day_fault('date', written_day, day, $today),
      CASE WHEN isodow(day) > 5 THEN ['date', 'on a weekend', written_day] END,
      CASE WHEN NOT is_symbol_alone AND expiration IS NULL THEN ['expiration date', 'missing', NULL] END,
      CASE WHEN NOT is_symbol_alone AND expires IS NULL THEN ['expiration date', 'not a date', expiration] END,
      CASE WHEN day > expires THEN ['expiration date', 'before the date of the chain', expiration] END,
      CASE WHEN NOT is_symbol_alone AND strike IS NULL THEN ['strike', 'missing', NULL] END,
      CASE WHEN NOT is_symbol_alone AND strike_price IS NULL THEN ['strike', 'not a number', strike] END
    ) AS line_fault,
    coalesce(
      option_symbol_fault(place, written_symbol),
      CASE WHEN option_type_of(symbol) <> side THEN [place, 'not a ' || side, contract] END,
      CASE
        WHEN option_strike(symbol) <> strike_price OR option_expiry(symbol) <> expires
          THEN [place, 'strike or expiry differs from that of the line', contract]
      END,
      CASE WHEN day > option_expiry(symbol) THEN [place, 'after the expiry', contract] END
    ) AS contract_fault
  FROM typed
)
SELECT
  file,
  line,
  day AS date,
  option_underlying(symbol) AS underlying_symbol,
  symbol AS option_symbol,
  option_type_of(symbol) AS option_type,
  option_strike(symbol) AS strike,
  option_expiry(symbol) AS expiry,
  option_multiplier(symbol) AS multiplier,
  option_settlement(symbol) AS settlement,
  CASE WHEN bid_price > 0 OR (bid_price = 0 AND ask_price > 0) THEN bid_price END AS bid,
  CASE WHEN ask_price > 0 THEN ask_price END AS ask,
  CASE WHEN last_price > 0 THEN last_price END AS last,
  CASE WHEN contracts >= 0 THEN contracts END AS volume,
  CASE WHEN open_contracts >= 0 THEN open_contracts END AS open_interest,
  CASE WHEN spot > 0 THEN spot END AS underlying_price,
  CASE WHEN iv_figure > 0 THEN iv_figure END AS implied_volatility,
  CASE WHEN iv_figure > 0 AND abs(delta_figure) <= 1 THEN delta_figure END AS delta,
  CASE WHEN iv_figure > 0 AND gamma_figure >= 0 THEN gamma_figure END AS gamma,
  CASE WHEN iv_figure > 0 THEN theta_figure END AS theta,
  CASE WHEN iv_figure > 0 AND vega_figure >= 0 THEN vega_figure END AS vega,
  CASE WHEN iv_figure > 0 THEN rho_figure END AS rho,
  NULL::DECIMAL(18, 10) AS charm,
  NULL::DECIMAL(18, 10) AS vanna,
  coalesce(line_fault, contract_fault) AS fault,
  [
    note('last sale', 'not a price', last, last_stated IS NOT NULL AND coalesce(last_price < 0, true)),
    note('bid', 'not a price', bid, bid_stated IS NOT NULL AND coalesce(bid_price < 0, true)),
    note('ask', 'not a price', ask, ask_stated IS NOT NULL AND coalesce(ask_price < 0, true)),
    note('volume', 'not a contract count', volume, volume_stated IS NOT NULL AND coalesce(contracts < 0, true)),
    note(
      'open interest',
      'not a contract count',
      interest,
      interest_stated IS NOT NULL AND coalesce(open_contracts < 0, true)
    ),
    note('iv', 'not an implied volatility', iv, iv_stated IS NOT NULL AND coalesce(iv_figure < 0, true)),
    note('delta', 'not between -1 and 1', delta, delta_stated IS NOT NULL AND coalesce(abs(delta_figure) > 1, true)),
    note('gamma', 'not a non-negative number', gamma, gamma_stated IS NOT NULL AND coalesce(gamma_figure < 0, true)),
    note('theta', 'not a number', theta, theta_stated IS NOT NULL AND theta_figure IS NULL),
    note('vega', 'not a non-negative number', vega, vega_stated IS NOT NULL AND coalesce(vega_figure < 0, true)),
    note('rho', 'not a number', rho, rho_stated IS NOT NULL AND rho_figure IS NULL),
    note('last', 'no price of the underlying before the header', NULL, has_header AND coalesce(spot, 0) = 0)
  ] AS left_out
FROM judged
WHERE line_fault IS NULL OR side = 'call' OR NOT has_header
