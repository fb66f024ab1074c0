-- option_chain_days: the chain of one generated day at the close, with the day's volume and last prices.
SELECT
  date,
  ticker AS underlying_symbol,
  option_symbol,
  option_type,
  strike,
  expiry,
  100 AS multiplier,
  settlement,
  (quote_bid(theo, quote_margin(theo, delta)) * 0.01e0)::DECIMAL(18, 4) AS bid,
  (quote_ask(theo, quote_margin(theo, delta)) * 0.01e0)::DECIMAL(18, 4) AS ask,
  last,
  coalesce(totals.volume, 0) AS volume,
  open_interest,
  round(spot, 4)::DECIMAL(18, 4) AS underlying_price,
  round(iv, 10)::DECIMAL(18, 10) AS implied_volatility,
  round(delta, 10)::DECIMAL(18, 10) AS delta,
  round(greek_gamma(carry, spot, density, deviation), 10)::DECIMAL(18, 10) AS gamma,
  round(greek_theta(carry, spot, k_now, tail1, tail2, density, iv, years, rate, dividend_yield), 10)
    ::DECIMAL(18, 10) AS theta,
  round(greek_vega(carry, spot, density, years), 10)::DECIMAL(18, 10) AS vega,
  round(greek_rho(carry, k_now, tail2, years), 10)::DECIMAL(18, 10) AS rho,
  round(greek_charm(carry, tail1, d2, density, deviation, years, rate, dividend_yield), 10)::DECIMAL(18, 10) AS charm,
  round(greek_vanna(carry, d2, density, iv), 10)::DECIMAL(18, 10) AS vanna
FROM market_chain
LEFT JOIN market_totals AS totals USING (option_symbol)
