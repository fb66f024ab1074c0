-- Macros for saved answers of the API.

-- The texts of a JSON array of strings; NULL if it is none.
CREATE OR REPLACE TEMP MACRO texts_of(x) AS
  CASE WHEN json_type(TRY_CAST(x AS JSON)) = 'ARRAY' THEN TRY(from_json(x, '["VARCHAR"]')) END;

-- A value that is written but could not be converted.
CREATE OR REPLACE TEMP MACRO unread_fault(name, reason, x, value) AS
  CASE WHEN x IS NOT NULL AND value IS NULL THEN [name, reason, x] END;

-- The multiplier of a contract that a premium of price × size × multiplier shows, otherwise the one of its root.
CREATE OR REPLACE TEMP MACRO trade_multiplier(symbol, price, size, premium) AS
  coalesce(
    CASE WHEN price > 0 AND size > 0 AND premium > 0 THEN TRY_CAST(round(premium / (price * size)) AS INTEGER) END,
    option_multiplier(symbol)
  );
