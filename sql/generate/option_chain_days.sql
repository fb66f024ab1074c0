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
  spot::DECIMAL(18, 4) AS underlying_price,
  iv::DECIMAL(18, 10) AS implied_volatility,
  delta::DECIMAL(18, 10) AS delta,
  greek_gamma(carry, spot, density, deviation)::DECIMAL(18, 10) AS gamma,
  greek_theta(carry, spot, k_now, tail1, tail2, density, iv, years, rate, dividend_yield)::DECIMAL(18, 10) AS theta,
  greek_vega(carry, spot, density, years)::DECIMAL(18, 10) AS vega,
  greek_rho(carry, k_now, tail2, years)::DECIMAL(18, 10) AS rho,
  greek_charm(carry, tail1, d2, density, deviation, years, rate, dividend_yield)::DECIMAL(18, 10) AS charm,
  greek_vanna(carry, d2, density, iv)::DECIMAL(18, 10) AS vanna
FROM market_chain
LEFT JOIN market_totals AS totals USING (option_symbol)
