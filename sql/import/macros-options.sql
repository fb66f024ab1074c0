-- Macros for the formats of option contracts: symbols, dates and fills.

-- The parts of an option symbol in OSI notation without blanks (AAPL240119C00190000). The expiry is NULL if the date
-- does not exist.
CREATE OR REPLACE TEMP MACRO option_expiry(symbol) AS
  TRY_CAST(concat('20', substr(symbol, -15, 2), '-', substr(symbol, -13, 2), '-', substr(symbol, -11, 2)) AS DATE);
CREATE OR REPLACE TEMP MACRO option_type_of(symbol) AS if(symbol[-9] = 'C', 'call', 'put');
CREATE OR REPLACE TEMP MACRO option_strike(symbol) AS (right(symbol, 8)::BIGINT * 0.001)::DECIMAL(18, 3);

-- That symbol as sources write it: in any case, its root padded with blanks to six characters, with O: in front; else
-- NULL.
CREATE OR REPLACE TEMP MACRO option_symbol_of(x) AS
  CASE
    WHEN regexp_full_match(x, '[A-Z0-9]{1,6}\d{6}[CP]\d{8}') AND option_expiry(x) IS NOT NULL THEN x
    WHEN regexp_full_match(x, '(?i)(O:)?[A-Z0-9]{1,6} *\d{6}[CP]\d{8}')
      AND length(regexp_replace(x, '(?i)^O:', '')) <= 21
      AND option_expiry(x) IS NOT NULL
      THEN upper(regexp_replace(x, '(?i)^O:| ', '', 'g'))
  END;
CREATE OR REPLACE TEMP MACRO option_symbol_fault(name, x) AS
  CASE
    WHEN x IS NULL THEN [name, 'missing', NULL]
    WHEN option_symbol_of(x) IS NULL THEN [name, 'not an option symbol', x]
  END;

-- The underlying, multiplier and settlement of a contract, as in src/market/option-roots.ts. Digits mark contracts
-- adjusted for a split or a merger (AAPL1) and FLEX contracts (2SPY), and some roots differ from the ticker. Index
-- options in monthly series settle at opening prices: on third Fridays, on the Thursday before if the exchange is
-- closed on that Friday and, until 2015, on the Saturday after. Options on VIX always do.
CREATE OR REPLACE TEMP MACRO underlying_of_root(root) AS coalesce(
  MAP {
    'NDXP': 'NDX', 'RUTW': 'RUT', 'SPXPM': 'SPX', 'SPXQ': 'SPX', 'SPXW': 'SPX', 'VIXW': 'VIX',
    'BFA': 'BF.A', 'BFB': 'BF.B', 'BRKA': 'BRK.A', 'BRKB': 'BRK.B', 'CWENA': 'CWEN.A', 'HEIA': 'HEI.A',
    'LENB': 'LEN.B', 'LGFA': 'LGF.A', 'LGFB': 'LGF.B', 'MOGA': 'MOG.A', 'PBRA': 'PBR.A', 'RDSA': 'RDS.A', 'RDSB': 'RDS.B'
  }[regexp_replace(root, '^\d+|\d+$', '', 'g')],
  nullif(regexp_replace(root, '^\d+|\d+$', '', 'g'), ''),
  root
);
CREATE OR REPLACE TEMP MACRO option_underlying(symbol) AS underlying_of_root(left(symbol, -15));
CREATE OR REPLACE TEMP MACRO option_multiplier(symbol) AS if(left(symbol, -15) = 'NANOS', 1, 100);
CREATE OR REPLACE TEMP MACRO is_monthly_expiry(expiry) AS isodow(expiry) BETWEEN 4 AND 6
  AND day(expiry + 5 - isodow(expiry)::INTEGER) BETWEEN 15 AND 21
  AND (
    isodow(expiry) <> 4
    OR list_contains(
      [
        '2000-04-21', '2003-04-18', '2008-03-21', '2014-04-18', '2019-04-19', '2022-04-15', '2025-04-18', '2026-06-19',
        '2027-06-18', '2030-04-19', '2032-06-18', '2033-04-15'
      ]::DATE[],
      expiry + 1
    )
  );
CREATE OR REPLACE TEMP MACRO option_settlement(symbol) AS
  CASE
    WHEN left(symbol, -15) IN ('VIX', 'VIXW') THEN 'AM'
    WHEN left(symbol, -15) IN ('SPX', 'NDX', 'RUT', 'DJX') AND is_monthly_expiry(option_expiry(symbol)) THEN 'AM'
    ELSE 'PM'
  END;

-- A date on which the contract may trade: not on a weekend and not after its expiry.
CREATE OR REPLACE TEMP MACRO option_day_fault(name, x, day, expiry, today) AS
  CASE
    WHEN day_fault(name, x, day, today) IS NOT NULL THEN day_fault(name, x, day, today)
    WHEN isodow(day) > 5 THEN [name, 'on a weekend', x]
    WHEN day > expiry THEN [name, 'after the expiry', x]
  END;

-- The side of a fill relative to the midpoint of its quote: ask, bid, mid, or no if there is no bid or no ask.
CREATE OR REPLACE TEMP MACRO fill_side(price, bid, ask) AS
  CASE
    -- Differences, because the sum of two prices may have more digits than a price has.
    WHEN price >= 0 AND bid >= 0 AND ask > 0 AND ask >= bid
      THEN CASE WHEN price - bid > ask - price THEN 'ask' WHEN price - bid < ask - price THEN 'bid' ELSE 'mid' END
    ELSE 'no'
  END;

-- Tags of a trade: its side, and its sentiment: a bought call or a sold put is bullish.
CREATE OR REPLACE TEMP MACRO fill_tags(side, option_type) AS [
  side || '_side',
  CASE
    WHEN side NOT IN ('ask', 'bid') THEN 'neutral'
    WHEN (side = 'ask') = (option_type = 'call') THEN 'bullish'
    ELSE 'bearish'
  END
];

-- A figure in plain or exponent notation, e.g. a greek; NULL if invalid or too large. Text that is not plain is the element of a
-- list, because DuckDB plans an argument as often as a macro repeats it.
CREATE OR REPLACE TEMP MACRO plain_figure(x) AS TRY_CAST(half_even_plain(x, 10) AS DECIMAL(18, 10));
CREATE OR REPLACE TEMP MACRO figure_of(x) AS
  CASE
    WHEN is_plain_number(x) THEN plain_figure(x)
    WHEN regexp_full_match(x, '[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,2})?')
      THEN list_transform(
        [without_exponent(x)],
        lambda number: TRY_CAST(half_even_text(number, 10) AS DECIMAL(18, 10))
      )[1]
  END;

-- The same, and a number in plain notation, of a text that may be one that sources write for a missing value.
CREATE OR REPLACE TEMP MACRO present_figure(x) AS
  CASE
    WHEN is_plain_number(x) THEN plain_figure(x)
    ELSE list_transform([present(x)], lambda stated: figure_of(stated))[1]
  END;
CREATE OR REPLACE TEMP MACRO present_number(x) AS
  CASE WHEN is_plain_number(x) THEN x ELSE list_transform([present(x)], lambda stated: plain_number(stated))[1] END;

-- A whole number with or without thousands separators (1,234); NULL if invalid or too large.
CREATE OR REPLACE TEMP MACRO whole_number(x) AS
  CASE
    -- True of most, and faster than the other checks.
    WHEN regexp_full_match(x, '-?\d+') THEN TRY_CAST(x AS BIGINT)
    WHEN regexp_full_match(plain_number(x), '-?\d+(\.0*)?') THEN TRY_CAST(plain_number(x) AS BIGINT)
  END;

-- The option symbol of a root, an expiry, call or put, and a strike of three decimals; NULL if one is missing.
CREATE OR REPLACE TEMP MACRO option_symbol_from(root, expiry, side, strike) AS
  upper(root) || strftime(expiry, '%y%m%d') || if(side = 'call', 'C', 'P') || lpad(replace(strike::VARCHAR, '.', ''), 8, '0');
