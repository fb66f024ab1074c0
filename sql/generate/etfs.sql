-- The funds of the market, with a row on each date of their profiles in tickers, whose market capitalisation are their
-- assets. Their fees were reduced once.
WITH funds AS (
  SELECT
    etf,
    fund,
    count(*) AS stocks
  FROM market_funds
  GROUP BY ALL
)
SELECT
  etf AS ticker,
  date,
  coalesce(full_name, 'Whole Market Fund') AS name,
  pick(hash($seed, 'etf company', fund), ['Harborline Funds', 'Summit Index Co', 'Tallgrass Shares']) AS etf_company,
  pick(hash($seed, 'etf domicile', fund), ['US', 'US', 'US', 'IE']) AS domicile,
  format('{} follows an index of {} companies of the made-up market.', name, stocks) AS description,
  'https://funds.example/' || lower(etf) AS website,
  DATE '2004-05-03' + (hash($seed, 'etf inception', fund) % 5000)::INTEGER AS inception_date,
  round(
    (3 + hash($seed, 'etf fee', fund) % 60)::DECIMAL(9, 4) / 100
      - CASE WHEN date < $from + ((($to - $from) * 6) // 10)::INTEGER THEN 0 ELSE 0.01 END,
    4
  )::DECIMAL(9, 4) AS expense_ratio,
  -- The stocks, bills and cash.
  (stocks + 2)::INTEGER AS holdings_count,
  assets AS aum,
  coalesce(has_options, false) AS has_options
FROM market_fund_assets
JOIN funds USING (etf)
LEFT JOIN market_tickers ON ticker = etf
