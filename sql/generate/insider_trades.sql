-- Form 4 transactions of the insiders in insiders.sql over the last 400 days: purchases, sales, grants, exercises with
-- the related sale and tax withholding, and gifts. The price is within the day's range, and the filing follows
-- within the legal limit of two business days. The first insider of every company has bought once and sold once.
WITH companies AS (
  SELECT
    number,
    ticker,
    CASE issue_type WHEN 'ADR' THEN 'American Depositary Shares' ELSE 'Common Stock' END AS security_title
  FROM market_tickers
  WHERE is_company(issue_type)
),
insiders AS (
  SELECT
    companies.*,
    place,
    (8000000 + number * 8 + place)::BIGINT AS cik
  FROM companies
  CROSS JOIN range(6) AS places (place)
  WHERE place < 3 + hash($seed, 'insiders', number) % 4
  UNION ALL
  SELECT
    companies.*,
    6 AS place,
    (7900000 + hash($seed, 'insider fund', number) % 10)::BIGINT AS cik
  FROM companies
  WHERE number % 3 = 0
),
recent AS (
  SELECT
    max(number) AS last_session,
    count(*) AS sessions
  FROM market_sessions
  WHERE date > $to - 400
),
filings AS (
  SELECT
    insiders.*,
    filing,
    (last_session - 2 - hash($seed, 'insider day', number, place, filing) % (sessions - 2))::INTEGER AS session,
    CASE
      WHEN place = 0 AND filing < 2 THEN ['buy', 'sale'][1 + filing]
      WHEN place = 6 THEN pick(hash($seed, 'insider kind', number, place, filing), ['buy', 'buys', 'sale', 'sales'])
      ELSE pick(
        hash($seed, 'insider kind', number, place, filing),
        ['buy', 'buys', 'sale', 'sale', 'sales', 'exercise', 'grant', 'gift']
      )
    END AS kind
  FROM insiders
  CROSS JOIN range(6) AS filings (filing)
  CROSS JOIN recent
  WHERE filing < 2 + hash($seed, 'insider filings', number, place) % 5
),
kinds (kind, sequence, transaction_code, is_acquired, is_priced) AS (
  VALUES
    ('buy', 1, 'P', true, true),
    ('buys', 1, 'P', true, true),
    ('buys', 2, 'P', true, true),
    ('sale', 1, 'S', false, true),
    ('sales', 1, 'S', false, true),
    ('sales', 2, 'S', false, true),
    ('sales', 3, 'S', false, true),
    ('exercise', 1, 'M', true, true),
    ('exercise', 2, 'F', false, true),
    ('exercise', 3, 'S', false, true),
    ('grant', 1, 'A', true, false),
    ('gift', 1, 'G', false, false)
),
transactions AS (
  SELECT
    filings.*,
    kinds.* EXCLUDE (kind),
    round(100 * (1 + floor(exp(4.5 * unit(hash($seed, 'insider shares', number, place, filing, sequence))))), 4)
      ::DECIMAL(18, 4)
      AS shares,
    hash($seed, 'insider price', number, place, filing, sequence) AS draw
  FROM filings
  JOIN kinds USING (kind)
),
-- The initial holding covers everything the insider disposes of later. Shares add up in units after any split.
owned AS (
  SELECT
    *,
    (
      sum(CASE WHEN is_acquired THEN shares * units ELSE -shares * units END) OVER (
        PARTITION BY number, place
        ORDER BY session, filing, sequence
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
      + sum(CASE WHEN is_acquired THEN 0 ELSE shares * units END) OVER (PARTITION BY number, place)
      + hash($seed, 'insider start', number, place) % 50000
    )::DECIMAL(18, 4) / units AS shares_after
  FROM transactions
  JOIN (SELECT number, session, units FROM market_closes) AS closes USING (number, session)
)
SELECT
  -- EDGAR's format: the filer, the year and a sequence number.
  format('{:010d}-{:02d}-{:06d}', cik, year(filed.date) % 100, owned.number * 10 + filing) AS accession_number,
  sequence::INTEGER AS sequence,
  filed.date AS filing_date,
  owned.ticker,
  cik::VARCHAR AS cik,
  dealt.date AS transaction_date,
  transaction_code,
  CASE WHEN draw % 40 <> 0 THEN security_title END AS security_title,
  shares,
  -- The exercise price is below the market price.
  CASE
    WHEN is_priced
      THEN round(
        CASE transaction_code WHEN 'M' THEN 0.4 * close ELSE low + (high - low) * unit(draw) END,
        2
      )::DECIMAL(18, 2)::DECIMAL(18, 6)
  END AS price,
  is_acquired,
  round(shares_after, 4)::DECIMAL(18, 4) AS shares_after
FROM owned
JOIN market_sessions AS dealt ON dealt.number = session
JOIN market_sessions AS filed
  ON filed.number = session + 1 + (hash($seed, 'insider lag', owned.number, place, filing) % 2)::INTEGER
JOIN market_days ON market_days.ticker = owned.ticker AND market_days.date = dealt.date
