-- Trades disclosed by thirty fictitious members of Congress over the last two years. Most are disclosed within the
-- legal limit of 45 days, every sixth later; two are dated after their disclosure by mistake, as some real filings are.
-- The members are the same for every seed. Three of them left office and have not traded for more than a year.
WITH members AS (
  SELECT
    number,
    ['Adele', 'Bertram', 'Cosima', 'Desmond', 'Edwina', 'Ferris', 'Gwendolyn', 'Horatio', 'Imogen', 'Jarvis'][
      1 + number % 10
    ] AS first_name,
    [
      'Ambershaw', 'Brockelby', 'Carrowmore', 'Dellinger-Voss', 'Eastermoor', 'Fothergale', 'Granholt', 'Heatherby',
      'Islington-Rhee', 'Jarrowfield', 'Kettlewell', 'Lindquister', 'Merriwether-Oaks', 'Nightingdale', 'Orrinsby',
      'Pemberwick', 'Quillfeather', 'Ravensbourne-Lee', 'Silverthorne', 'Tanglewood', 'Umberfield', 'Vandermoor',
      'Wexcombe', 'Yellowlees', 'Zimmerhoff', 'Abbotsleigh', 'Bellweather', 'Crickhowell', 'Dunsinane', 'Evenlode'
    ][1 + number] AS last_name,
    CASE WHEN number % 3 = 0 THEN 'senate' ELSE 'house' END AS member_type,
    number % 10 <> 7 AS is_active
  FROM range(30) AS members (number)
),
filings AS (
  SELECT
    members.*,
    place,
    hash($seed, 'congress', number, place) AS draw,
    hash($seed, 'congress day', number, place) AS day_draw
  FROM members
  CROSS JOIN range(40) AS places (place)
  WHERE place < 8 + hash($seed, 'congress trades', number) % 32
),
-- Former members traded 400 to 729 days ago, the others up to the last week.
traded AS (
  SELECT
    *,
    $to - CASE WHEN is_active THEN 3 + day_draw % 726 ELSE 400 + day_draw % 330 END::INTEGER AS day
  FROM filings
),
dated AS (
  SELECT
    *,
    calendar.date AS transaction_date,
    CASE
      WHEN place = 0 AND number IN (3, 16) THEN -2
      WHEN place % 6 = 5 THEN 46 + (draw >> 20) % 150
      ELSE 4 + (draw >> 20) % 40
    END::INTEGER AS lag
  FROM traded
  -- A day without a session moves to the previous session.
  ASOF JOIN market_calendar AS calendar ON day >= calendar.date
),
companies AS (
  SELECT
    list(ticker ORDER BY number) AS tickers,
    list(full_name ORDER BY number) AS names
  FROM market_tickers
  WHERE issue_type <> 'Index'
),
assets AS (
  SELECT
    dated.*,
    first_name || ' ' || last_name AS name,
    place % 9 <> 4 AS is_listed,
    pick(draw, tickers) AS ticker,
    pick(draw, names) AS company
  FROM dated
  CROSS JOIN companies
)
SELECT
  regexp_replace(
    sha1(concat_ws('|', 'congress trade', $seed, number, place)),
    '^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$',
    '\1-\2-5\3-a\4-\5'
  )::UUID AS id,
  regexp_replace(
    sha1('member of congress|' || name),
    '^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$',
    '\1-\2-5\3-a\4-\5'
  )::UUID AS politician_id,
  name,
  CASE member_type
    WHEN 'senate' THEN last_name || ', ' || first_name || ' (Senator)'
    ELSE 'Hon. ' || first_name || ' ' || last_name
  END AS reporter,
  member_type,
  is_active,
  CASE
    WHEN place % 14 <> 13
      THEN pick(
        hash($seed, 'congress owner', number, place),
        ['self', 'self', 'self', 'spouse', 'spouse', 'joint', 'child']
      )
  END AS issuer,
  CASE WHEN is_listed THEN ticker END AS ticker,
  CASE
    WHEN is_listed THEN company || ' - Common Stock'
    WHEN place % 2 = 0 THEN pick(draw, ['Maple County, water works bonds due 2034', 'Treasury note 2.5 % due 2029'])
    WHEN place % 13 = 0 THEN NULL
    ELSE 'Shares of a family farm (not publicly traded)'
  END AS asset_description,
  pick(
    hash($seed, 'congress kind', number, place),
    ['Buy', 'Buy', 'Buy', 'Buy', 'Sell', 'Sell', 'Sell (partial)', 'Sell (partial)', 'Exchange']
  ) AS txn_type,
  pick(
    hash($seed, 'congress amount', number, place),
    [
      '$1,001 - $15,000', '$1,001 - $15,000', '$1,001 - $15,000', '$1,001 - $15,000', '$15,001 - $50,000',
      '$15,001 - $50,000', '$50,001 - $100,000', '$100,001 - $250,000', '$250,001 - $500,000',
      '$500,001 - $1,000,000', '$1,000,001 - $5,000,000'
    ]
  ) AS amounts,
  transaction_date,
  transaction_date + lag AS filed_at_date,
  CASE
    WHEN place % 5 = 2
      THEN pick(
        hash($seed, 'congress notes', number, place),
        [
          'Account managed by an adviser.', 'Part of a rebalancing.', 'Dividend reinvestment; "DRIP".',
          'Amends an earlier report.'
        ]
      )
  END AS notes
FROM assets
WHERE transaction_date + lag <= $to
