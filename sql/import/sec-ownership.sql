-- sec-ownership: insiders of companies and their trades as reported to the SEC on Forms 3, 4 and 5, and purchases by several insiders
-- address: https://www.sec.gov/search-filings
-- address: http://openinsider.com/latest-cluster-buys
-- expects: an ownership document (.xml), or a full submission text of EDGAR with one (.txt, or .nc of the dissemination)
-- expects: a bare document does not state its number: it is --accession for a single file, else the one in the file's name (0001234567-24-000123, with or without hyphens), else the file's name without its ending
-- expects: trades are the transactions in shares (Table I), numbered within the filing; holdings are none, so Form 3 gives insiders alone
-- expects: of several owners who report together, each becomes an insider, and the trades are those of the first one with a name and number
-- expects: a Form 4/A or 5/A that states as many transactions of a day, code and direction as the filing that it amends, or more, replaces them; others add to it. Import it together with that filing, or later
-- expects: or purchases by clusters of insiders (.csv of OpenInsider): each row is one trade without a name; it stands beside what Forms 4 say of the same purchases, so import one or the other of a company
-- option: accession = number of the filing, where the file does not say it
-- option: filing-date = day of the filing, where the file does not say it
-- reads: insiders
-- reads: insider_trades
-- rejects: a filing of another form, without owners, whose issuer has no ticker, or without a day of filing
-- rejects: a trade whose day is none or lies after the filing, whose code is not one letter, whose shares are no plain number, or that is neither acquired (A) nor disposed of (D)
-- rejects: an owner without a Central Index Key or a name
-- keeps: transactions in derivatives (Table II) are left out of the trades, with a warning for each
-- keeps: a bare document does not state its day of filing: it is --filing-date, else the latest day of a signature, with a warning
-- keeps: a price that is not stated, or in a footnote only, is NULL, with a warning; so are shares owned afterwards that are no number
-- keeps: of several tickers of an issuer the first, with a warning
-- keeps: rows of clusters have no Central Index Key: it is empty, and the filing's number is made of ticker, time of filing, day and code, with a warning
--
-- source: filings = xml
-- repeated: reportingOwner, nonDerivativeTransaction, derivativeTransaction, ownerSignature
-- member: submission; accession_number, filed becomes filing_date
-- member: document.ownershipDocument.documentType; 3, 4, 5, 3/A, 4/A or 5/A
-- member: document.ownershipDocument.dateOfOriginalSubmission; tells what an amendment amends
-- member: document.ownershipDocument.issuer.issuerTradingSymbol; becomes ticker, in upper case, without its exchange
-- member: document.ownershipDocument.reportingOwner[].reportingOwnerId; rptOwnerCik and rptOwnerName
-- member: document.ownershipDocument.reportingOwner[].reportingOwnerRelationship.isOfficer; officers are persons; others are, too, unless their name has a word like LLC, FUND or TRUST
-- member: document.ownershipDocument.nonDerivativeTable.nonDerivativeTransaction[]; the trades
-- member: document.ownershipDocument.ownerSignature[].signatureDate; see above
-- source: purchases = csv
-- column: filing_date = filing date; New York wall clock, of which the day is kept
-- column: trade_date = trade date; becomes transaction_date
-- column: ticker = ticker
-- column: trade_type = trade type; P - Purchase, S - Sale: the letter becomes transaction_code
-- column: price = price; average, dollars a share
-- column: shares = qty; of all insiders of the cluster; a minus sign marks a sale
-- optional: owned = owned; becomes shares_after

-- step: forms
-- Each ownership document with what is wrong with all of it.
WITH documents AS (
  SELECT
    file,
    line,
    record->'$.submission' AS submission,
    record->'$.document.ownershipDocument' AS form,
    count(*) FILTER (WHERE (record->>'$.submission.accession_number') IS NULL) OVER () AS bare,
    regexp_extract(name, '(\d{10})-?(\d{2})-?(\d{6})', ['a', 'b', 'c']) AS number,
    regexp_replace(name, '\.[^.]*$', '') AS stem
  FROM filings
  JOIN files USING (file)
),
texts AS (
  SELECT
    *,
    upper(trim(form->>'$.documentType')) AS kind,
    coalesce(
      submission->>'$.accession_number',
      $accession,
      if(number.a = '', stem, concat_ws('-', number.a, number.b, number.c))
    ) AS accession_number,
    list_max(list_transform(form->>'$.ownerSignature[*].signatureDate', lambda day: left(day, 10))) AS signed,
    coalesce(submission->>'$.filed', $filing_date, signed) AS written_filing_date,
    day_of(written_filing_date) AS filing_date,
    (submission->>'$.accession_number') IS NULL AND $accession IS NULL AND number.a = '' AS number_is_name,
    (submission->>'$.filed') IS NULL AND $filing_date IS NULL AS day_is_signature,
    -- NYSE: ABC; "ABC, ABC.A"; BRK/A
    string_split_regex(
      trim(regexp_replace(
        replace(upper(form->>'$.issuer.issuerTradingSymbol'), '/', '.'),
        '^[\s("]*((NYSE|NASDAQ|AMEX|OTC)[A-Z .]*:)?|[)"]', '', 'g'
      )),
      '[\s,;]+'
    ) AS tickers,
    nullif(tickers[1], '') AS ticker
  FROM documents
)
SELECT
  * EXCLUDE (number, stem, bare),
  coalesce(
    CASE
      WHEN form IS NULL THEN ['document', 'not an ownership document', NULL]
      WHEN NOT regexp_full_match(kind, '[345](/A)?') THEN ['form', 'not 3, 4 or 5', kind]
      WHEN len(form->'$.reportingOwner[*]') = 0 THEN ['owner', 'blank', NULL]
      WHEN bare > 1 AND $accession IS NOT NULL AND (submission->>'$.accession_number') IS NULL
        THEN ['accession_number', 'one number for several filings', $accession]
    END,
    ticker_fault('ticker', if(ticker IN ('NONE', 'N.A', 'NA'), NULL, ticker)),
    day_fault('filing_date', written_filing_date, filing_date, $today)
  ) AS fault
FROM texts

-- step: owners
WITH each_owner AS (
  SELECT
    file,
    line,
    ticker,
    filing_date,
    unnest(form->'$.reportingOwner[*]') AS owner,
    generate_subscripts(form->'$.reportingOwner[*]', 1) AS ordinal
  FROM forms
  WHERE fault IS NULL
),
named AS (
  SELECT
    * EXCLUDE (owner),
    owner->>'$.reportingOwnerId.rptOwnerCik' AS written_cik,
    nullif(ltrim(written_cik, '0'), '') AS cik,
    nullif(regexp_replace(owner->>'$.reportingOwnerId.rptOwnerName', '\s+', ' ', 'g'), '') AS name,
    coalesce(owner->>'$.reportingOwnerRelationship.isOfficer', '') IN ('1', 'true')
      OR NOT regexp_matches(
        lower(name),
        '\b(llc|l\.l\.c|lp|l\.p|ll?lp|inc|incorporated|corp|corporation|company|companies|ltd|limited|plc|gmbh|trusts?|'
          || 'trustees?|funds?|foundation|partners|partnership|capital|holdings?|group|ventures?|investors?|'
          || 'investments?|management|advis[eo]rs?|associates|equity|bancorp|opportunities|offshore|international|'
          || 'association|university|sponsor)\b|\b(co|s\.?a|ag|se|n\.?v|b\.?v|gp|pte|bank|plan|estate)\.?$'
      ) AS is_person
  FROM each_owner
),
-- Names are filed in capitals, mostly, and of persons the family name first: VAN DER BERG JOHN Q JR.
worded AS (
  SELECT
    *,
    list_transform(
      string_split(replace(name, ',', ''), ' '),
      lambda word: CASE
        WHEN name <> upper(name)
          OR regexp_full_match(word, '[IVX]+')
          OR NOT is_person AND regexp_full_match(word, '[^AEIOUY]+') AND word <> 'LTD'
          THEN word
        ELSE array_to_string(
          list_transform(
            regexp_extract_all(word, '[^''-]+[''-]?'),
            lambda part: regexp_replace(part[1] || lower(part[2:]), '^Mc([a-z])', 'Mc' || upper(part[3]))
          ),
          ''
        )
      END
    ) AS words,
    is_person AND regexp_matches(lower(words[-1]), '^(jr|sr|ii|iii|iv|md|phd|esq)\.?$') AS has_suffix,
    words[:len(words) - has_suffix::INTEGER] AS core,
    1 + len(regexp_extract_all(
      regexp_extract(lower(name), '^((van|von|der|den|de|del|della|di|da|dos|la|le|st\.?|el|al|bin) )+'), ' '
    )) AS particles,
    if(particles < len(core), particles, 1) AS family
  FROM named
)
SELECT
  * EXCLUDE (words, has_suffix, core, particles, family),
  CASE
    WHEN is_person THEN concat_ws(
      ' ',
      nullif(array_to_string(
        list_transform(core[family + 1:], lambda word: if(length(word) = 1, word || '.', word)), ' '
      ), ''),
      array_to_string(core[:family], ' '),
      if(has_suffix, words[-1], NULL)
    )
    ELSE array_to_string(words, ' ')
  END AS display_name,
  CASE
    WHEN cik IS NULL THEN ['cik', 'blank', written_cik]
    WHEN NOT regexp_full_match(cik, '\d{1,10}') THEN ['cik', 'not a Central Index Key', written_cik]
    WHEN name IS NULL THEN ['name', 'blank', NULL]
  END AS fault
FROM worded

-- step: first_owners
SELECT
  file,
  line,
  arg_min(cik, ordinal) AS cik
FROM owners
WHERE fault IS NULL
GROUP BY file, line
