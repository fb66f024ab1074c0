-- step: trades
-- Transactions in shares, with their key: their own, or that of the transaction that they amend.
WITH each_trade AS (
  SELECT
    file,
    line,
    accession_number,
    filing_date,
    ticker,
    kind,
    day_of(form->>'$.dateOfOriginalSubmission') AS original_date,
    cik,
    unnest(form->'$.nonDerivativeTable.nonDerivativeTransaction[*]') AS item,
    generate_subscripts(form->'$.nonDerivativeTable.nonDerivativeTransaction[*]', 1)::INTEGER AS sequence
  FROM forms
  LEFT JOIN first_owners USING (file, line)
  WHERE fault IS NULL
),
-- What macros repeat is a column of the step before: DuckDB plans an alias of the same SELECT as often as it is repeated.
written AS (
  SELECT
    * EXCLUDE (item, original_date, kind),
    if(kind IN ('4/A', '5/A'), original_date, NULL) AS amends,
    nullif(item->>'$.transactionDate.value', '') AS written_date,
    upper(nullif(item->>'$.transactionCoding.transactionCode', '')) AS transaction_code,
    nullif(item->>'$.securityTitle.value', '') AS security_title,
    nullif(item->>'$.transactionAmounts.transactionShares.value', '') AS written_shares,
    nullif(item->>'$.transactionAmounts.transactionPricePerShare.value', '') AS written_price,
    upper(item->>'$.transactionAmounts.transactionAcquiredDisposedCode.value') AS direction,
    nullif(item->>'$.postTransactionAmounts.sharesOwnedFollowingTransaction.value', '') AS written_after
  FROM each_trade
),
converted AS (
  SELECT
    *,
    day_of(regexp_replace(written_date, '(\d)([-+]\d\d:\d\d|Z)$', '\1')) AS transaction_date,
    TRY_CAST(half_even_text(written_shares, 4) AS DECIMAL(18, 4)) AS shares,
    TRY_CAST(half_even_text(written_price, 6) AS DECIMAL(18, 6)) AS read_price,
    direction = 'A' AS is_acquired,
    TRY_CAST(half_even_text(written_after, 4) AS DECIMAL(18, 4)) AS read_after
  FROM written
),
texts AS (
  SELECT
    *,
    number_fault('price', written_price, read_price) IS NOT NULL AS is_price_wrong,
    if(is_price_wrong, NULL, read_price) AS price,
    number_fault('', written_after, read_after) IS NOT NULL AS is_after_wrong,
    if(is_after_wrong, NULL, read_after) AS shares_after
  FROM converted
),
checked AS (
  SELECT
    *,
    coalesce(
      blank_fault('cik', cik),
      day_fault('transaction_date', written_date, transaction_date, $today),
      CASE
        WHEN transaction_date > filing_date THEN ['transaction_date', 'after the filing date', written_date]
        WHEN NOT coalesce(regexp_full_match(transaction_code, '[A-Z]'), false)
          THEN ['transaction_code', 'not one letter', transaction_code]
      END,
      blank_fault('shares', written_shares),
      number_fault('shares', written_shares, shares),
      CASE
        WHEN shares < 0 THEN ['shares', 'below zero', written_shares]
        WHEN NOT coalesce(direction IN ('A', 'D'), false) THEN ['is_acquired', 'neither A nor D', direction]
      END
    ) AS fault
  FROM texts
),
-- Trades of a filing that an amendment may replace: those of one date, code and direction, in their order.
counted AS (
  SELECT
    *,
    row_number() OVER alike AS nth,
    count(*) OVER (PARTITION BY file, line, transaction_date, transaction_code, is_acquired) AS number
  FROM checked
  WHERE fault IS NULL
  WINDOW alike AS (PARTITION BY file, line, transaction_date, transaction_code, is_acquired ORDER BY sequence)
),
originals AS (
  SELECT
    *,
    row_number() OVER alike AS nth,
    count(*) OVER (PARTITION BY accession_number, transaction_date, transaction_code, is_acquired) AS number
  FROM (
    SELECT DISTINCT
      accession_number,
      sequence,
      ticker,
      cik,
      filing_date,
      transaction_date,
      transaction_code,
      is_acquired
    FROM (
      SELECT * FROM held_insider_trades
      UNION ALL BY NAME
      SELECT * FROM counted WHERE amends IS NULL
    )
  )
  WINDOW alike AS (PARTITION BY accession_number, transaction_date, transaction_code, is_acquired ORDER BY sequence)
),
placed AS (
  SELECT
    counted.* EXCLUDE (accession_number, sequence, filing_date),
    counted.filing_date AS stated_on,
    original.accession_number IS NOT NULL AS replaces,
    coalesce(original.accession_number, counted.accession_number) AS accession_number,
    coalesce(original.sequence, counted.sequence) AS sequence,
    coalesce(original.filing_date, counted.filing_date) AS filing_date
  FROM counted
  LEFT JOIN originals AS original
    ON original.filing_date = counted.amends
    AND original.ticker = counted.ticker
    AND original.cik = counted.cik
    AND original.transaction_date = counted.transaction_date
    AND original.transaction_code = counted.transaction_code
    AND original.is_acquired = counted.is_acquired
    AND original.nth = counted.nth
    AND original.number <= counted.number
)
SELECT * FROM placed
QUALIFY NOT bool_or(replaces) OVER (PARTITION BY accession_number, sequence)
  OR row_number() OVER (
    PARTITION BY accession_number, sequence
    ORDER BY replaces DESC, stated_on DESC, file DESC, line DESC
  ) = 1
UNION ALL BY NAME
SELECT * FROM checked WHERE fault IS NOT NULL
