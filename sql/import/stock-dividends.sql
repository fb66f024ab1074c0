-- stock-dividends: cash dividends of stocks and distributions of funds, CSV with a header, one row per ticker and dividend
-- address: https://massive.com/docs/rest/stocks/corporate-actions/dividends
-- address: https://www.alphavantage.co/documentation/#dividends
-- expects: CSV with a header, one row per ticker, ex-dividend date and kind
-- expects: amounts per share as on the ex-dividend date, not adjusted for later splits; they are rounded to nine decimals, half to even
-- expects: ex-dividend dates up to a year in the future, which count from that day on
-- expects: a kind as CD (regular), SC (special), LT and ST (distributions of long-term and short-term capital gains) or in words; without one, regular
-- rejects: an invalid ticker or ex-dividend date, and one before 1900 or more than a year in the future
-- rejects: an amount that is missing or not a plain decimal number above zero
-- rejects: a kind that is not one of cash dividends, and a currency that is not three letters
-- keeps: a date of declaration, record or payment that is not a date, stored as NULL
-- rows: alone
-- source: raw = csv
-- column: ticker = ticker, symbol; converted to upper case
-- column: ex_date = ex_date, ex_dividend_date, ex-dividend date, ex date, exdate, exdividenddate; first day without the dividend, 2024-11-08
-- column: amount = amount, cash_amount, cash amount, dividend, dividends; cash per share
-- optional: kind = kind, dividend_type, distribution_type, type; CD, regular
-- optional: currency = currency, currency_code; ISO 4217 code of the amount
-- optional: declared_date = declared_date, declaration_date, declaration date, declarationdate
-- optional: record_date = record_date, record date, recorddate
-- optional: pay_date = pay_date, payment_date, pay date, payment date, paymentdate
-- dataset: stock_dividends
WITH typed AS (
  SELECT
    *,
    day_of(ex_date) AS day,
    TRY_CAST(half_even_text(amount, 9) AS DECIMAL(18, 9)) AS cash,
    CASE
      WHEN kind IS NULL THEN 'regular'
      WHEN lower(kind) IN ('cd', 'cash', 'regular', 'cash dividend', 'regular cash', 'recurring', 'unknown') THEN 'regular'
      WHEN lower(kind) IN ('sc', 'special', 'special cash', 'supplemental', 'irregular') THEN 'special'
      WHEN lower(kind) IN ('lt', 'long_term_gain', 'long-term capital gain') THEN 'long_term_gain'
      WHEN lower(kind) IN ('st', 'short_term_gain', 'short-term capital gain') THEN 'short_term_gain'
    END AS kind_of_cash
  FROM raw
)
SELECT
  file,
  line,
  upper(ticker) AS ticker,
  day AS ex_date,
  kind_of_cash AS kind,
  cash AS amount,
  upper(currency) AS currency,
  day_of(declared_date) AS declared_date,
  day_of(record_date) AS record_date,
  day_of(pay_date) AS pay_date,
  coalesce(
    ticker_fault('ticker', ticker),
    written_day_fault('ex_date', ex_date, day, $today::DATE + 365),
    blank_fault('amount', amount),
    positive_fault('amount', amount, cash),
    CASE
      WHEN kind_of_cash IS NULL THEN ['kind', 'not a kind of cash dividend', kind]
      WHEN NOT regexp_full_match(currency, '[A-Za-z]{3}') THEN ['currency', 'not a currency', currency]
    END
  ) AS fault
FROM typed
