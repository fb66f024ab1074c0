-- market_fund_assets: the assets of each fund. Those of a traded fund are its shares at their price, on the dates of its
-- profiles; a fund that is not traded owns a twentieth of the shares by which its stocks are weighted.
SELECT
  ticker AS etf,
  date,
  marketcap AS assets
FROM market_profiles
WHERE issue_type = 'ETF'
UNION ALL
SELECT
  etf,
  date,
  round(sum(shares::DECIMAL(20, 0) * round(close / units, 6)::DECIMAL(18, 6)) / 20, 2)::DECIMAL(18, 2)
FROM market_funds
JOIN market_closes USING (number)
JOIN market_fund_days USING (date)
WHERE etf NOT IN (SELECT ticker FROM market_tickers)
GROUP BY etf, date
