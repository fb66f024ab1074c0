-- sec-ownership: insiders of companies and their trades as reported on SEC Forms 3, 4 and 5, and purchases by several insiders
-- address: https://www.sec.gov/search-filings
-- address: https://www.sec.gov/data-research/sec-markets-data/insider-transactions-data-sets
-- address: http://openinsider.com/latest-cluster-buys
-- expects: an ownership document (.xml), or a full submission text of EDGAR with one (.txt, or .nc of the dissemination)
-- expects: a document alone does not contain its accession number: it comes from --accession for a single file, otherwise from the file's name (0001234567-24-000123, with or without hyphens), otherwise it is the file's name without its extension
-- expects: or a quarterly data set of the SEC: SUBMISSION.tsv, REPORTINGOWNER.tsv and NONDERIV_TRANS.tsv in one import; its other tables are not read. It gives the same rows as the filings themselves
-- expects: trades are the transactions in shares (Table I), numbered within the filing. Holdings are not trades, so Form 3 produces only insiders
-- expects: of several owners who report together, each becomes an insider, and the trades are those of the first one with a name and number
-- expects: a Form 4/A or 5/A with at least as many transactions of a date, code and direction as the filing that it amends replaces them; otherwise it adds to them. Import it together with that filing, or later
-- expects: or purchases by clusters of insiders (.csv of OpenInsider): each row is one trade without a name. It does not replace the same purchases from Form 4, so import only one of the two for a company
-- option: accession = accession number of the filing, if the file does not contain it
-- option: filing-date = date of the filing, if the file does not contain it
-- reads: insiders
-- reads: insider_trades
-- rejects: an owner or a transaction of a data set whose filing is not in the import
-- rejects: a filing of another form, without owners, without a ticker of the issuer, or without a filing date
-- rejects: a trade whose date is invalid or after the filing, whose code is not one letter, whose shares are not a plain number, or that is neither acquired (A) nor disposed of (D)
-- rejects: an owner without a Central Index Key or a name
-- keeps: filings with transactions in derivatives (Table II), without these transactions
-- keeps: a document without a filing date; the date is --filing-date, otherwise the latest date of a signature
-- keeps: a price that is not stated or only in a footnote, and shares owned afterwards that are not a number, stored as NULL
-- keeps: an issuer with several tickers; the first is used
-- keeps: clusters of insiders without a Central Index Key, which is empty; the accession number is derived from ticker, filing time, date and code
--
-- source: filings = xml
-- roots: ownershipDocument
-- repeated: reportingOwner, nonDerivativeTransaction, derivativeTransaction, ownerSignature
-- member: submission; accession_number, filed becomes filing_date
-- member: document.ownershipDocument.documentType; 3, 4, 5, 3/A, 4/A or 5/A
-- member: document.ownershipDocument.dateOfOriginalSubmission; identifies the filing that an amendment amends
-- member: document.ownershipDocument.issuer.issuerTradingSymbol; becomes ticker, in upper case, without its exchange
-- member: document.ownershipDocument.reportingOwner[].reportingOwnerId; rptOwnerCik and rptOwnerName
-- member: document.ownershipDocument.reportingOwner[].reportingOwnerRelationship.isOfficer; officers are persons; so are others, unless their name has a word like LLC, FUND or TRUST
-- member: document.ownershipDocument.nonDerivativeTable.nonDerivativeTransaction[]; the trades
-- member: document.ownershipDocument.ownerSignature[].signatureDate; default for the filing date
-- source: set_filings = csv
-- columns: accession_number, filing_date, date_of_orig_sub, document_type, issuertradingsymbol
-- source: set_owners = csv
-- columns: accession_number, rptownercik, rptownername, rptowner_relationship
-- source: set_trades = csv
-- columns: accession_number, nonderiv_trans_sk, security_title, trans_date, trans_code, trans_shares
-- columns: trans_pricepershare, trans_acquired_disp_cd, shrs_ownd_folwng_trans
-- source: purchases = csv
-- column: filing_date = filing date; New York time, stored as a date
-- column: trade_date = trade date; becomes transaction_date
-- column: ticker = ticker
-- column: trade_type = trade type; P - Purchase, S - Sale: the letter becomes transaction_code
-- column: price = price; average, dollars per share
-- column: shares = qty; total of all insiders of the cluster; a minus sign marks a sale
-- optional: insider = insider name; distinguishes trades of insiders who filed at the same time
-- optional: owned = owned; becomes shares_after

-- step: set_forms
-- The filings of a data set in the form of the ownership document.
WITH owners_of AS (
  SELECT
    accession_number,
    list({
      'reportingOwnerId': { 'rptOwnerCik': rptownercik, 'rptOwnerName': rptownername },
      'reportingOwnerRelationship': { 'isOfficer': contains(lower(rptowner_relationship), 'officer') }
    } ORDER BY file, line) AS list
  FROM (SELECT DISTINCT ON (accession_number, rptownercik) * FROM set_owners ORDER BY file, line)
  GROUP BY accession_number
),
trades_of AS (
  SELECT
    accession_number,
    list({
      'securityTitle': { 'value': security_title },
      'transactionDate': { 'value': any_day_text(trans_date) },
      'transactionCoding': { 'transactionCode': trans_code },
      'transactionAmounts': {
        'transactionShares': { 'value': trans_shares },
        'transactionPricePerShare': { 'value': trans_pricepershare },
        'transactionAcquiredDisposedCode': { 'value': trans_acquired_disp_cd }
      },
      'postTransactionAmounts': { 'sharesOwnedFollowingTransaction': { 'value': shrs_ownd_folwng_trans } }
    } ORDER BY TRY_CAST(nonderiv_trans_sk AS BIGINT), file, line) AS list
  FROM (SELECT DISTINCT ON (accession_number, nonderiv_trans_sk) * FROM set_trades ORDER BY file, line)
  GROUP BY accession_number
)
SELECT
  file,
  line,
  to_json({
    'submission': { 'accession_number': accession_number, 'filed': any_day_text(filing_date) },
    'document': {
      'ownershipDocument': {
        'documentType': document_type,
        'dateOfOriginalSubmission': any_day_text(date_of_orig_sub),
        'issuer': { 'issuerTradingSymbol': issuertradingsymbol },
        'reportingOwner': coalesce(owners_of.list, []),
        'nonDerivativeTable': { 'nonDerivativeTransaction': coalesce(trades_of.list, []) }
      }
    }
  }) AS record
FROM set_filings
LEFT JOIN owners_of USING (accession_number)
LEFT JOIN trades_of USING (accession_number)

-- step: forms
-- Each ownership document with the faults that apply to all of it.
WITH documents AS (
  SELECT
    file,
    line,
    record->'$.submission' AS submission,
    record->'$.document.ownershipDocument' AS form,
    count(*) FILTER (WHERE (record->>'$.submission.accession_number') IS NULL) OVER () AS bare,
    regexp_extract(name, '(\d{10})-?(\d{2})-?(\d{6})', ['a', 'b', 'c']) AS number,
    regexp_replace(name, '\.[^.]*$', '') AS stem
  FROM (FROM filings UNION ALL BY NAME FROM set_forms)
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
    ticker_of(nullif(tickers[1], '')) AS ticker
  FROM documents
)
SELECT
  * EXCLUDE (number, stem, bare),
  coalesce(
    CASE
      WHEN form IS NULL THEN ['document', 'not an ownership document', NULL]
      WHEN NOT regexp_full_match(kind, '[345](/A)?') THEN ['form', 'not 3, 4 or 5', kind]
      WHEN len(form->'$.reportingOwner[*]') = 0 THEN ['owner', 'missing', NULL]
      WHEN bare > 1 AND $accession IS NOT NULL AND (submission->>'$.accession_number') IS NULL
        THEN ['accession_number', 'one accession number for several filings', $accession]
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
-- Names are usually filed in capitals, those of persons with the family name first: VAN DER BERG JOHN Q JR.
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
    WHEN cik IS NULL THEN ['cik', 'missing', written_cik]
    WHEN NOT regexp_full_match(cik, '\d{1,10}') THEN ['cik', 'not a Central Index Key', written_cik]
    WHEN name IS NULL THEN ['name', 'missing', NULL]
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
