-- step: reports
-- Each filing of a page. Its amount is in expenses (of a client's own lobbyists), in income (of a firm), or missing.
SELECT
  file,
  line,
  filing->>'filing_uuid' AS uuid,
  filing->>'filing_type' AS type,
  filing->>'filing_year' AS year,
  filing->>'filing_period' AS period,
  nullif(trim(filing->>'$.client.name'), '') AS client_name,
  filing->>'$.client.id' AS client,
  filing->>'$.registrant.id' AS registrant,
  filing->>'expenses' AS expenses,
  coalesce(filing->>'expenses', filing->>'income', '0') AS amount,
  TRY_CAST(filing->>'dt_posted' AS TIMESTAMPTZ) AS posted
FROM (
  SELECT
    file,
    line,
    unnest(if(json_type(record, '$.results') = 'ARRAY', (record->'results')::JSON[], [record])) AS filing
  FROM filings
)
WHERE coalesce(filing->>'filing_type', '') NOT IN ('RR', 'RA')
-- step: large_companies
-- Large companies with a committee in the 2020 cycle, with their current ticker and a current name.
SELECT company_name, ticker
FROM (
  VALUES
    ('3M', 'MMM'), ('Abbott Laboratories', 'ABT'), ('AbbVie', 'ABBV'), ('Advanced Micro Devices', 'AMD'),
    ('AECOM', 'ACM'), ('AES', 'AES'), ('Aflac', 'AFL'), ('Air Products and Chemicals', 'APD'),
    ('Alaska Air Group', 'ALK'), ('Allstate', 'ALL'), ('Altria Group', 'MO'), ('Amazon.com', 'AMZN'), ('Ameren', 'AEE'),
    ('American Airlines Group', 'AAL'), ('American Electric Power', 'AEP'), ('American Express', 'AXP'),
    ('American International Group', 'AIG'), ('American Water Works', 'AWK'), ('Ameriprise Financial', 'AMP'),
    ('Amgen', 'AMGN'), ('Aon', 'AON'), ('Applied Materials', 'AMAT'), ('Archer-Daniels-Midland', 'ADM'), ('AT&T', 'T'),
    ('Atmos Energy', 'ATO'), ('AutoZone', 'AZO'), ('Bank of America', 'BAC'), ('Becton, Dickinson and Company', 'BDX'),
    ('Best Buy', 'BBY'), ('Biogen', 'BIIB'), ('BlackRock', 'BLK'), ('Boeing', 'BA'), ('Boston Scientific', 'BSX'),
    ('Bristol-Myers Squibb', 'BMY'), ('Broadcom', 'AVGO'), ('Capital One Financial', 'COF'), ('Cardinal Health', 'CAH'),
    ('Caterpillar', 'CAT'), ('Centene', 'CNC'), ('CenterPoint Energy', 'CNP'), ('Charles Schwab', 'SCHW'),
    ('Charter Communications', 'CHTR'), ('Cheniere Energy', 'LNG'), ('Chevron', 'CVX'), ('Cigna', 'CI'),
    ('Cisco Systems', 'CSCO'), ('Citigroup', 'C'), ('CME Group', 'CME'), ('CMS Energy', 'CMS'), ('Coca-Cola', 'KO'),
    ('Comcast', 'CMCSA'), ('ConocoPhillips', 'COP'), ('Consolidated Edison', 'ED'), ('CoreCivic', 'CXW'),
    ('Corning', 'GLW'), ('CSX', 'CSX'), ('Cummins', 'CMI'), ('CVS Health', 'CVS'), ('DaVita', 'DVA'),
    ('Deere & Company', 'DE'), ('Dell Technologies', 'DELL'), ('Delta Air Lines', 'DAL'), ('Devon Energy', 'DVN'),
    ('Dominion Energy', 'D'), ('Dow', 'DOW'), ('DTE Energy', 'DTE'), ('Duke Energy', 'DUK'),
    ('Eastman Chemical', 'EMN'), ('eBay', 'EBAY'), ('Ecolab', 'ECL'), ('Edison International', 'EIX'),
    ('Eli Lilly', 'LLY'), ('Emerson Electric', 'EMR'), ('Entergy', 'ETR'), ('Exelon', 'EXC'), ('Exxon Mobil', 'XOM'),
    ('Meta Platforms', 'META'), ('FedEx', 'FDX'), ('FirstEnergy', 'FE'), ('Fluor', 'FLR'), ('Ford Motor', 'F'),
    ('Freeport-McMoRan', 'FCX'), ('General Dynamics', 'GD'), ('General Electric', 'GE'), ('General Motors', 'GM'),
    ('GEO Group', 'GEO'), ('Gilead Sciences', 'GILD'), ('Goldman Sachs Group', 'GS'), ('Alphabet', 'GOOGL'),
    ('Halliburton', 'HAL'), ('HCA Healthcare', 'HCA'), ('Hershey', 'HSY'), ('Home Depot', 'HD'),
    ('Honeywell International', 'HON'), ('Humana', 'HUM'), ('Huntington Ingalls Industries', 'HII'), ('Intel', 'INTC'),
    ('International Paper', 'IP'), ('JetBlue Airways', 'JBLU'), ('Johnson & Johnson', 'JNJ'), ('JPMorgan Chase', 'JPM'),
    ('Kroger', 'KR'), ('Leidos', 'LDOS'), ('Lincoln National', 'LNC'), ('Lockheed Martin', 'LMT'), ('Lowe''s', 'LOW'),
    ('Marathon Petroleum', 'MPC'), ('Marriott International', 'MAR'), ('Mastercard', 'MA'), ('McDonald''s', 'MCD'),
    ('McKesson', 'MCK'), ('Medtronic', 'MDT'), ('Merck', 'MRK'), ('MetLife', 'MET'), ('Micron Technology', 'MU'),
    ('Microsoft', 'MSFT'), ('Molina Healthcare', 'MOH'), ('Morgan Stanley', 'MS'), ('Nasdaq', 'NDAQ'),
    ('NextEra Energy', 'NEE'), ('Nike', 'NKE'), ('NiSource', 'NI'), ('Norfolk Southern', 'NSC'),
    ('Northrop Grumman', 'NOC'), ('Nucor', 'NUE'), ('Occidental Petroleum', 'OXY'), ('Oracle', 'ORCL'),
    ('PepsiCo', 'PEP'), ('Pfizer', 'PFE'), ('Phillips 66', 'PSX'), ('PPG Industries', 'PPG'),
    ('Procter & Gamble', 'PG'), ('Prudential Financial', 'PRU'), ('Qualcomm', 'QCOM'), ('RTX', 'RTX'),
    ('Regions Financial', 'RF'), ('S&P Global', 'SPGI'), ('Southern Company', 'SO'), ('Southwest Airlines', 'LUV'),
    ('Target', 'TGT'), ('Texas Instruments', 'TXN'), ('Thermo Fisher Scientific', 'TMO'), ('T-Mobile US', 'TMUS'),
    ('Travelers Companies', 'TRV'), ('Tyson Foods', 'TSN'), ('Union Pacific', 'UNP'),
    ('United Airlines Holdings', 'UAL'), ('United Parcel Service', 'UPS'), ('UnitedHealth Group', 'UNH'),
    ('U.S. Bancorp', 'USB'), ('Valero Energy', 'VLO'), ('Verizon Communications', 'VZ'), ('Visa', 'V'),
    ('Walmart', 'WMT'), ('Walt Disney', 'DIS'), ('Waste Management', 'WM'), ('Wells Fargo', 'WFC'),
    ('Williams Companies', 'WMB'), ('Xcel Energy', 'XEL'), ('Yum! Brands', 'YUM')
) AS companies (company_name, ticker)
-- step: large_company_names
-- Other names of these companies, as in the commission's files or as employees write them.
SELECT organization, ticker
FROM (
  VALUES
    ('ALLSTATE INSURANCE COMPANY', 'ALL'), ('AMERICAN AIRLINES', 'AAL'),
    ('ARCHER DANIELS MIDLAND COMPANY-ADM PAC', 'ADM'), ('BLACKROCK FUNDS SERVICES GROUP', 'BLK'),
    ('THE DOW CHEMICAL COMPANY', 'DOW'), ('FACEBOOK', 'META'), ('GOOGLE', 'GOOGL'), ('HCA', 'HCA'),
    ('LOWE''S COMPANIES', 'LOW'), ('MASTERCARD INTERNATIONAL', 'MA'), ('ORACLE AMERICA', 'ORCL'), ('RAYTHEON', 'RTX'),
    ('T-MOBILE USA', 'TMUS'), ('UNITED AIRLINES', 'UAL'), ('WALT DISNEY PRODUCTIONS', 'DIS'),
    ('UNITED TECHNOLOGIES', 'RTX'), ('AMAZON.COM SERVICES', 'AMZN'), ('AMAZON', 'AMZN'), ('T-MOBILE', 'TMUS'),
    ('HONEYWELL', 'HON'), ('JPMORGAN', 'JPM')
) AS names (organization, ticker)
-- step: organisations
-- Each text that names a company, with that company. Two texts name the same company if their significant words match.
WITH named AS (
  SELECT
    1 AS rank,
    file,
    line,
    organization AS text,
    ticker_of(ticker) AS ticker,
    coalesce(company_name, organization) AS company_name
  FROM companies
  WHERE organization IS NOT NULL AND ticker_fault('ticker', ticker) IS NULL
  UNION ALL
  SELECT 2, NULL, NULL, full_name, ticker, full_name
  FROM held_tickers
  WHERE coalesce(issue_type, '') NOT IN ('ETF', 'Index')
  UNION ALL
  SELECT 3, NULL, NULL, company_name, ticker, company_name FROM large_companies
  UNION ALL
  SELECT 3, NULL, NULL, organization, ticker, company_name FROM large_company_names JOIN large_companies USING (ticker)
),
texts AS (
  SELECT text FROM named
  UNION
  SELECT connected_org_nm FROM committees
  UNION
  SELECT cmte_nm FROM committees WHERE org_tp IN ('C', 'W')
  UNION
  SELECT employer FROM transactions
  UNION
  SELECT client_name FROM reports
),
-- Remove (BOEING PAC), (The) and A/K/A …; then everything from the word on that marks a fund or a share class.
cut AS (
  SELECT
    text,
    regexp_replace(upper(strip_accents(text)), '\([^)]*\)?|\b(A/?K|F/?K|D/?B)/?A\b.*', ' ', 'g') AS organisation,
    regexp_replace(
      organisation,
      '\b(POLITICAL|PAC|EMPLOYEES?|(GOOD|BETTER) GOVERNMENT|CIVIC|SEPARATE SEGREGATED|(CLASS [A-C] )?COMMON STOCK)\b.*',
      ''
    ) AS body
  FROM texts
  WHERE text IS NOT NULL
),
worded AS (
  SELECT
    text,
    list_filter(
      regexp_split_to_array(regexp_replace(body, '[''.]', '', 'g'), '[^A-Z0-9]+'),
      lambda word: NOT regexp_full_match(
        word,
        '|THE|AND|INC|INCORPORATED|CORP|CORPORATION|CO|COMPANY|LLC|LLP|LP|LTD|LIMITED|PLC'
      )
    ) AS words,
    nullif(regexp_replace(array_to_string(words, ' '), '( (FEDERAL|OF|FOR|FUND))+$', ''), '') AS name
  FROM cut
),
-- Of several companies with one name: the user's last one, the lake's, the built-in one; of share classes, the shortest
-- and then first ticker (GOOG).
companies_by_name AS (
  SELECT
    name,
    ticker,
    company_name
  FROM named
  JOIN worded USING (text)
  WHERE name IS NOT NULL
  QUALIFY row_number() OVER (
    PARTITION BY name
    ORDER BY rank, file DESC, line DESC, length(ticker), ticker, company_name
  ) = 1
)
SELECT
  text,
  ticker,
  company_name
FROM worded
JOIN companies_by_name USING (name)
