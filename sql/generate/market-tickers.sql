-- market_tickers: fictitious tickers, numbered from 0. Types have fixed numbers, so that a small market has them too:
-- ETFs are 7, 8 and 9, the index is 10, an ADR is 11; above 30 one in twelve is an ETF.
WITH words (number, ticker, name) AS (
  VALUES
    (0, 'ACME', 'Acme'), (1, 'BRASS', 'Brass'), (2, 'CEDAR', 'Cedar'), (3, 'DELTA', 'Delta'), (4, 'EMBER', 'Ember'),
    (5, 'FJORD', 'Fjord'), (6, 'GROVE', 'Grove'), (7, 'WIDE', 'Wide Market'), (8, 'TILT', 'Tilted Value'),
    (9, 'BONDY', 'Long Bond'), (10, 'HUNDR', 'Hundred'), (11, 'HARBR', 'Harbour')
),
-- After the words: two syllables and an X, which are 7,225 distinct names.
spelled AS (
  SELECT
    i::INTEGER AS number,
    concat(
      'BCDFGHJKLMNPRSTVZ'[1 + i % 17], 'AEIOU'[1 + i // 17 % 5],
      'KLMNPRSTVZBCDFGHJ'[1 + i // 85 % 17], 'UIOEA'[1 + i // 1445 % 5], 'X'
    ) AS code
  FROM range($tickers) AS numbers (i)
),
named AS (
  SELECT
    number,
    coalesce(ticker, code) AS ticker,
    coalesce(name, upper(code[1]) || lower(code[2:5])) AS name,
    CASE
      WHEN number = 10 THEN 'Index'
      WHEN number IN (7, 8, 9) OR (number > 30 AND number % 12 = 7) THEN 'ETF'
      WHEN number % 23 = 11 THEN 'ADR'
      ELSE 'Common Stock'
    END AS issue_type,
    -- The 11 sectors in turn, with a choice of industries in each.
    [
      {'sector': 'Technology', 'industries': ['Semiconductors', 'Software']},
      {'sector': 'Healthcare', 'industries': ['Biotechnology', 'Medical Devices']},
      {'sector': 'Financial Services', 'industries': ['Banks', 'Insurance']},
      {'sector': 'Energy', 'industries': ['Oil & Gas', 'Uranium']},
      {'sector': 'Consumer Cyclical', 'industries': ['Retail', 'Auto Parts']},
      {'sector': 'Industrials', 'industries': ['Machinery', 'Railroads']},
      {'sector': 'Consumer Defensive', 'industries': ['Groceries', 'Beverages']},
      {'sector': 'Communication Services', 'industries': ['Telecom', 'Publishing']},
      {'sector': 'Basic Materials', 'industries': ['Chemicals', 'Copper']},
      {'sector': 'Utilities', 'industries': ['Electricity', 'Water']},
      {'sector': 'Real Estate', 'industries': ['Offices', 'Warehouses']}
    ][1 + number % 11] AS field
  FROM spelled
  LEFT JOIN words USING (number)
),
-- Market capitalisations of every tier, in billions of dollars: the first three tickers have one below 10, one
-- between and one above 100. That of a fund are its assets: a twentieth of its stocks' capitalisation, so that all funds
-- together own a small part of a company. Shares follow from the price of the first session.
sized AS (
  SELECT
    *,
    [640, 3.2, 38, 130, 1.8, 72, 22, 480, 6.5, 28, 90, 55][1 + number % 12]
    * CASE issue_type WHEN 'Index' THEN 100 WHEN 'ETF' THEN 0.1 ELSE 1 END
    * CASE WHEN number < 12 THEN 1 ELSE 0.5 + 1.0 * unit(hash($seed, 'capitalisation', number)) END AS billions,
    [120.0, 48.0, 210.0, 95.0, 17.5, 310.0, 66.0, 420.0, 88.0, 104.0, 240.0, 39.0][1 + number % 12]
    * CASE issue_type WHEN 'Index' THEN 10 ELSE 1 END
    * CASE WHEN number < 12 THEN 1 ELSE 0.4 + 1.2 * unit(hash($seed, 'price', number)) END AS price
  FROM named
)
SELECT
  number,
  ticker,
  CASE issue_type
    WHEN 'ETF' THEN name || ' Exchange-Traded Fund'
    WHEN 'Index' THEN name || ' Index'
    WHEN 'ADR' THEN name || ' Holdings plc ADR'
    ELSE name || ' ' || pick(hash('name', number), ['Incorporated', 'Corporation', 'Group', 'Industries'])
  END AS full_name,
  name AS short_name,
  CASE WHEN is_company(issue_type) THEN field.sector END AS sector,
  CASE
    WHEN is_company(issue_type) THEN pick(hash($seed, 'industry', number), field.industries)
    WHEN issue_type = 'ETF' THEN 'Exchange Traded Fund'
  END AS industry_type,
  issue_type,
  round(billions * 1e9 / price)::BIGINT AS shares_outstanding,
  CASE
    WHEN issue_type IN ('ETF', 'Index') THEN 0.13 + 0.09 * unit(hash($seed, 'volatility', number))
    ELSE 0.22 + 0.33 * unit(hash($seed, 'volatility', number))
  END AS volatility,
  number < 12 OR number % 16 <> 15 AS has_options,
  -- Continuously compounded, per year. An index pays nothing itself: its yield is that of its stocks.
  CASE
    WHEN issue_type IN ('ETF', 'Index') THEN 0.013
    WHEN number % 5 = 4 THEN 0
    ELSE 0.003 + 0.016 * unit(hash($seed, 'dividend yield', number))
  END::DOUBLE AS dividend_yield,
  -- Columns used only by the market's own tables.
  round(price, 2) AS first_price
FROM sized
ORDER BY number
