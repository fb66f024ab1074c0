-- Forty fictitious institutions. The names are the same for every seed, so that examples stay valid; their descriptions
-- vary with the seed. institution_holdings.sql repeats the numbers and names. Central Index Keys are above the range in
-- use, and addresses are in the reserved domain `example`. Every tag of the API is used except `all`, which selects
-- every institution and tags none.
WITH institutions (number, name, short_name, focus, tags) AS (
  VALUES
    (0, 'Alderbrook Capital Management LP', 'Alderbrook', 'long and short', ['hedge_fund', 'top_fund', 'known']),
    (1, 'Birchfold Partners LLC', 'Birchfold', 'undervalued companies', ['hedge_fund', 'value_investor', 'known']),
    (2, 'Cindermoor Advisors Inc', 'Cindermoor', 'balanced portfolios', ['advisor']),
    (3, 'Dovercrest Brokerage Corp', 'Dovercrest', 'market making', ['brokerage', 'public_companies']),
    (4, 'Elmhollow Biotech Fund LP', 'Elmhollow', 'early drug developers', ['hedge_fund', 'biotech']),
    (5, 'Farrowgate Activist Partners LP', 'Farrowgate', 'engagement', ['hedge_fund', 'activist', '13d_activist']),
    (6, 'Glenstow Asset Management', 'Glenstow', 'broad markets', ['advisor', 'top_fund', 'public_companies']),
    (7, 'Hartsmere Tiger Fund LP', 'Hartsmere', 'growth worldwide', ['hedge_fund', 'tiger_club', 'top_fund']),
    (8, 'Inverlea Sustainable Investors', 'Inverlea', 'low-carbon companies', ['advisor', 'esg']),
    (9, 'Juniper Sound Credit LP', 'Juniper Sound', 'distressed debt', ['hedge_fund', 'credit']),
    (10, 'Kestrel Ridge Energy Partners', 'Kestrel Ridge', 'oil, gas and power', ['private_fund', 'energy']),
    (11, 'Larkspur Small Companies Fund', 'Larkspur', 'small companies', ['private_fund', 'small_cap']),
    (12, 'Mossbank Event Capital LP', 'Mossbank', 'mergers and spin-offs', ['hedge_fund', 'event']),
    (13, 'Northquay Realty Investors', 'Northquay', 'property and land', ['private_fund', 'real_estate']),
    (14, 'Oakhaven Technology Partners', 'Oakhaven', 'software and chips', ['hedge_fund', 'technology']),
    (15, 'Pellworth Trust Company', 'Pellworth', 'family trusts', ['advisor', 'private_fund']),
    (16, 'Quarrymead Value Fund', 'Quarrymead', 'undervalued companies', ['value_investor', 'known']),
    (17, 'Rookhurst Securities Inc', 'Rookhurst', 'clearing and custody', ['brokerage']),
    (18, 'Saltmarsh Life Sciences LP', 'Saltmarsh', 'medical devices', ['hedge_fund', 'biotech', 'small_cap']),
    (19, 'Thornley Engagement Fund LP', 'Thornley', 'better boards', ['hedge_fund', 'activist', '13d_activist']),
    (20, 'Underhill Wealth Advisors', 'Underhill', 'retirement savings', ['advisor']),
    (21, 'Vailcroft Global LP', 'Vailcroft', 'growth worldwide', ['hedge_fund', 'tiger_club']),
    (22, 'Westering Impact Partners', 'Westering', 'clean water', ['advisor', 'esg', 'small_cap']),
    (23, 'Yarrowdale Credit Opportunities', 'Yarrowdale', 'convertible bonds', ['credit', 'private_fund']),
    (24, 'Zephyr Lane Energy Fund', 'Zephyr Lane', 'wind and grids', ['energy', 'esg']),
    (25, 'Ashcombe Insurance Group', 'Ashcombe', 'insurance reserves', ['public_companies', 'known']),
    (26, 'Brindlewood Arbitrage LP', 'Brindlewood', 'mergers', ['hedge_fund', 'event']),
    (27, 'Copperfen Property Trust', 'Copperfen', 'warehouses', ['real_estate', 'public_companies']),
    (28, 'Dunlow Digital Ventures', 'Dunlow', 'networks and data', ['technology', 'private_fund']),
    (29, 'Eastwick Pension Board', 'Eastwick', 'pensions of teachers', ['known']),
    (30, 'Fallowmere Capital LLC', 'Fallowmere', 'long and short', ['hedge_fund']),
    (31, 'Greywater Quantitative LP', 'Greywater', 'statistical models', ['hedge_fund', 'top_fund', 'known']),
    (32, 'Hollin Street Advisors', 'Hollin Street', 'balanced portfolios', ['advisor', 'value_investor']),
    (33, 'Ironbridge Brokerage LLC', 'Ironbridge', 'execution for funds', ['brokerage', 'private_fund']),
    (34, 'Jessamine Endowment', 'Jessamine', 'a university''s endowment', ['known', 'private_fund']),
    (35, 'Kilnworth Partners LP', 'Kilnworth', 'special situations', ['hedge_fund', 'event', 'credit']),
    (36, 'Lintonshire Wealth Inc', 'Lintonshire', 'retirement savings', ['advisor']),
    (37, 'Merrowby Growth Fund', 'Merrowby', 'young companies', ['small_cap', 'technology']),
    (38, 'Netherfield Foundation', 'Netherfield', 'a charity''s endowment', ['known', 'esg']),
    (39, 'Overton Vale Management LP', 'Overton Vale', 'long and short', ['hedge_fund'])
),
addressed AS (
  SELECT
    *,
    9000100 + 37 * number AS cik,
    lower(replace(short_name, ' ', '')) AS slug,
    hash($seed, 'institution', number) AS draw
  FROM institutions
)
SELECT
  cik::VARCHAR AS cik,
  $to AS updated_on,
  name,
  short_name,
  -- Sources do not have every detail of every institution.
  CASE
    WHEN number % 13 <> 11 THEN format(
      '{} {} and invests in {}.',
      short_name,
      CASE WHEN list_contains(tags, 'hedge_fund') THEN 'is a hedge fund' ELSE 'manages money for others' END,
      focus
    )
  END AS description,
  CASE WHEN number % 17 <> 15 THEN 'https://www.' || slug || '.example' END AS website,
  CASE WHEN number % 11 <> 9 THEN 'https://images.example/institutions/' || cik || '.png' END AS logo_url,
  CASE WHEN number % 5 <> 4 THEN 'https://images.example/founders/' || cik || '.png' END AS founder_img_url,
  list_transform(
    range((draw % 4)::BIGINT),
    lambda place: pick(
      hash($seed, 'first name', number, place),
      ['Adele', 'Bram', 'Corinne', 'Dag', 'Elspeth', 'Fitz', 'Greta', 'Hollis', 'Ines', 'Joss', 'Katrin', 'Lowell']
    ) || ' ' || pick(
      hash($seed, 'last name', number, place),
      ['Ashdown', 'Brackenfell', 'Corvane', 'Dunmarrow', 'Eskridge', 'Fenwood', 'Garrowby', 'Hathersall', 'Illingmoor']
    )
  ) AS people,
  tags,
  list_contains(tags, 'hedge_fund') AS is_hedge_fund
FROM addressed
