-- Political committees of the market's companies in the last three election cycles up to that of $to. Of the first 400
-- companies four in five have a committee, the first always; every ninth has a second one. A few committees are not
-- confirmed as corporate, and one has no known company. Their numbers are above the range in use.
WITH cycles AS (
  SELECT (year($to) + year($to) % 2 - 2 * back)::INTEGER AS cycle
  FROM range(3) AS cycles (back)
),
companies AS (
  SELECT
    number,
    ticker,
    full_name,
    row_number() OVER (ORDER BY number) - 1 AS place
  FROM market_tickers
  WHERE is_company(issue_type)
  QUALIFY place < 400
),
committees AS (
  SELECT
    'C' || (99000000 + 10 * number + second) AS committee_id,
    full_name || CASE second WHEN 0 THEN ' Political Action Committee' ELSE ' Good Government Fund' END AS name,
    full_name AS connected_organization,
    place = 0 OR hash($seed, 'committee confirmed', number, second) % 12 <> 0 AS is_corporate,
    ticker,
    full_name AS company_name
  FROM companies
  CROSS JOIN range(2) AS seconds (second)
  WHERE CASE second
    WHEN 0 THEN place = 0 OR hash($seed, 'committee', number) % 5 <> 0
    ELSE place % 9 = 0
  END
  UNION ALL
  SELECT
    'C98999999',
    'Friends of the Town Square',
    NULL,
    false,
    '',
    NULL
)
SELECT
  cycle,
  make_date(cycle, 12, 31) AS cycle_end,
  committee_id,
  name,
  connected_organization,
  is_corporate,
  ticker,
  company_name
FROM committees
CROSS JOIN cycles
