-- Macros shared by several templates. The engine defines them before it serves requests, and `tapehouse query --sql`
-- prints those that a template uses before the query. Each may use those defined above it.

-- A number rounded to `places` decimals, half to even; `places` is a literal. DECIMAL is rounded exactly. A number of which
-- twice as much is a multiple of the last place, but the number itself is not, is half-way between two multiples. The
-- factors have 38 digits, because a product of DECIMAL(18) would overflow.
CREATE OR REPLACE MACRO half_even(x, places) AS
  CASE
    WHEN round(2::DECIMAL(38, 0) * x, places) = 2::DECIMAL(38, 0) * x AND round(x, places) <> x
      THEN 2 * round(0.5::DECIMAL(38, 1) * x, places)
    ELSE round(x, places)
  END;

-- The quotient of two integers as a DECIMAL(38, 10) in units of its last place, rounded half to even.
CREATE OR REPLACE MACRO exact_ratio(units, divisor) AS
  (
    (
      units // divisor
      + if(
        2 * abs(units % divisor) > abs(divisor)
        OR (2 * abs(units % divisor) = abs(divisor) AND (units // divisor) % 2 <> 0),
        sign(units) * sign(divisor),
        0
      )
    )::DECIMAL(38, 0) * 0.0000000001::DECIMAL(10, 10)
  )::DECIMAL(38, 10);

-- A quotient rounded to 10 places, half to even; NULL if the denominator is 0. Both may have up to 17 digits before the
-- point. If the double quotient, changed by several times its error in both directions, rounds to the same value, that
-- value is right. Otherwise (near a half of the last place, or beyond the digits of a double) integers compute it
-- exactly, a hundred times as slowly. The macro is short because planning time grows with each part of it. What computes
-- exactly is in a lambda: DuckDB makes no memory for the parts of one that it does not call, and does not repeat its arguments.
CREATE OR REPLACE MACRO ratio(numerator, denominator) AS
  CASE
    WHEN denominator = 0 THEN NULL
    WHEN round(numerator::DOUBLE / denominator * 9999999999.99999)
      = round(numerator::DOUBLE / denominator * 10000000000.00001)
      THEN (numerator::DOUBLE / denominator)::DECIMAL(38, 10)
    ELSE list_transform(
      [(numerator::DECIMAL(38, 10) * 10000000000)::HUGEINT * 10000000000],
      lambda units: list_transform(
        [(denominator::DECIMAL(38, 10) * 10000000000)::HUGEINT],
        lambda divisor: exact_ratio(units, divisor)
      )[1]
    )[1]
  END;

-- The quotient of two integers rounded half to even, of at least 0 and above 0.
CREATE OR REPLACE MACRO quotient_even(units, divisor) AS
  (
    units // divisor
    + if(2 * (units % divisor) + (units // divisor) % 2 > divisor, 1, 0)
  )::DECIMAL(38, 0);

-- The same, with 64 bits where they suffice: integers of 128 bits take several times as long.
CREATE OR REPLACE MACRO short_quotient(units, divisor) AS
  coalesce(
    quotient_even(TRY_CAST(units AS BIGINT), TRY_CAST(divisor AS BIGINT)),
    quotient_even(units, divisor)
  );

-- A price divided by an integer above 0, rounded to six decimals, half to even.
CREATE OR REPLACE MACRO price_ratio(price, divisor) AS
  CASE
    WHEN divisor = 1 THEN price::DECIMAL(18, 6)
    ELSE (quotient_even((price * 1000000)::HUGEINT, divisor) * 0.000001::DECIMAL(6, 6))::DECIMAL(18, 6)
  END;

-- Whether a condition of sale of the OPRA tape says that the trade was executed on the floor of an exchange; NULL
-- without a condition. Codes of this and the next two: OPRA Pillar Output Specification, "Last Sale".
CREATE OR REPLACE MACRO is_floor(detail) AS detail IN ('slft', 'mlft', 'mfsl', 'tlft', 'tfsl');

-- Whether the trade was executed in a crossing mechanism, customer crosses included.
CREATE OR REPLACE MACRO is_cross(detail) AS detail IN ('slcn', 'slci', 'mlct', 'tlct');

-- Whether the trade was an intermarket sweep order.
CREATE OR REPLACE MACRO is_sweep(detail) AS detail = 'isoi';

-- A decimal rounded to a whole number, half to even. It remains a decimal, so that each digit is exact. It has fewer
-- parts than `half_even`: DuckDB allocates memory for each part of an expression at every run.
CREATE OR REPLACE MACRO whole(value) AS
  CASE
    WHEN abs(value % 1) = 0.5 THEN 2 * round(0.5::DECIMAL(38, 1) * value)
    ELSE round(value)
  END::DECIMAL(38, 0);

-- The first weekday after a date.
CREATE OR REPLACE MACRO weekday_after(day) AS day + [1, 1, 1, 1, 3, 2, 1][isodow(day)];

-- The day by which a point of an economic series has been published, in regular releases: a daily rate on the second
-- weekday after it (the H.15 release follows on the first one that is not a holiday), a weekly one ten days after its
-- date, whichever day of the week that is; a longer period the number of days below after its end.
CREATE OR REPLACE MACRO published_on(indicator, length, day) AS
  CASE length
    WHEN 'daily' THEN weekday_after(weekday_after(day))
    WHEN 'weekly' THEN day + 10
    ELSE (day + to_months(MAP {'monthly': 1, 'quarterly': 3, 'semiannual': 6, 'annual': 12}[length]))::DATE
      + CASE indicator
        WHEN 'treasury-yield' THEN 5
        WHEN 'fed-funds' THEN 5
        WHEN 'unemployment' THEN 12
        WHEN 'payrolls' THEN 12
        WHEN 'cpi' THEN 20
        WHEN 'retail-sales' THEN 20
        WHEN 'inflation' THEN 200
        ELSE 31
      END
  END;

-- The last day on which a committee may report a contribution: most report monthly or quarterly, but some report the
-- first half of a year without elections by 31 July, and the second by 31 January.
CREATE OR REPLACE MACRO half_year_report_due(day) AS
  CASE WHEN month(day) <= 6 THEN make_date(year(day), 7, 31) ELSE make_date(year(day) + 1, 1, 31) END;

-- The last day on which lobbying of a period is reported: 20 days after a quarter, until 2007 45 days after a
-- half-year, and up to 3 days later where that is not a business day.
CREATE OR REPLACE MACRO lobbying_report_due(start) AS
  CASE
    WHEN start >= DATE '2008-01-01' THEN (start + INTERVAL 3 MONTHS)::DATE + 22
    ELSE (start + INTERVAL 6 MONTHS)::DATE + 47
  END;

-- The ratio at which shares are split or merged that a price moved by from one close to the next open, within 3 %, which
-- leaves room for the move of a night; 4 for a fall to a quarter. NULL if there is none, and if the close is more than
-- 25 % from the open, because a crash or a squeeze goes on.
CREATE OR REPLACE MACRO split_like(last_close, open, close) AS
  CASE
    WHEN abs(close::DOUBLE / open::DOUBLE - 1) <= 0.25
      THEN list_filter(
        [3 / 2, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50, 100, 2 / 3]
          || list_transform([2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50, 100], lambda shares: 1 / shares),
        lambda ratio: abs(last_close::DOUBLE / open::DOUBLE / ratio - 1) <= 0.03
      )[1]
  END;

-- Whether a source has adjusted bars for a split of `shares` new shares per old one already: the price from the last close
-- to the open moved by less than the fourth root of the ratio, in its direction. Splits below 7:5 cannot be told from the
-- move of a night: bars are not adjusted for them.
CREATE OR REPLACE MACRO is_split_adjusted(shares, last_close, open) AS
  coalesce(
    greatest(shares, 1 / shares) > 1.4
      AND pow(if(shares > 1, last_close::DOUBLE / open::DOUBLE, open::DOUBLE / last_close::DOUBLE), 4)
        < greatest(shares, 1 / shares),
    false
  );

-- A ratio of split_like as text: 4:1, 3:2, 1:10.
CREATE OR REPLACE MACRO ratio_text(ratio) AS
  CASE
    WHEN ratio = 1.5 THEN '3:2'
    WHEN ratio > 1 THEN format('{:.0f}:1', ratio)
    WHEN ratio > 0.6 THEN '2:3'
    ELSE format('1:{:.0f}', 1 / ratio)
  END;

-- Whether a stored ticker has the form of a vendor that imports and requests change, as in src/market/ticker-forms.ts:
-- BRK-B. Only letters, digits, dots and hyphens are stored.
CREATE OR REPLACE MACRO is_vendor_ticker(ticker) AS (contains(ticker, '-') OR contains(ticker, '.'))
  AND regexp_full_match(
    ticker,
    '.+\.US|[A-Z]{1,5}(-[ABCV]|-P-?[A-Z]|-PR[A-Z]|[-.]PR[-.][A-Z]|-(WS|WT)[-.]?[A-Z]?|\.WT[-.]?[A-Z]?|\.WS[A-Z]|\.W|[-.]UN|-U|-(RT|RI)|\.RI|\.R|-WI)'
  );

-- What to do about such rows of a dataset.
CREATE OR REPLACE MACRO vendor_ticker_reason(ticker, dataset) AS format(
  'no request finds it: import its files again with --force, then run tapehouse drop {} --tickers {}',
  dataset,
  ticker
);
