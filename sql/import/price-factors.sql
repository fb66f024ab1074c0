-- price-factors: factors of splits and dividends, CSV, one row per ticker and last day before a split or dividend
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/equity/usa/factor_files
-- expects: CSV with a header, one row per ticker and day; factors count up to and including their day, and have at least six significant digits
-- expects: all rows of a ticker in one file, because an event is the change from a row to the next one
-- expects: the split or dividend takes effect on the weekday after the day of its row
-- expects: a change of the split factor becomes the ratio of up to 100 whole shares that is nearest to it
-- expects: a change of the price factor becomes a dividend of reference price × (1 − factor / next factor) dollars per share, rounded to six decimals, half to even
-- rejects: an invalid ticker or date, and a date before 1900
-- rejects: a factor that is missing or not a plain decimal number above zero, and a change of it that is no split
-- rejects: a dividend without a reference price, and a price factor above that of the next row
--
-- source: raw = csv
-- column: ticker = ticker, symbol; converted to upper case
-- column: date = date; last day on which the factors count, 2024-06-07
-- column: price_factor = price_factor, price factor; product of the factors of later dividends
-- column: split_factor = split_factor, split factor; old shares per new share of all later splits
-- column: reference_price = reference_price, reference price; close of the day in dollars, not adjusted
--
-- `raw` has one row per record of the file: its `file` and `line`, and the columns above as trimmed text, NULL if blank.

-- step: factor_events
-- Each row with the change to the next row of its ticker.
WITH typed AS (
  SELECT
    *,
    day_of(date) AS day,
    TRY_CAST(half_even_text(price_factor, 12) AS DECIMAL(16, 12)) AS price_value,
    TRY_CAST(half_even_text(split_factor, 12) AS DECIMAL(24, 12)) AS split_value,
    TRY_CAST(half_even_text(reference_price, 6) AS DECIMAL(14, 6)) AS reference,
    coalesce(
      ticker_fault('ticker', ticker),
      CASE
        WHEN date IS NULL THEN ['date', 'missing', NULL]
        WHEN day IS NULL THEN ['date', 'not a date', date]
        WHEN day < DATE '1900-01-01' THEN ['date', 'before 1900', date]
      END,
      blank_fault('price_factor', price_factor),
      positive_fault('price_factor', price_factor, price_value),
      blank_fault('split_factor', split_factor),
      positive_fault('split_factor', split_factor, split_value),
      number_fault('reference_price', reference_price, reference)
    ) AS row_fault
  FROM raw
),
following AS (
  SELECT
    *,
    CASE WHEN row_fault IS NULL THEN lead(split_value) OVER later / split_value END::DOUBLE AS shares,
    trunc(price_value * 1000000000000)::HUGEINT AS price_units,
    CASE WHEN row_fault IS NULL THEN lead(price_units) OVER later END AS next_units,
    price_units::DOUBLE / next_units::DOUBLE AS rest
  FROM typed
  WINDOW later AS (PARTITION BY file, upper(ticker), row_fault IS NULL ORDER BY day)
),
ratios AS (
  SELECT
    *,
    abs(shares - 1) > 0.00001 AS is_split,
    abs(rest - 1) > 0.0000001 AS is_dividend,
    greatest(shares, 1 / shares) AS ratio,
    CASE
      WHEN ratio <= 100000
        THEN list_filter(range(1, 101), lambda each: abs(ratio * each / round(ratio * each) - 1) <= 0.00002)[1]
    END AS part,
    CASE WHEN part IS NOT NULL THEN round(ratio * part)::BIGINT END AS whole,
    if(shares > 1, whole, part) AS new_shares,
    if(shares > 1, part, whole) AS old_shares,
    -- Per share after a split on the same day.
    CASE
      WHEN rest < 1 AND reference > 0
        THEN TRY_CAST(
          quotient_even(
            trunc(reference * 1000000)::HUGEINT * (next_units - price_units) * if(is_split, old_shares, 1),
            next_units * if(is_split, new_shares, 1)
          ) * 0.000001::DECIMAL(6, 6) AS DECIMAL(18, 9)
        )
    END AS amount
  FROM following
)
SELECT
  file,
  line,
  upper(ticker) AS ticker,
  weekday_after(day) AS effective,
  coalesce(is_split, false) AS is_split,
  coalesce(is_dividend, false) AS is_dividend,
  new_shares,
  old_shares,
  amount,
  coalesce(
    row_fault,
    CASE
      WHEN is_split AND part IS NULL THEN ['split_factor', 'no ratio of up to 100 shares to that of the next row', split_factor]
      WHEN is_dividend AND rest > 1 THEN ['price_factor', 'above that of the next row', price_factor]
      WHEN is_dividend AND coalesce(amount, 0) <= 0 THEN ['reference_price', 'not the price before a dividend', reference_price]
    END
  ) AS fault
FROM ratios

-- dataset: stock_splits
SELECT
  file,
  line,
  ticker,
  effective AS date,
  new_shares,
  old_shares,
  fault
FROM factor_events
WHERE is_split OR fault IS NOT NULL

-- dataset: stock_dividends
SELECT
  file,
  line,
  ticker,
  effective AS ex_date,
  'regular' AS kind,
  amount,
  'USD' AS currency,
  NULL::DATE AS declared_date,
  NULL::DATE AS record_date,
  NULL::DATE AS pay_date,
  NULL::VARCHAR[] AS fault
FROM factor_events
WHERE is_dividend
  AND fault IS NULL
