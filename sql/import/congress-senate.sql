-- congress-senate: trades disclosed by senators, as filings with transactions (JSON) and as a list of transactions (CSV)
-- address: https://github.com/timothycarambat/senate-stock-watcher-data
-- address: https://efdsearch.senate.gov (the Senate's own publication of the filings, page by page)
-- expects: aggregate/all_daily_summaries.json, or a daily summary of the same structure: an array of filings
-- expects: aggregate/all_transactions.csv. Its rows have no filing date; the date comes from the filing with the same ptr_link, either in summaries of the same import or in trades that the lake has from that filing
-- expects: aggregate/all_transactions.json, the same list as JSON
-- expects: aggregate/all_transactions_for_senators.json: transactions of one senator with a ptr_link each. The date beside them is that of one filing; each other transaction has the date of its own filing, found as for the list
-- expects: all files produce the same rows with the same ids, so importing both creates no duplicates
-- reads: congress_trades
-- rejects: a filing, or a row of the list, that was scanned on paper: it has no readable transactions
-- rejects: a row of the list whose filing date is unknown
-- rejects: a filing without a ptr_link, a filer or a filing date, or with a filing date before 1900 or in the future
-- rejects: a transaction date that is missing, before 1900, in the future or more than a year after the filing
-- rejects: a missing or invalid type or amount
-- keeps: a transaction dated up to a year after its filing, with the dates as filed: filings contain such mistakes. It never counts as late
-- keeps: an invalid ticker (3V64.TI, ^MWE) or owner, stored as NULL; of two tickers, the first is used
--
-- source: summaries = json
-- has: ptr_link, transactions
-- member: ptr_link; URL of the filing, part of a trade's id
-- member: date_recieved; filing date MM/DD/YYYY, becomes filed_at_date (also spelled date_received)
-- member: office; the filer as "Last, First M. (Senator)": becomes reporter and name; is_active is false if it says Former
-- member: first_name; with last_name, the filer if office has no name
-- member: last_name; see first_name
-- member: transactions[].ptr_link; URL of the filing of this transaction, if it is another one
-- member: transactions[].transaction_date; MM/DD/YYYY
-- member: transactions[].owner; Self, Spouse, Joint or Child, becomes issuer
-- member: transactions[].ticker; HTML is removed, -- means none; an option is mapped to its underlying
-- member: transactions[].asset_description; HTML is removed and line breaks become spaces
-- member: transactions[].type; Purchase, Sale (Full), Sale (Partial) or Exchange, becomes txn_type
-- member: transactions[].amount; becomes amounts
-- member: transactions[].comment; becomes notes
--
-- source: listed = json
-- has: ptr_link, transaction_date
-- member: ptr_link; the members have the names of the columns of the list as CSV
--
-- source: transactions = csv
-- column: ptr_link = ptr_link; URL of the filing, identifies the filer and the filing date
-- column: transaction_date = transaction_date; MM/DD/YYYY
-- column: owner = owner; becomes issuer
-- column: ticker = ticker; -- means none
-- column: asset_description = asset_description; HTML is removed
-- column: type = type; becomes txn_type
-- column: amount = amount; becomes amounts
-- optional: asset_type = asset_type; identifies scanned filings ("PDF Disclosed Filing")
-- optional: comment = comment; becomes notes
--
-- A trade has no id in either file. Its id is derived from the URL of its filing, its columns in the lake and its
-- number among the equal trades of the filing. With the same id, a row of the list finds the trade that the summaries
-- added to the lake, and so its filing. The filing date is not part of the id, because the list does not have it.
-- Politicians are identified by name. Electronic filers have one spelling of it in `office`, whatever first_name says,
-- so a middle initial or a nickname does not create a second politician.
-- A filing does not state who is in office today: is_active is whether its office says so, as of the filing.
-- step: filings
WITH written AS (
  SELECT
    file,
    line,
    record ->> 'ptr_link' AS ptr_link,
    coalesce(record ->> 'date_recieved', record ->> 'date_received') AS date_recieved,
    html_line(record ->> 'office') AS office,
    html_line(concat_ws(' ', record ->> 'first_name', record ->> 'last_name')) AS filer,
    record -> 'transactions' AS written_list
  FROM summaries
),
-- An office with the name of its holder, last name first: Casey, Robert P. Jr. (Senator).
parsed AS (
  SELECT
    *,
    coalesce(regexp_matches(office, '^[^,()]+,[^()]*[^() ]'), false) AS is_named,
    CASE WHEN json_type(written_list) = 'ARRAY' THEN written_list::JSON[] END AS transactions,
    disclosed_day(date_recieved) AS filed_at_date
  FROM written
),
named AS (
  SELECT
    *,
    CASE
      WHEN is_named
        THEN regexp_replace(office, '^([^,]+), *([^()]*?)((?: (?:Jr|Sr|II|III|IV)\.?)?) *(\(.*)?$', '\2 \1\3')
      ELSE filer
    END AS full_name
  FROM parsed
),
spelled AS (
  SELECT
    *,
    member_name(full_name) AS name
  FROM named
)
SELECT
  file,
  line,
  ptr_link,
  rtrim(lower(trim(ptr_link)), '/') AS filing,
  filed_at_date,
  CASE WHEN is_named THEN office ELSE filer END AS reporter,
  name,
  NOT coalesce(regexp_matches(office, '(?i)\bformer\b'), false) AS is_active,
  transactions,
  coalesce(
    blank_fault('ptr_link', nullif(trim(ptr_link), '')),
    day_fault('date_recieved', date_recieved, filed_at_date, $today),
    blank_fault('office', name),
    CASE WHEN transactions IS NULL THEN ['transactions', 'not a list', written_list::VARCHAR] END,
    CASE WHEN transactions = [] THEN ['transactions', 'scanned paper filing: no readable transactions', ptr_link] END
  ) AS fault
FROM spelled

-- Transactions of both files; `place` is the position in the filing or in the file.
-- step: disclosed
SELECT
  file,
  line,
  place,
  coalesce(own_filing, filing) AS filing,
  if(own_filing IS NULL, ptr_link, transaction ->> 'ptr_link') AS ptr_link,
  coalesce(own_filing <> filing, false) AS is_listed,
  transaction ->> 'transaction_date' AS transaction_date,
  transaction ->> 'owner' AS owner,
  transaction ->> 'ticker' AS ticker,
  transaction ->> 'asset_description' AS asset_description,
  transaction ->> 'type' AS type,
  transaction ->> 'amount' AS amount,
  transaction ->> 'comment' AS comment,
  transaction ->> 'asset_type' AS asset_type
FROM (
  SELECT
    *,
    nullif(rtrim(lower(trim(transaction ->> 'ptr_link')), '/'), '') AS own_filing
  FROM (
    SELECT
      *,
      unnest(transactions) AS transaction,
      generate_subscripts(transactions, 1) AS place
    FROM filings
    WHERE fault IS NULL
  )
)
UNION ALL BY NAME
SELECT
  file,
  line,
  line AS place,
  rtrim(lower(trim(record ->> 'ptr_link')), '/') AS filing,
  record ->> 'ptr_link' AS ptr_link,
  true AS is_listed,
  record ->> 'transaction_date' AS transaction_date,
  record ->> 'owner' AS owner,
  record ->> 'ticker' AS ticker,
  record ->> 'asset_description' AS asset_description,
  record ->> 'type' AS type,
  record ->> 'amount' AS amount,
  record ->> 'comment' AS comment,
  record ->> 'asset_type' AS asset_type
FROM listed
UNION ALL BY NAME
SELECT
  file,
  line,
  line AS place,
  rtrim(lower(ptr_link), '/') AS filing,
  ptr_link,
  true AS is_listed,
  transaction_date,
  owner,
  ticker,
  asset_description,
  type,
  amount,
  comment,
  asset_type
FROM transactions

-- step: trades
WITH typed AS (
  SELECT
    * REPLACE (html_line(asset_description) AS asset_description),
    disclosed_day(transaction_date) AS traded_on,
    disclosed_owner(owner) AS issuer,
    disclosed_tickers(ticker) AS tickers,
    CASE WHEN ticker_fault('ticker', tickers[1]) IS NULL THEN tickers[1] END AS symbol,
    disclosed_type(type) AS txn_type,
    disclosed_amounts(amount) AS amounts,
    html_line(comment) AS notes
  FROM disclosed
)
SELECT
  *,
  uuid_named(
    concat_ws(
      '|',
      'congress trade',
      filing,
      coalesce(traded_on::VARCHAR, ''),
      coalesce(issuer, ''),
      coalesce(symbol, ''),
      coalesce(asset_description, ''),
      coalesce(txn_type, ''),
      coalesce(amounts, ''),
      coalesce(notes, ''),
      row_number() OVER (
        PARTITION BY
          file,
          -- A filing that occurs twice in a file of summaries is the same filing.
          CASE WHEN NOT is_listed THEN line END,
          filing,
          traded_on,
          issuer,
          symbol,
          asset_description,
          txn_type,
          amounts,
          notes
        ORDER BY place
      )
    )
  ) AS id
FROM typed

-- Filer and filing date per filing: from the last such filing in the summaries, otherwise from any of its trades in the
-- lake.
-- step: filers
WITH known_filers AS (
  SELECT
    filing,
    1 AS preference,
    concat_ws('|', lpad(file::VARCHAR, 10, '0'), lpad(line::VARCHAR, 18, '0')) AS place,
    filed_at_date,
    member_id('senate', NULL, name) AS politician_id,
    name,
    reporter,
    is_active
  FROM filings
  WHERE fault IS NULL
  UNION ALL BY NAME
  SELECT
    filing,
    2 AS preference,
    concat_ws('|', held.filed_at_date, held.id) AS place,
    held.filed_at_date,
    held.politician_id,
    held.name,
    held.reporter,
    held.is_active
  FROM trades
  JOIN held_congress_trades AS held USING (id)
  WHERE is_listed
)
SELECT *
FROM known_filers
QUALIFY row_number() OVER (PARTITION BY filing ORDER BY preference, place DESC) = 1
