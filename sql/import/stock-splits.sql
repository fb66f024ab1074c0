-- stock-splits: splits and reverse splits of stocks and ETFs, CSV with a header, one row per ticker and split
-- address: https://massive.com/docs/rest/stocks/corporate-actions/splits
-- address: https://www.alphavantage.co/documentation/#splits
-- expects: CSV with a header, one row per ticker and day on which a split takes effect
-- expects: a ratio (4:1, 4-for-1, 4/1 or 4), or the shares after and before the split in two columns; new shares come first, so that 1:10 is a reverse split
-- expects: a number alone is the shares after the split for each share before it. If it is that of 1:N or N:3, rounded to the places that it has, it is stored as that ratio: 0.3333 as 1:3
-- rejects: an invalid ticker or date, and a date before 1900 or in the future
-- rejects: a row without a ratio, and one whose ratio or shares are not positive numbers with up to 6 digits before and after the point
-- rows: alone
-- source: raw = csv
-- needs: ratio or new_shares, old_shares
-- column: ticker = ticker, symbol; converted to upper case
-- column: date = date, execution_date, effective_date, ex_date, ex date; first day on which the ticker trades on the new basis, 2024-06-10
-- optional: ratio = ratio, split_ratio, split_factor, stock splits; 4:1
-- optional: new_shares = new_shares, split_to, numerator; shares after the split
-- optional: old_shares = old_shares, split_from, denominator; shares before the split
-- dataset: stock_splits
WITH texts AS (
  SELECT
    *,
    day_of(date) AS day,
    regexp_extract(
      ratio,
      '^([0-9.]+)(?: ?(?:[:/]|-?for-?|-?to-?) ?([0-9.]+))?$',
      ['after_split', 'before_split'],
      'i'
    ) AS parts,
    new_shares IS NULL AND old_shares IS NULL AS has_ratio,
    if(has_ratio, nullif(parts['after_split'], ''), new_shares) AS new_text,
    if(has_ratio, coalesce(nullif(parts['before_split'], ''), '1'), old_shares) AS old_text,
    has_ratio AND parts['before_split'] = '' AS is_number
  FROM raw
),
typed AS (
  SELECT
    *,
    CASE WHEN is_share_count(new_text) THEN half_even_text(new_text, 6)::DECIMAL(12, 6) END AS new_number,
    CASE WHEN is_share_count(old_text) THEN half_even_text(old_text, 6)::DECIMAL(12, 6) END AS old_number,
    len(rtrim(split_part(new_text, '.', 2), '0'))::INTEGER AS places
  FROM texts
),
-- The ratio that a number alone may be a rounded form of: 1:N below one, N:3 above.
near AS (
  SELECT
    *,
    if(new_number < 1, 1, round(3 * new_number))::BIGINT AS near_new,
    round(if(new_number < 1, 1 / new_number::DOUBLE, 3))::BIGINT AS near_old,
    is_number AND places >= 2 AND round(near_new / near_old, places) = new_number::DOUBLE AS is_rounded
  FROM typed
),
ratios AS (
  SELECT
    *,
    if(is_rounded, near_new, trunc(new_number * 1000000)::BIGINT) AS after_split,
    if(is_rounded, near_old, trunc(old_number * 1000000)::BIGINT) AS before_split,
    gcd(after_split, before_split) AS divisor
  FROM near
)
SELECT
  file,
  line,
  ticker_of(ticker) AS ticker,
  day AS date,
  after_split // divisor AS new_shares,
  before_split // divisor AS old_shares,
  coalesce(
    ticker_fault('ticker', ticker),
    written_day_fault('date', date, day, $today),
    CASE
      WHEN has_ratio AND ratio IS NULL THEN ['ratio', 'missing', NULL]
      WHEN has_ratio AND (new_number IS NULL OR old_number IS NULL) THEN ['ratio', 'not a ratio such as 4:1', ratio]
    END,
    blank_fault('new_shares', new_text),
    blank_fault('old_shares', old_text),
    CASE
      WHEN new_number IS NULL THEN ['new_shares', 'not a positive number of shares', new_text]
      WHEN old_number IS NULL THEN ['old_shares', 'not a positive number of shares', old_text]
    END
  ) AS fault
FROM ratios
