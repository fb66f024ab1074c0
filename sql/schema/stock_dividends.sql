-- stock_dividends: cash dividends of stocks and distributions of funds, one row per ticker, ex-dividend date and kind
-- partition: year by ex_date
-- key: ticker, ex_date, kind
-- sort: ticker, ex_date, kind
-- ranges: ticker
-- known: least(coalesce(declared_date, ex_date), ex_date); exact to the day where the source has the date of the declaration, otherwise late: a dividend is declared weeks before its ex-dividend date
CREATE TABLE stock_dividends (
  ticker VARCHAR NOT NULL,         -- ticker symbol, in upper case
  ex_date DATE NOT NULL,           -- first day on which the ticker trades without the dividend, New York
  kind VARCHAR NOT NULL,           -- regular, special, long_term_gain or short_term_gain; distributions of capital gains are those of funds
  amount DECIMAL(18, 9) NOT NULL,  -- cash per share as on ex_date, not adjusted for later splits
  currency VARCHAR,                -- ISO 4217 code of amount; NULL if the source has none: that of the prices, dollars
  declared_date DATE,              -- day of the declaration; NULL if the source has none
  record_date DATE,                -- day on which shareholders are entitled; NULL if the source has none
  pay_date DATE                    -- day of the payment; NULL if the source has none
);
