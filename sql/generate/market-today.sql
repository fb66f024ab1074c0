-- market_today: the underlyings of one generated day with the inputs of the option market.
SELECT
  levels.number AS ticker_number,
  levels.ticker,
  levels.date,
  levels.session,
  opens,
  closes,
  epoch_us(closes) - epoch_us(opens) AS span_us,
  levels.close::DOUBLE AS spot,
  level,
  profiles.issue_type,
  profiles.marketcap,
  next_earnings_date,
  dividend_yield,
  three_months,
  two_years,
  five_years,
  -- A few tickers have most of the trades; which ones changes slightly from day to day.
  pow(levels.number + 2, -0.9) * exp(0.4 * normal(
    hash($seed, 'share', levels.number, levels.date), hash($seed, 'share, angle', levels.number, levels.date)
  )) AS share
FROM market_levels AS levels
JOIN market_sessions AS sessions ON sessions.date = levels.date
JOIN market_yields AS yields ON yields.date = levels.date
JOIN market_tickers AS tickers ON tickers.number = levels.number
ASOF JOIN market_profiles AS profiles ON levels.ticker = profiles.ticker AND levels.date >= profiles.date
WHERE levels.date = $from
