-- Quarterly lobbying expenses reported by three in five of the first 400 companies, the first always, over the last
-- three election cycles up to that of $to. A report is filed within 20 days of the end of the quarter. One client has
-- no known company.
WITH quarters AS (
  SELECT
    (date_trunc('quarter', $to) - to_months(3 * back::INTEGER))::DATE AS period_start,
    (year(period_start) + year(period_start) % 2)::INTEGER AS cycle
  FROM range(1, 25) AS quarters (back)
  WHERE (period_start + to_months(3))::DATE + 20 <= $to
    AND cycle >= year($to) + year($to) % 2 - 4
),
companies AS (
  SELECT
    number::BIGINT AS number,
    ticker,
    full_name,
    row_number() OVER (ORDER BY number) - 1 AS place
  FROM market_tickers
  WHERE is_company(issue_type)
  QUALIFY place < 400
),
clients AS (
  SELECT
    number,
    ticker,
    upper(full_name) AS client_name
  FROM companies
  WHERE place = 0
    OR hash($seed, 'lobbies', number) % 5 < 3
  UNION ALL
  SELECT
    9999999,
    '',
    'COUNCIL OF SMALL HARBOURS'
)
SELECT
  regexp_replace(
    sha1(concat_ws('|', 'lobbying report', $seed, number, period_start)),
    '^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$',
    '\1-\2-5\3-a\4-\5'
  ) AS id,
  cycle,
  make_date(cycle, 12, 31) AS cycle_end,
  ticker,
  client_name,
  period_start,
  -- Reported to the nearest ten thousand dollars.
  round(
    10000 * (
      1 + floor(
        exp(1 + 4 * unit(hash($seed, 'lobbying', number)) + unit(hash($seed, 'lobbying', number, period_start)))
      )
    ), 2
  )::DECIMAL(18, 2) AS amount
FROM clients
CROSS JOIN quarters
