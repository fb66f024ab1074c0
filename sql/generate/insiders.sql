-- Insiders of every company: three to six people, and a fund at every third company. A fund is one of ten and may hold
-- several companies under one number. Central Index Keys are above the range in use.
-- insider_trades.sql draws the number of a company's insiders and its fund in the same way.
WITH companies AS (
  SELECT
    number,
    ticker
  FROM market_tickers
  WHERE is_company(issue_type)
),
people AS (
  SELECT
    ticker,
    (8000000 + number * 8 + place)::BIGINT AS cik,
    pick(
      hash($seed, 'insider first', number, place),
      [
        'Ada', 'Bennett', 'Clio', 'Dorian', 'Esme', 'Felix', 'Gisela', 'Hugo', 'Iona', 'Jasper', 'Keziah', 'Linus',
        'Mabel'
      ]
    ) AS first_name,
    pick(hash($seed, 'insider middle', number, place), ['A', 'B', 'C', 'D', 'E', 'J', 'K', 'M', 'R', 'T']) AS initial,
    pick(
      hash($seed, 'insider last', number, place),
      [
        'Abernethy', 'Blackwood-Hale', 'Castellane', 'Drummore', 'Everhart', 'Featherstone', 'Gallowglass', 'Harkaway',
        'Inchbald', 'Joyner', 'Kilbracken', 'Lovelace-Orr', 'Maplethorpe', 'Nesbitt-Vane', 'Oglethorpe', 'Prendergast'
      ]
    ) AS last_name
  FROM companies
  CROSS JOIN range(6) AS places (place)
  WHERE place < 3 + hash($seed, 'insiders', number) % 4
),
funds AS (
  SELECT
    ticker,
    (7900000 + hash($seed, 'insider fund', number) % 10)::BIGINT AS cik
  FROM companies
  WHERE number % 3 = 0
),
insiders AS (
  SELECT
    ticker,
    cik,
    upper(concat_ws(' ', last_name, first_name, initial)) AS name,
    concat_ws(' ', first_name, initial || '.', last_name) AS display_name,
    true AS is_person
  FROM people
  UNION ALL
  SELECT
    ticker,
    cik,
    upper(fund) AS name,
    fund AS display_name,
    false AS is_person
  FROM (
    SELECT
      *,
      [
        'Anchorage Bay Holdings LLC', 'Blue Heron Partners LP', 'Cobalt Row Ventures LP', 'Driftwood Trust',
        'Evergreen Hollow Capital LLC', 'Foxglove Equity Partners LP', 'Granite Lane Investors LLC',
        'Harvest Moon Holdings Ltd', 'Ivory Coastline Fund LP', 'Juniper Gate Group Inc'
      ][1 + cik - 7900000] AS fund
    FROM funds
  )
),
slugged AS (
  SELECT
    *,
    trim(regexp_replace(lower(display_name), '[^a-z0-9]+', '-', 'g'), '-') AS name_slug
  FROM insiders
)
SELECT
  ticker,
  cik::VARCHAR AS cik,
  $to AS updated_on,
  cik - 7800000 AS id,
  name,
  display_name,
  name_slug,
  is_person,
  CASE WHEN cik % 8 IN (0, 1, 3, 6) THEN 'https://images.example/insiders/' || cik || '.png' END AS logo_url,
  CASE cik % 3
    WHEN 0 THEN ['https://social.example/' || name_slug]
    WHEN 1 THEN ['https://social.example/' || name_slug, 'https://work.example/in/' || name_slug]
    ELSE []::VARCHAR[]
  END AS social_links
FROM slugged
