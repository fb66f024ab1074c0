-- option-open-interest: open interest of option contracts, one row per contract and trading day, added to the end-of-day chains
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/option
-- expects: open interest before the day's session, as published by the clearing house that morning
-- expects: only open interest is changed: the other columns of the contract and day in the lake (quotes, volume, implied volatility, greeks) are kept, and are NULL if the lake has no such row
-- reads: option_chain_days
-- rejects: symbols that are not in OSI notation, dates that are invalid, on a weekend or after the expiry
-- rejects: open interest that is missing or not a non-negative whole number
--
-- source: interest = csv
-- column: option_symbol = option_symbol, symbol, contract, option_chain_id; OSI notation, with or without O: and spaces
-- column: date = date; trading date, New York
-- column: open_interest = open_interest, open interest, openinterest, oi; contracts
--
-- On a Monday the clearing house still publishes the open interest of contracts that expired on the Friday before. They
-- are no longer listed and not part of that day's chain, so they are rejected as after the expiry.
-- dataset: option_chain_days
WITH typed AS (
  SELECT
    *,
    option_symbol_of(option_symbol) AS symbol,
    day_of(date) AS day,
    whole_of(open_interest) AS contracts
  FROM interest
)
SELECT
  typed.file,
  typed.line,
  day AS date,
  option_underlying(symbol) AS underlying_symbol,
  symbol AS option_symbol,
  option_type_of(symbol) AS option_type,
  option_strike(symbol) AS strike,
  option_expiry(symbol) AS expiry,
  coalesce(held.multiplier, option_multiplier(symbol)) AS multiplier,
  coalesce(held.settlement, option_settlement(symbol)) AS settlement,
  held.bid,
  held.ask,
  held.last,
  held.volume,
  contracts AS open_interest,
  held.underlying_price,
  held.implied_volatility,
  held.delta,
  held.gamma,
  held.theta,
  held.vega,
  held.rho,
  held.charm,
  held.vanna,
  coalesce(
    option_symbol_fault('option_symbol', typed.option_symbol),
    option_day_fault('date', typed.date, day, option_expiry(symbol), $today),
    blank_fault('open_interest', typed.open_interest),
    count_fault('open_interest', typed.open_interest, contracts)
  ) AS fault
FROM typed
LEFT JOIN held_option_chain_days AS held
  ON held.date = typed.day
  AND held.option_symbol = typed.symbol
