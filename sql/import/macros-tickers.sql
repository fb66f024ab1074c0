-- Macros for tickers.

-- The ticker of the lake for one in capitals with a suffix as vendors write it: BRK.B of BRK-B, as in
-- src/market/ticker-forms.ts.
CREATE OR REPLACE TEMP MACRO share_form(x) AS
  CASE
    WHEN NOT regexp_full_match(x, '[A-Z]+[-./ _^+=].*') THEN x
    ELSE
      regexp_replace(
        regexp_replace(
          regexp_replace(
            regexp_replace(
              regexp_replace(
                regexp_replace(
                  regexp_replace(
                    regexp_replace(
                      regexp_replace(
                        x,
                        '^(.+)\.US$',
                        '\1'
                      ),
                      '^([A-Z]{1,5})(\^|-P-?|[-./ ]PR[-./ ]?)([A-Z])$',
                      '\1.PR\3'
                    ),
                    '^([A-Z]{1,5})(\+|[-./ ](WS|WT))$',
                    '\1.WS'
                  ),
                  '^([A-Z]{1,5})(\+|[-./ ](WS|WT)[-./ ]?)([A-Z])$',
                  '\1.WS.\4'
                ),
                '^([A-Z]{1,5})(=|[-./ ]UN?)$',
                '\1.U'
              ),
              '^([A-Z]{1,5})[-./ ](RT|RI)$',
              '\1.RT'
            ),
            '^([A-Z]{1,5})[-/ ]WI$',
            '\1.WI'
          ),
          '^([A-Z]{1,5})[-/_]([A-Z])$',
          '\1.\2'
        ),
        '^([A-Z]{2,5}) ([A-Z])$',
        '\1.\2'
      )
  END;

-- The ticker of the lake for one in any case and form. A small p before the series is a preferred share: BACpL.
CREATE OR REPLACE TEMP MACRO ticker_of(x) AS
  CASE
    WHEN regexp_full_match(x, '[A-Z][A-Z0-9]{0,9}') THEN x
    WHEN regexp_full_match(x, '[A-Z]{1,5}p[A-Z]') THEN left(x, -2) || '.PR' || right(x, 1)
    ELSE share_form(upper(x))
  END;

CREATE OR REPLACE TEMP MACRO ticker_fault(name, x) AS
  CASE
    WHEN x IS NULL THEN [name, 'missing', NULL]
    WHEN regexp_full_match(x, '[A-Z][A-Z0-9]{0,9}') THEN NULL
    WHEN NOT regexp_full_match(ticker_of(x), '[A-Z][A-Z0-9.\-]{0,9}') THEN [name, 'not a ticker', x]
  END;
