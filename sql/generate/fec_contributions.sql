-- Contributions in each cycle by the corporate committees of fec_committees.sql, to candidates, parties and others, and
-- by employees of the first 400 companies. A few are refunds, a few have no date. No date is after $to.
-- Which companies have a committee, and which of these are confirmed, is drawn as in fec_committees.sql.
WITH cycles AS (
  SELECT (year($to) + year($to) % 2 - 2 * back)::INTEGER AS cycle
  FROM range(3) AS cycles (back)
),
companies AS (
  SELECT
    number,
    ticker,
    row_number() OVER (ORDER BY number) - 1 AS place
  FROM market_tickers
  WHERE is_company(issue_type)
  QUALIFY place < 400
),
givers AS (
  SELECT
    ticker,
    number,
    second AS giver,
    'C' || (99000000 + 10 * number + second) AS committee_id,
    8 + hash($seed, 'gifts', number, second) % 30 AS gifts
  FROM companies
  CROSS JOIN range(2) AS seconds (second)
  WHERE (place = 0 OR hash($seed, 'committee confirmed', number, second) % 12 <> 0)
    AND CASE second
      WHEN 0 THEN place = 0 OR hash($seed, 'committee', number) % 5 <> 0
      ELSE place % 9 = 0
    END
  UNION ALL
  SELECT
    ticker,
    number,
    2,
    NULL,
    10 + hash($seed, 'employees', number) % 40
  FROM companies
),
gifts AS (
  SELECT
    *,
    make_date(cycle - 1, 1, 1) AS first_day,
    make_date(cycle, 12, 31) AS cycle_end,
    hash(hash($seed, 'contribution', number, giver, cycle, gift)) AS draw,
    -- Two in three contributions are to candidates and parties; the first of a committee always is.
    CASE
      WHEN committee_id IS NULL THEN 'employee'
      WHEN gift = 0 OR (draw % 3 <> 0 AND gift <> 1) THEN 'pac'
      ELSE 'other'
    END AS kind,
    first_day + (hash(draw) % (cycle_end - first_day + 1)::UBIGINT)::INTEGER AS day
  FROM givers
  CROSS JOIN cycles
  CROSS JOIN range(60) AS gifts (gift)
  WHERE gift < gifts
),
parties AS (
  SELECT
    *,
    CASE
      WHEN kind = 'other' THEN NULL
      ELSE ['DEM', 'DEM', 'DEM', 'DEM', 'REP', 'REP', 'REP', 'REP', 'REP', 'IND', NULL][1 + ((draw >> 8) % 11)::BIGINT]
    END AS party
  FROM gifts
  WHERE day <= $to
)
SELECT
  format('{}{:06d}{:01d}{:02d}', cycle, number, giver, gift) AS id,
  cycle,
  cycle_end,
  CASE WHEN (draw >> 20) % 80 <> 0 THEN day END AS date,
  ticker,
  kind,
  committee_id,
  CASE
    WHEN (draw >> 24) % 60 = 0 THEN NULL
    WHEN kind = 'other' THEN 'C' || (98000000 + (draw >> 28) % 500)
    ELSE format('{}9ZZ{:05d}', ['H', 'S'][1 + ((draw >> 28) % 2)::BIGINT], ((draw >> 30) % 90000)::BIGINT)
  END AS recipient_id,
  party,
  -- Committees contribute round amounts up to 5,000 dollars, employees up to 3,300.
  (
    CASE kind WHEN 'employee' THEN 25 * (1 + (draw >> 40) % 132) ELSE 500 * (1 + (draw >> 40) % 10) END::BIGINT
    * CASE WHEN (draw >> 52) % 40 = 0 THEN -1 ELSE 1 END
  )::DECIMAL(18, 2) AS amount
FROM parties
