-- option-chain: an end-of-day option chain, as Cboe offers it for download with its delayed quotes
-- address: https://www.cboe.com/delayed_quotes/spy/quote_table
-- expects: above the header, the name of the underlying, `Last: 450.81` and `Date: September 14, 2023 at 4:31 PM EDT`, the only line with the date
-- expects: a call on the left and a put on the right of each line, which becomes two rows
-- expects: a last sale of 0 means that the contract never traded, an ask of 0 that there is none; both are stored as NULL
-- expects: an IV of 0 means not computed, whatever delta and gamma it has; all three are then derived from the quotes
-- rejects: files without a date above the header; dates that are invalid, on a weekend or after the expiry
-- rejects: contracts whose symbol is not in OSI notation, or whose type, strike or expiry differs from the line
-- keeps: quotes, volume, open interest, IV, delta and gamma that are not numbers or impossible, stored as NULL
-- keeps: contracts of a file without a last price of the underlying before its header; their implied volatility and greeks are not derived
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
  call_interest AS interest
FROM chain
UNION ALL
SELECT
  file, line, expiration, strike, 'puts', 'put', put, put_last, put_bid, put_ask, put_volume, put_iv, put_delta,
  put_gamma, put_interest
FROM chain
-- dataset: option_chain_days
WITH typed AS (
  SELECT
    sides.*,
    headers.day,
    headers.spot,
    headers.written_day,
    option_symbol_of(contract) AS symbol,
    TRY_STRPTIME(expiration, '%a %b %d %Y')::DATE AS expires,
    TRY_CAST(half_even_text(plain_number(strike), 3) AS DECIMAL(18, 3)) AS strike_price,
    TRY_CAST(half_even_text(plain_number(present(last)), 4) AS DECIMAL(18, 4)) AS last_price,
    TRY_CAST(half_even_text(plain_number(present(bid)), 4) AS DECIMAL(18, 4)) AS bid_price,
    TRY_CAST(half_even_text(plain_number(present(ask)), 4) AS DECIMAL(18, 4)) AS ask_price,
    whole_number(present(volume)) AS contracts,
    whole_number(present(interest)) AS open_contracts,
    figure_of(present(iv)) AS iv_figure,
    figure_of(present(delta)) AS delta_figure,
    figure_of(present(gamma)) AS gamma_figure
  FROM chain_sides AS sides
  LEFT JOIN chain_headers AS headers USING (file)
),
-- A fault of the whole line is reported once.
judged AS (
  SELECT
    *,
    coalesce(
      CASE WHEN written_day IS NULL THEN ['date', 'no date above the header', NULL] END,
      day_fault('date', written_day, day, $today),
      CASE WHEN isodow(day) > 5 THEN ['date', 'on a weekend', written_day] END,
      blank_fault('expiration date', expiration),
      CASE WHEN expires IS NULL THEN ['expiration date', 'not a date', expiration] END,
      CASE WHEN day > expires THEN ['expiration date', 'before the date of the chain', expiration] END,
      blank_fault('strike', strike),
      CASE WHEN strike_price IS NULL THEN ['strike', 'not a number', strike] END
    ) AS line_fault,
    coalesce(
      option_symbol_fault(place, contract),
      CASE WHEN option_type_of(symbol) <> side THEN [place, 'not a ' || side, contract] END,
      CASE
        WHEN option_strike(symbol) <> strike_price OR option_expiry(symbol) <> expires
          THEN [place, 'strike or expiry differs from that of the line', contract]
      END
    ) AS contract_fault
  FROM typed
)
SELECT
  file,
  line,
  day AS date,
  option_underlying(symbol) AS underlying_symbol,
  symbol AS option_symbol,
  side AS option_type,
  strike_price AS strike,
  expires AS expiry,
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
  NULL::DECIMAL(18, 10) AS theta,
  NULL::DECIMAL(18, 10) AS vega,
  NULL::DECIMAL(18, 10) AS rho,
  NULL::DECIMAL(18, 10) AS charm,
  NULL::DECIMAL(18, 10) AS vanna,
  coalesce(line_fault, contract_fault) AS fault,
  [
    note('last sale', 'not a price', last, present(last) IS NOT NULL AND coalesce(last_price < 0, true)),
    note('bid', 'not a price', bid, present(bid) IS NOT NULL AND coalesce(bid_price < 0, true)),
    note('ask', 'not a price', ask, present(ask) IS NOT NULL AND coalesce(ask_price < 0, true)),
    note('volume', 'not a contract count', volume, present(volume) IS NOT NULL AND coalesce(contracts < 0, true)),
    note(
      'open interest',
      'not a contract count',
      interest,
      present(interest) IS NOT NULL AND coalesce(open_contracts < 0, true)
    ),
    note('iv', 'not an implied volatility', iv, present(iv) IS NOT NULL AND coalesce(iv_figure < 0, true)),
    note('delta', 'not between -1 and 1', delta, present(delta) IS NOT NULL AND coalesce(abs(delta_figure) > 1, true)),
    note('gamma', 'not a non-negative number', gamma, present(gamma) IS NOT NULL AND coalesce(gamma_figure < 0, true)),
    note('last', 'no price of the underlying before the header', NULL, spot IS NULL OR spot = 0)
  ] AS left_out
FROM judged
WHERE line_fault IS NULL OR side = 'call'
