-- Macros for texts of closed vocabularies, in the spelling of the API: in any case, also without blanks or with other
-- separators, and by the names that other sources use. NULL for any other text.

-- A text in lower case, without what separates words.
CREATE OR REPLACE TEMP MACRO letters_of(x) AS lower(regexp_replace(x, '[\s_./-]', '', 'g'));

-- Whether a text is one of these names.
CREATE OR REPLACE TEMP MACRO is_named(x, names) AS
  list_contains(list_transform(names, lambda name: letters_of(name)), letters_of(x));

CREATE OR REPLACE TEMP MACRO call_or_put(x) AS
  CASE
    WHEN x IN ('call', 'put') THEN x
    WHEN is_named(x, ['call', 'calls', 'c']) THEN 'call'
    WHEN is_named(x, ['put', 'puts', 'p']) THEN 'put'
  END;

-- Also those of the Global Industry Classification Standard (GICS), and those of Alpha Vantage's older sectors that match
-- one of the API's.
CREATE OR REPLACE TEMP MACRO sector_of(x) AS
  CASE
    WHEN is_named(x, ['basic materials', 'materials']) THEN 'Basic Materials'
    WHEN is_named(x, ['communication services', 'communications', 'communication', 'telecommunication services'])
      THEN 'Communication Services'
    WHEN is_named(x, ['consumer cyclical', 'consumer discretionary']) THEN 'Consumer Cyclical'
    WHEN is_named(x, ['consumer defensive', 'consumer staples']) THEN 'Consumer Defensive'
    WHEN is_named(x, ['energy']) THEN 'Energy'
    WHEN is_named(x, ['financial services', 'financials', 'financial', 'finance']) THEN 'Financial Services'
    WHEN is_named(x, ['healthcare', 'life sciences']) THEN 'Healthcare'
    WHEN is_named(x, ['industrials', 'industrial']) THEN 'Industrials'
    WHEN is_named(x, ['real estate']) THEN 'Real Estate'
    WHEN is_named(x, ['technology', 'information technology']) THEN 'Technology'
    WHEN is_named(x, ['utilities']) THEN 'Utilities'
  END;

CREATE OR REPLACE TEMP MACRO issue_type_of(x) AS
  CASE
    WHEN is_named(x, ['common stock', 'stock', 'common shares']) THEN 'Common Stock'
    WHEN is_named(x, ['etf', 'exchange-traded fund']) THEN 'ETF'
    WHEN is_named(x, ['adr', 'american depositary receipt']) THEN 'ADR'
    WHEN is_named(x, ['index']) THEN 'Index'
    WHEN is_named(x, ['preferred stock', 'preferred']) THEN 'Preferred Stock'
    WHEN is_named(x, ['structured product']) THEN 'Structured Product'
    WHEN is_named(x, ['right', 'rights']) THEN 'Right'
    WHEN is_named(x, ['unit', 'units']) THEN 'Unit'
    WHEN is_named(x, ['warrant', 'warrants']) THEN 'Warrant'
    WHEN is_named(x, ['other']) THEN 'Other'
  END;
