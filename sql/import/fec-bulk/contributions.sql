-- step: funds
-- Each row of cm.txt; for a committee that occurs twice, contributions use the last row.
SELECT
  committees.file,
  committees.line,
  cmte_id,
  cmte_nm,
  cmte_tp,
  nullif(cmte_pty_affiliation, 'UNK') AS party,
  present(connected_org_nm) AS connected_organization,
  coalesce(org_tp IN ('C', 'W') AND cmte_tp IN ('N', 'Q'), false) AS is_corporate,
  coalesce(sponsor.ticker, own.ticker) AS ticker,
  coalesce(sponsor.company_name, own.company_name) AS company_name,
  if(cmte_tp IN ('H', 'S', 'P'), cand_id, NULL) AS candidate,
  row_number() OVER (PARTITION BY cmte_id ORDER BY committees.file DESC, committees.line DESC) = 1 AS is_last
FROM committees
LEFT JOIN organisations AS sponsor ON sponsor.text = connected_org_nm
-- A condition on `org_tp` beside the equality would compare each committee with each organisation.
LEFT JOIN organisations AS own ON own.text = if(org_tp IN ('C', 'W'), cmte_nm, NULL)
-- step: people
-- The party of each candidate.
SELECT
  cand_id,
  nullif(cand_pty_affiliation, 'UNK') AS party
FROM candidates
WHERE cand_id IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY cand_id ORDER BY file DESC, line DESC) = 1
-- dataset: fec_committees
SELECT
  file,
  line,
  cycle,
  cycle_end,
  cmte_id AS committee_id,
  cmte_nm AS name,
  connected_organization,
  is_corporate,
  coalesce(ticker, '') AS ticker,
  company_name,
  CASE
    WHEN fault IS NOT NULL THEN fault
    WHEN NOT coalesce(regexp_full_match(cmte_id, 'C\d{8}'), false) THEN ['cmte_id', 'not a committee', cmte_id]
    ELSE blank_fault('cmte_nm', cmte_nm)
  END AS fault
FROM funds
CROSS JOIN cycles
UNION ALL BY NAME
-- Faults of rows that do not become rows of a dataset.
SELECT file, line, fault
FROM (
  SELECT file, line, ['cand_id', 'not a candidate', cand_id] AS fault
  FROM candidates
  WHERE NOT coalesce(regexp_full_match(cand_id, '[HSP]\d[A-Z0-9]{2}\d{5}'), false)
  UNION ALL
  SELECT file, line, ['cmte_id', 'not a committee', cmte_id]
  FROM (SELECT file, line, cmte_id FROM links UNION ALL SELECT file, line, cmte_id FROM summaries)
  WHERE NOT coalesce(regexp_full_match(cmte_id, 'C\d{8}'), false)
  UNION ALL
  SELECT file, line, coalesce(blank_fault('organization', organization), ticker_fault('ticker', ticker))
  FROM companies
)
WHERE fault IS NOT NULL
-- dataset: fec_contributions
-- Joins only small tables: the individuals of one cycle are tens of millions of rows.
WITH reported AS (
  SELECT
    file,
    line,
    cmte_id,
    transaction_tp,
    entity_tp,
    NULL AS employer,
    transaction_dt,
    transaction_amt,
    other_id,
    cand_id,
    memo_cd,
    sub_id
  FROM gifts
  UNION ALL BY NAME
  SELECT
    file,
    line,
    cmte_id,
    transaction_tp,
    entity_tp,
    employer,
    transaction_dt,
    transaction_amt,
    other_id,
    memo_cd,
    sub_id
  FROM transactions
),
-- The codes: https://www.fec.gov/campaign-finance-data/transaction-type-code-descriptions. Those of individuals are the
-- ones that openFEC marks as individuals' (is_coded_individual), without tribes and shares of joint contributions.
counted AS (
  SELECT
    *,
    transaction_tp IN (
      '10', '15', '15E', '30', '30E', '31', '31E', '32', '32E', '20Y', '22Y', '40Y', '41Y', '42Y'
    ) AS is_employee,
    transaction_tp IN ('17R', '17Z', '20Y', '22Y', '40Y', '41Y', '42Y') AS is_refund,
    TRY_CAST(half_even_text(transaction_amt, 2) AS DECIMAL(18, 2)) AS dollars,
    CASE
      WHEN regexp_full_match(transaction_dt, '\d{8}') THEN TRY_STRPTIME(transaction_dt, '%m%d%Y')::DATE
    END AS written_day,
    if(written_day BETWEEN DATE '1975-01-01' AND $today::DATE + 1, written_day, NULL) AS day
  FROM reported
  WHERE NOT coalesce(regexp_full_match(transaction_tp, '\d\d[A-Z]?'), false)
    OR coalesce(memo_cd, '') <> 'X'
    AND if(
      is_employee,
      coalesce(entity_tp, 'IND') IN ('IND', 'CAN'),
      transaction_tp IN ('24K', '24P', '24U', '24Z', '17R', '17Z')
    )
),
-- The candidate of the receiving committee wins over the one in the row, which is sometimes the number of an earlier
-- candidacy. A contribution then has the same recipient in itpas2.txt and in itoth.txt, which has no candidate.
joined AS (
  SELECT
    counted.*,
    filer.cmte_id AS known_filer,
    if(is_employee, employing.ticker, filer.ticker) AS ticker,
    if(
      is_employee,
      coalesce(filer.candidate, counted.cmte_id),
      coalesce(other.candidate, cand_id, other_id)
    ) AS recipient,
    if(is_employee, filer.party, other.party) AS committee_party,
    filer.is_corporate
    AND (
      cand_id IS NOT NULL
      OR if(
        other.cmte_id IS NULL,
        entity_tp IN ('CAN', 'CCM', 'PTY'),
        other.cmte_tp IN ('H', 'S', 'P', 'X', 'Y', 'Z')
      )
    ) AS is_pac
  FROM counted
  LEFT JOIN funds AS filer ON filer.cmte_id = counted.cmte_id AND filer.is_last
  LEFT JOIN funds AS other ON other.cmte_id = counted.other_id AND other.is_last
  LEFT JOIN organisations AS employing ON employing.text = counted.employer
)
SELECT
  joined.file,
  joined.line,
  sub_id AS id,
  cycle,
  cycle_end,
  day AS date,
  coalesce(ticker, '') AS ticker,
  CASE WHEN is_employee THEN 'employee' WHEN is_pac THEN 'pac' ELSE 'other' END AS kind,
  if(is_employee, NULL, cmte_id) AS committee_id,
  recipient AS recipient_id,
  -- The Democrats of Minnesota and of North Dakota have codes of their own.
  CASE
    WHEN coalesce(people.party, committee_party) IN ('DFL', 'DNL') THEN 'DEM'
    ELSE coalesce(people.party, committee_party)
  END AS party,
  if(is_refund, -abs(dollars), dollars)::DECIMAL(18, 2) AS amount,
  CASE
    WHEN fault IS NOT NULL THEN fault
    WHEN NOT has_committees THEN ['cmte_id', 'cm.txt is not in the import', cmte_id]
    WHEN NOT coalesce(regexp_full_match(cmte_id, 'C\d{8}'), false) THEN ['cmte_id', 'not a committee', cmte_id]
    WHEN NOT coalesce(regexp_full_match(transaction_tp, '\d\d[A-Z]?'), false)
      THEN ['transaction_tp', 'not a transaction type', transaction_tp]
    WHEN NOT coalesce(regexp_full_match(sub_id, '\d+'), false) THEN ['sub_id', 'not a record number', sub_id]
    ELSE coalesce(
      blank_fault('transaction_amt', transaction_amt),
      number_fault('transaction_amt', transaction_amt, dollars)
    )
  END AS fault,
  [
    note(
      'transaction_dt',
      'not a date from 1975 to tomorrow',
      transaction_dt,
      transaction_dt IS NOT NULL AND day IS NULL
    ),
    note('cmte_id', 'not in cm.txt', cmte_id, known_filer IS NULL)
  ] AS left_out
FROM joined
CROSS JOIN cycles
LEFT JOIN people ON people.cand_id = recipient
