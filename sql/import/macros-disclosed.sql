-- Disclosures of members of Congress, in the terms of both chambers' forms and of those who republish them.

-- The text of HTML as one line, NULL for -- (no value). Text that was encoded twice (S&amp;amp;P) becomes S&P.
CREATE OR REPLACE TEMP MACRO html_line(x) AS nullif(
  regexp_replace(html_text(regexp_replace(x, '&amp;(#?\w{1,10};)', '&\1', 'g')), '\s+', ' ', 'g'),
  '--'
);

-- The day of a filing or a trade.
CREATE OR REPLACE TEMP MACRO disclosed_day(x) AS coalesce(day_of(x), us_day_of(x));

-- The date of a trade. By mistake it may be after the filing (often the new year for a trade of last December), but by
-- at most one year.
CREATE OR REPLACE TEMP MACRO traded_fault(x, day, filed, today) AS
  CASE
    WHEN day_fault('transaction_date', x, day, today) IS NOT NULL THEN day_fault('transaction_date', x, day, today)
    WHEN day - filed > 366 THEN ['transaction_date', 'more than a year after the filing date', x]
  END;

-- Tickers in order of appearance, in the form of the lake: the underlying of an option, and BRK.B of Yahoo's BRK-B.
CREATE OR REPLACE TEMP MACRO disclosed_tickers(x) AS list_transform(
  list_filter(regexp_split_to_array(html_text(x), '\s+'), lambda each: NOT regexp_full_match(each, '(?i)-*|n/a')),
  lambda each: regexp_replace(
    ticker_of(each),
    '^([A-Z]{1,6})\d{6}[CP]\d{8}$',
    '\1'
  )
);

CREATE OR REPLACE TEMP MACRO disclosed_type(x) AS MAP {
  'purchase': 'Buy', 'p': 'Buy',
  'sale': 'Sell', 'salefull': 'Sell', 's': 'Sell',
  'salepartial': 'Sell (partial)', 'spartial': 'Sell (partial)',
  'exchange': 'Exchange', 'e': 'Exchange'
}[regexp_replace(lower(x), '[^a-z]', '', 'g')];

CREATE OR REPLACE TEMP MACRO disclosed_owner(x) AS MAP {
  'self': 'self',
  'spouse': 'spouse', 'sp': 'spouse',
  'joint': 'joint', 'jt': 'joint',
  'child': 'child', 'dependent': 'child', 'dependentchild': 'child', 'dc': 'child'
}[regexp_replace(lower(x), '[^a-z]', '', 'g')];

-- A range of dollars as published, with one blank on each side of the dash; `$1,001 -`, a form that occurs, is
-- unchanged.
CREATE OR REPLACE TEMP MACRO disclosed_amounts(x) AS trim(regexp_replace(html_line(x), '\s*[-–—]\s*', ' - ', 'g'));
CREATE OR REPLACE TEMP MACRO amounts_fault(name, x, value) AS
  CASE
    WHEN value IS NULL THEN [name, 'missing', x]
    WHEN NOT regexp_matches(value, '\$\d') THEN [name, 'not a dollar amount', x]
  END;

-- A politician's name, first name first, in one spelling: without titles, nicknames in parentheses and middle initials,
-- and not in capitals. If an initial replaces the first name, it and the following initials are kept.
CREATE OR REPLACE TEMP MACRO name_part(x) AS
  CASE
    WHEN regexp_full_match(x, 'MC..+') THEN 'Mc' || x[3] || lower(x[4:])
    ELSE x[1] || lower(x[2:])
  END;
CREATE OR REPLACE TEMP MACRO name_word(x, in_capitals) AS
  CASE
    WHEN regexp_full_match(x, '(?i)(jr|sr)\.?') THEN upper(x[1]) || lower(x[2]) || '.'
    WHEN regexp_full_match(x, '(?i)ii|iii|iv') THEN upper(x)
    WHEN in_capitals
      THEN array_to_string(
        list_transform(regexp_extract_all(x, '[-'']|[^-'']+'), lambda part: name_part(part)),
        ''
      )
    ELSE x
  END;
CREATE OR REPLACE TEMP MACRO name_words(x) AS list_filter(
  regexp_split_to_array(trim(regexp_replace(html_text(x), '\([^()]*\)|"[^"]*"|,', ' ', 'g')), '\s+'),
  lambda word: NOT regexp_full_match(word, '(?i)|(hon|honorable|mr|mrs|ms|dr|sen|senator|rep|representative|none)\.?')
);
CREATE OR REPLACE TEMP MACRO spelled_name(words, in_capitals) AS nullif(
  array_to_string(
    list_transform(
      list_filter(
        words,
        lambda word: NOT regexp_full_match(word, '[A-Za-z]\.?') OR regexp_full_match(words[1], '[A-Za-z]\.?')
      ),
      lambda word: name_word(word, in_capitals)
    ),
    ' '
  ),
  ''
);
-- The words are computed once, and passed on as the only element of a list.
CREATE OR REPLACE TEMP MACRO member_name(x) AS
  list_transform([name_words(x)], lambda words: spelled_name(words, x = upper(x)))[1];

-- The politician's id. Files do not number politicians, so one is a name in a chamber, in the House with the state
-- (NULL: unknown), because people of the same name from two states sat in it at the same time. The same name does not
-- prove that a senator is a former representative.
CREATE OR REPLACE TEMP MACRO member_id(chamber, state, name) AS uuid_named(
  concat_ws(
    '|',
    'member of congress',
    chamber,
    coalesce(state, ''),
    regexp_replace(lower(strip_accents(name)), '[^a-z0-9 ]', '', 'g')
  )
);
