-- tickers: profiles of companies and funds: name, sector, industry, type, size, dates of dividends and earnings
-- address: https://www.alphavantage.co/query?function=OVERVIEW&symbol=IBM&apikey=demo
-- expects: company overviews of Alpha Vantage, JSON, one or more per file; or the same in columns; or the dataset's own columns
-- expects: None, - and similar mean missing; sectors are mapped to those of the API, first by the SIC title of the industry
-- expects: a row applies from --date, otherwise from its date, otherwise from the end of its latest quarter
-- expects: in the last case a second row applies from 1900 on, without size and dates, so that older trades also have name, sector, industry and type, which rarely change
-- option: date = date from which the rows apply, YYYY-MM-DD
-- rejects: an invalid ticker, a missing name, a date that is missing, invalid, before 1900 or in the future
-- keeps: a sector and industry that match none of the eleven sectors, and an unknown issue type, stored as NULL
-- keeps: market capitalisation or shares that are not numbers above zero, and capitalisation in another currency, stored as NULL
-- keeps: dates that are invalid, before 1900 or more than two years ahead, and an unknown earnings time, stored as NULL
-- keeps: has_options that is neither yes nor no, stored as NULL
--
--
-- source: overviews = json
-- has: Symbol, Name
-- member: Symbol; becomes ticker
-- member: Name; becomes full_name
-- member: Sector; becomes sector, in the spelling of the API
-- member: Industry; becomes industry_type, with capitalised words; SIC titles determine the sector
-- member: AssetType; becomes issue_type
-- member: MarketCapitalization; becomes marketcap, if Currency is USD or missing
-- member: Currency; currency of the market capitalisation
-- member: SharesOutstanding; becomes shares_outstanding
-- member: ExDividendDate; becomes ex_dividend_date
-- member: LatestQuarter; date from which the row applies
--
-- source: profiles = csv, ndjson, parquet
-- column: ticker = ticker, symbol
-- column: full_name = full_name, name, company name, security name
-- optional: date = date; date from which the row applies
-- optional: latest_quarter = latestquarter, latest_quarter; the same, if there is no date
-- optional: short_name = short_name
-- optional: sector = sector
-- optional: industry_type = industry_type, industry
-- optional: issue_type = issue_type, assettype, asset_type
-- optional: marketcap = marketcap, marketcapitalization, market cap, market_cap; dollars, with or without $ and thousands separators
-- optional: currency = currency
-- optional: shares_outstanding = shares_outstanding, sharesoutstanding
-- optional: next_earnings_date = next_earnings_date
-- optional: er_time = er_time; premarket, postmarket or unknown
-- optional: ex_dividend_date = ex_dividend_date, exdividenddate
-- optional: has_options = has_options; true or false
--
-- Beginnings of Standard Industrial Classification titles that determine the sector; of two, the longer one wins. EDGAR
-- and Alpha Vantage write them so, including mistakes. They win over Alpha Vantage's older sectors, which are offices
-- of the SEC: makers of bulldozers are TECHNOLOGY there.
-- https://www.sec.gov/search-filings/standard-industrial-classification-sic-code-list
-- step: sic_titles
SELECT
  sector,
  unnest(beginnings) AS beginning
FROM (
  VALUES
    ('Basic Materials', [
      'AGRICULTURAL PRODUCTION-CROPS', 'AGRICULTURAL CHEMICALS', 'METAL MINING', 'GOLD AND SILVER ORES',
      'LUMBER & WOOD', 'PAPER MILLS', 'CHEMICALS & ALLIED', 'INDUSTRIAL INORGANIC CHEMICALS',
      'INDUSTRIAL ORGANIC CHEMICALS', 'PLASTIC MATERIAL', 'PAINTS', 'MISCELLANEOUS CHEMICAL', 'STEEL',
      'PRIMARY PRODUCTION OF ALUMINUM'
    ]),
    ('Communication Services', [
      'NEWSPAPERS', 'PERIODICALS', 'BOOKS', 'RADIOTELEPHONE', 'TELEPHONE COMMUNICATIONS', 'RADIO BROADCASTING',
      'TELEVISION BROADCASTING', 'CABLE & OTHER PAY', 'COMMUNICATIONS SERVICES', 'SERVICES-ADVERTISING',
      'SERVICES-MOTION PICTURE', 'SERVICES-VIDEO TAPE RENTAL'
    ]),
    ('Consumer Cyclical', [
      'OPERATIVE BUILDERS', 'MOBILE HOMES', 'MOTOR HOMES', 'HOUSEHOLD FURNITURE', 'APPAREL', 'FOOTWEAR',
      'RUBBER & PLASTICS FOOTWEAR', 'TIRES', 'HOUSEHOLD APPLIANCES', 'MOTOR VEHICLE', 'MOTORCYCLES', 'GAMES, TOYS',
      'SPORTING', 'METAL CANS', 'PAPERBOARD CONTAINERS', 'RETAIL-', 'HOTELS', 'SERVICES-MISCELLANEOUS AMUSEMENT'
    ]),
    ('Consumer Defensive', [
      'AGRICULTURAL PROD-LIVESTOCK', 'FOOD AND KINDRED', 'MEAT PACKING', 'POULTRY', 'DAIRY', 'CANNED, FR',
      'GRAIN MILL', 'BAKERY', 'SUGAR', 'FATS & OILS', 'BEVERAGES', 'MALT', 'BOTTLED', 'TOBACCO', 'CIGARETTES', 'SOAP',
      'PERFUMES', 'WHOLESALE-GROCERIES', 'RETAIL-VARIETY', 'RETAIL-FOOD', 'RETAIL-GROCERY', 'SERVICES-EDUCATIONAL'
    ]),
    ('Energy', [
      'BITUMINOUS COAL', 'CRUDE PETROLEUM', 'DRILLING OIL', 'OIL & GAS FIELD', 'PETROLEUM REFINING', 'PIPE LINES',
      'NATURAL GAS TRANSMISSION', 'WHOLESALE-PETROLEUM'
    ]),
    ('Financial Services', [
      'NATIONAL COMMERCIAL BANKS', 'STATE COMMERCIAL BANKS', 'COMMERCIAL BANKS', 'SAVINGS INSTITUTION',
      'FEDERAL & FEDERALLY', 'PERSONAL CREDIT', 'SHORT-TERM BUSINESS CREDIT', 'MORTGAGE BANKERS', 'LOAN BROKERS',
      'FINANCE', 'SECURITY', 'INVESTMENT ADVICE', 'LIFE INSURANCE', 'ACCIDENT & HEALTH INSURANCE', 'FIRE, MARINE',
      'SURETY', 'TITLE INSURANCE', 'INSURANCE', 'BLANK CHECKS'
    ]),
    ('Healthcare', [
      'MEDICINAL', 'PHARMACEUTICAL', 'IN VITRO', 'BIOLOGICAL PRODUCTS', 'LABORATORY', 'SURGICAL', 'ORTHOPEDIC',
      'DENTAL', 'X-RAY', 'ELECTROMEDICAL', 'OPHTHALMIC', 'HOSPITAL', 'WHOLESALE-MEDICAL', 'WHOLESALE-DRUGS',
      'RETAIL-DRUG', 'SERVICES-HEALTH', 'SERVICES-OFFICES & CLINICS', 'SERVICES-SKILLED NURSING', 'SERVICES-HOSPITALS',
      'SERVICES-GENERAL MEDICAL', 'SERVICES-MEDICAL', 'SERVICES-HOME HEALTH', 'SERVICES-MISC HEALTH',
      'SERVICES-SPECIALTY OUTPATIENT', 'SERVICES-COMMERCIAL PHYSICAL & BIOLOGICAL'
    ]),
    ('Industrials', [
      'HEAVY CONSTRUCTION', 'ENGINES & TURBINES', 'FARM MACHINERY', 'CONSTRUCTION', 'SPECIAL INDUSTRY MACHINERY',
      'GENERAL INDUSTRIAL', 'PUMPS', 'ELECTRONIC & OTHER ELECTRICAL', 'MOTORS & GENERATORS', 'AIRCRAFT',
      'AIR TRANSPORTATION', 'AIR COURIER', 'SHIP & BOAT', 'RAILROAD', 'GUIDED MISSILES', 'SEARCH, DETECTION',
      'TRUCKING', 'DEEP SEA', 'ARRANGEMENT OF TRANSPORTATION', 'REFUSE', 'HAZARDOUS WASTE', 'WHOLESALE-MACHINERY',
      'SERVICES-CONSUMER CREDIT', 'SERVICES-EQUIPMENT RENTAL', 'SERVICES-EMPLOYMENT', 'SERVICES-HELP SUPPLY',
      'SERVICES-ENGINEERING', 'SERVICES-MANAGEMENT'
    ]),
    ('Real Estate', [
      'REAL ESTATE', 'OPERATORS OF', 'LAND SUBDIVIDERS'
    ]),
    ('Technology', [
      'COMPUTER', 'ELECTRONIC COMP', 'ELECTRONIC CONNECTORS', 'TELEPHONE & TELEGRAPH APPARATUS',
      'RADIO & TV BROADCASTING & COMM', 'COMMUNICATIONS EQUIPMENT', 'PRINTED CIRCUIT', 'SEMICONDUCTORS',
      'INDUSTRIAL INSTRUMENTS', 'INSTRUMENTS FOR MEAS', 'OPTICAL INSTRUMENTS', 'MEASURING', 'WHOLESALE-COMPUTERS',
      'WHOLESALE-ELECTRONIC PARTS', 'SERVICES-COMPUTER', 'SERVICES-PREPACKAGED SOFTWARE'
    ]),
    ('Utilities', [
      'ELECTRIC, GAS', 'ELECTRIC SERVICES', 'ELECTRIC & OTHER SERVICES', 'GAS & OTHER', 'NATURAL GAS TRANSMISISON',
      'NATURAL GAS DISTRIBUTION', 'WATER SUPPLY', 'COGENERATION'
    ])
) AS titles (sector, beginnings)
-- step: facts
SELECT
  file,
  line,
  nullif(trim(record ->> '$.Symbol'), '') AS ticker,
  nullif(trim(record ->> '$.Name'), '') AS full_name,
  NULL::VARCHAR AS date,
  present(record ->> '$.LatestQuarter') AS latest_quarter,
  NULL::VARCHAR AS short_name,
  present(record ->> '$.Sector') AS sector_name,
  present(record ->> '$.Industry') AS industry,
  present(record ->> '$.AssetType') AS kind,
  present(record ->> '$.MarketCapitalization') AS marketcap,
  present(record ->> '$.Currency') AS currency,
  present(record ->> '$.SharesOutstanding') AS shares_outstanding,
  NULL::VARCHAR AS next_earnings_date,
  NULL::VARCHAR AS er_time,
  present(record ->> '$.ExDividendDate') AS ex_dividend_date,
  NULL::VARCHAR AS has_options
FROM overviews
UNION ALL
SELECT
  file,
  line,
  ticker,
  full_name,
  present(date),
  present(latest_quarter),
  present(short_name),
  present(sector),
  present(industry_type),
  present(issue_type),
  present(marketcap),
  present(currency),
  present(shares_outstanding),
  present(next_earnings_date),
  present(er_time),
  present(ex_dividend_date),
  present(has_options)
FROM profiles
-- dataset: tickers
-- What macros repeat is a column of the step before: DuckDB plans an alias of the same SELECT as often as it is repeated.
WITH texts AS (
  SELECT
    *,
    coalesce($date, date, latest_quarter) AS since_text,
    plain_number(marketcap) AS marketcap_text,
    plain_number(shares_outstanding) AS shares_text,
    day_of(next_earnings_date) AS earnings_day,
    day_of(ex_dividend_date) AS dividend_day
  FROM facts
),
numbers AS (
  SELECT
    *,
    day_of(since_text) AS since,
    coalesce(
      (SELECT arg_max(sector, len(beginning)) FROM sic_titles WHERE starts_with(upper(industry), beginning)),
      sector_of(sector_name)
    ) AS sector,
    issue_type_of(kind) AS issue_type,
    TRY_CAST(half_even_text(marketcap_text, 2) AS DECIMAL(18, 2)) AS dollars,
    TRY_CAST(half_even_text(shares_text, 2) AS DECIMAL(18, 2)) AS shares
  FROM texts
),
typed AS (
  SELECT
    *,
    coalesce(
      note('marketcap', 'not in dollars', currency, marketcap IS NOT NULL AND upper(currency) <> 'USD'),
      note('marketcap', 'not a number', marketcap, marketcap IS NOT NULL AND dollars IS NULL),
      note('marketcap', 'not above zero', marketcap, dollars <= 0)
    ) AS marketcap_note,
    coalesce(
      note('shares_outstanding', 'not a number', shares_outstanding, shares_outstanding IS NOT NULL AND shares IS NULL),
      note('shares_outstanding', 'not above zero', shares_outstanding, shares <= 0)
    ) AS shares_note,
    day_fault('next_earnings_date', next_earnings_date, earnings_day, $today + 730) AS earnings_note,
    day_fault('ex_dividend_date', ex_dividend_date, dividend_day, $today + 730) AS dividend_note,
    coalesce(
      ticker_fault('ticker', ticker),
      blank_fault('full_name', full_name),
      day_fault('date', since_text, since, $today)
    ) AS fault
  FROM numbers
),
-- Facts that change apply from the row's date on; the others from 1900 on, if only a quarter states the date.
spans AS (
  SELECT
    *,
    since AS from_day,
    true AS is_whole
  FROM typed
  UNION ALL
  SELECT
    *,
    DATE '1900-01-01',
    false
  FROM typed
  WHERE $date IS NULL AND date IS NULL AND since > DATE '1900-01-01' AND fault IS NULL
)
SELECT
  file,
  line,
  ticker_of(ticker) AS ticker,
  from_day AS date,
  full_name,
  short_name,
  sector,
  -- Words in capitals, as in SIC titles, are capitalised.
  if(
    industry = upper(industry),
    array_to_string(
      list_transform(regexp_extract_all(lower(industry), '[a-z'']+|[^a-z'']+'), lambda run: upper(run[1]) || run[2:]),
      ''
    ),
    industry
  ) AS industry_type,
  issue_type,
  CASE WHEN is_whole AND marketcap_note IS NULL THEN dollars END AS marketcap,
  CASE WHEN is_whole AND shares_note IS NULL THEN shares END AS shares_outstanding,
  CASE WHEN is_whole AND earnings_note IS NULL THEN earnings_day END AS next_earnings_date,
  CASE WHEN is_whole AND lower(er_time) IN ('premarket', 'postmarket', 'unknown') THEN lower(er_time) END AS er_time,
  CASE WHEN is_whole AND dividend_note IS NULL THEN dividend_day END AS ex_dividend_date,
  CASE
    WHEN NOT is_whole THEN NULL
    WHEN lower(has_options) IN ('true', 'yes', '1') THEN true
    WHEN lower(has_options) IN ('false', 'no', '0') THEN false
  END AS has_options,
  fault,
  CASE
    WHEN is_whole THEN [
      note('sector', 'unknown sector', sector_name, sector_name IS NOT NULL AND sector IS NULL),
      note('issue_type', 'unknown issue type', kind, kind IS NOT NULL AND issue_type IS NULL),
      marketcap_note,
      shares_note,
      CASE WHEN next_earnings_date IS NOT NULL THEN earnings_note END,
      note('er_time', 'not premarket, postmarket or unknown', er_time, lower(er_time) NOT IN ('premarket', 'postmarket', 'unknown')),
      CASE WHEN ex_dividend_date IS NOT NULL THEN dividend_note END,
      note(
        'has_options', 'neither yes nor no', has_options,
        lower(has_options) NOT IN ('true', 'yes', '1', 'false', 'no', '0')
      )
    ] END AS left_out
FROM spans
