-- Macros for tickers.

-- The ticker of the lake for one in capitals with a suffix as vendors write it: BRK.B of BRK-B, as in
-- src/market/ticker-forms.ts.
CREATE OR REPLACE TEMP MACRO share_form(x) AS
  CASE
    WHEN NOT regexp_full_match(x, '[A-Z]+[-./ _^+=$#:].*') THEN x
    WHEN regexp_full_match(x, '[A-Z]{1,5}\.([A-QS-VX-Z]|PR[A-Z]?|WS|RT|WI)') THEN x
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
                        regexp_replace(
                          regexp_replace(
                            regexp_replace(
                              regexp_replace(
                                regexp_replace(
                                  regexp_replace(
                                    regexp_replace(
                                      regexp_replace(
                                        x,
                                        '^(?:NYSE|NASDAQ|AMEX|ARCA|NYSEARCA|BATS):(.+)$',
                                        '\1'
                                      ),
                                      '^([A-Z0-9/.]+) US(?: EQUITY)?$',
                                      '\1'
                                    ),
                                    '^([A-Z]{1,5})_([A-Z])\.US$',
                                    '\1.PR\2'
                                  ),
                                  '^(.+)\.US$',
                                  '\1'
                                ),
                                '^INET:([A-Z]{1,5})-([A-Z]?)$',
                                '\1.PR\2'
                              ),
                              '^INET:([A-Z]{1,5})\^$',
                              '\1.RT'
                            ),
                            '^INET:(.+)$',
                            '\1'
                          ),
                          '^([A-Z]{1,5})(?:[$^]|-P-?|[-./ ]PR[-./ ]?)([A-Z])$',
                          '\1.PR\2'
                        ),
                        '^([A-Z]{1,5})/P-?([A-QS-Z])$',
                        '\1.PR\2'
                      ),
                      '^([A-Z]{1,5}) PR$',
                      '\1.PR'
                    ),
                    '^([A-Z]{1,5})(?:\+|[-./ ](?:WS|WT)|\.W)$',
                    '\1.WS'
                  ),
                  '^([A-Z]{1,5})(?:\+|[-./ ](?:WS|WT)[-./ ]?)([A-Z])$',
                  '\1.WS.\2'
                ),
                '^([A-Z]{1,5})(?:=|[-./ ]UN?)$',
                '\1.U'
              ),
              '^([A-Z]{1,5})(?:[-./ ](?:RT|RI)|\.R)$',
              '\1.RT'
            ),
            '^([A-Z]{1,5})(?:#|[-/ ]WI)$',
            '\1.WI'
          ),
          '^([A-Z]{1,5})(?:[/_]([A-Z])|-([ABCV]))$',
          '\1.\2\3'
        ),
        '^([A-Z]{2,5}) ([A-Z])$',
        '\1.\2'
      )
  END;

-- The ticker of the lake for one in any case and form. A small letter is a preferred share (BACpL), a right or a share
-- when issued.
CREATE OR REPLACE TEMP MACRO ticker_of(x) AS
  CASE
    WHEN regexp_full_match(x, '[A-Z][A-Z0-9]{0,9}') THEN x
    WHEN regexp_full_match(x, '[A-Z]{1,5}p[A-Z]') THEN left(x, -2) || '.PR' || right(x, 1)
    WHEN regexp_full_match(x, '[A-Z]{2,5}[prw]') THEN left(x, -1) || MAP {'p': '.PR', 'r': '.RT', 'w': '.WI'}[right(x, 1)]
    ELSE share_form(upper(x))
  END;

-- A symbol of Nasdaq's platform, marked as one if ticker_of would read it as another: BAC-L is a preferred share there.
CREATE OR REPLACE TEMP MACRO nasdaq_symbol(x) AS
  if(regexp_full_match(x, '[A-Z]{1,5}(-[A-Z]?|\^)'), 'inet:' || x, x);

CREATE OR REPLACE TEMP MACRO ticker_fault(name, x) AS
  CASE
    WHEN x IS NULL THEN [name, 'missing', NULL]
    WHEN regexp_full_match(x, '[A-Z][A-Z0-9]{0,9}') THEN NULL
    WHEN NOT regexp_full_match(ticker_of(x), '[A-Z][A-Z0-9.\-]{0,9}') THEN [name, 'not a ticker', x]
  END;
