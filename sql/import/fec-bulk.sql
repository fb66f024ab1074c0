-- fec-bulk: political committees of companies, contributions by them and by companies' employees, and lobbying reports
-- address: https://www.fec.gov/data/browse-data/?tab=bulk-data
-- address: https://lda.senate.gov/api/v1/filings/
-- expects: the bulk files of one two-year cycle, unpacked, in one import: cm.txt (committees), cn.txt (candidates), ccl.txt (links), itpas2.txt (committees to candidates), itoth.txt (between committees), itcont.txt (individuals), webk….txt (PAC summary). Contributions need cm.txt in the same import, and cn.txt for the parties of candidates
-- expects: with these or alone, pages of the Senate's lobbying disclosure filings (JSON), with all pages of a period in one import
-- expects: the cycle in --cycle; otherwise from FEC_ELECTION_YR in ccl.txt and file names such as webk20.txt; otherwise the one with the most TRANSACTION_DT. It applies to every row: a contribution of December 2018 reported in 2019 is in the files of 2020, and counts there
-- expects: the company of a committee, employer or client is the one of the same name, ignoring words such as INC, CORP, CO, THE and PAC: in your own companies.csv, otherwise in the lake's tickers (import those first; funds are ignored), otherwise in a built-in list of 160 large companies. A committee is matched by CONNECTED_ORG_NM, and a corporation's also by CMTE_NM. Rows without a known company are kept with an empty ticker
-- expects: a corporate committee has ORG_TP C or W (corporation, with or without stock) and CMTE_TP N or Q (PAC). CONNECTED_ORG_NM may be blank, as it is for a third of them
-- expects: contributions of committees have TRANSACTION_TP 24K, 24P, 24U and 24Z, those of individuals 10, 15, 15E, 30, 30E, 31, 31E, 32 and 32E. Refunds, which become negative, are 17R and 17Z to committees, and 20Y, 22Y, 40Y, 41Y and 42Y to individuals. Contributions of corporate committees to candidates and parties have the kind pac, those of individuals employee, all others other
-- expects: rows that are not contributions or would count twice are skipped: memo entries (MEMO_CD X); independent and coordinated expenditures and communication costs (24A, 24C, 24E, 24F, 24N, 29); contributions as reported by their recipient (18K, 15Z, 22Z …); earmarked contributions in transit (15I, 15T, 24I, 24T), which their recipient reports as 15E; transfers between affiliated committees (18G, 24G); loans and all other types; and organisations among the individuals
-- expects: webk….txt and ccl.txt provide the cycle and are checked, but produce no rows: they contain totals and links, not contributions
-- expects: a lobbying report is identified by registrant, client, year and period, and the version posted last counts. Registrations (RR, RA) have no amount and are skipped. A firm's income from a client that reports its own expenses for the period is skipped too, because those expenses include it (2 U.S.C. 1604)
-- option: cycle = two-year election cycle of the FEC files, named by its even year, if the files do not state it
-- reads: tickers
-- rejects: every row of the FEC files, if the cycle is unknown, not an even year, or not unique; every contribution without cm.txt
-- rejects: an invalid committee or candidate number; a committee without a name
-- rejects: an invalid TRANSACTION_TP; a contribution without a numeric amount or without SUB_ID
-- rejects: a company without a name or with an invalid ticker
-- rejects: a filing without filing_uuid, type, client, year or period, or with an amount that is not a number or is negative
-- keeps: a TRANSACTION_DT that is not a date from 1975 to tomorrow, stored as NULL; a CMTE_ID that is not in cm.txt, stored as is
--
-- source: committees = csv, no header, windows-1252
-- begins: ^C\d{8}(\|[^|]*){14}$
-- column: cmte_id = cmte_id; becomes committee_id
-- column: cmte_nm = cmte_nm; becomes name
-- column: tres_nm = tres_nm
-- column: cmte_st1 = cmte_st1
-- column: cmte_st2 = cmte_st2
-- column: cmte_city = cmte_city
-- column: cmte_st = cmte_st
-- column: cmte_zip = cmte_zip
-- column: cmte_dsgn = cmte_dsgn
-- column: cmte_tp = cmte_tp; type: H, S, P for candidates, X, Y, Z for parties, N, Q for PACs
-- column: cmte_pty_affiliation = cmte_pty_affiliation; party, if the recipient has no candidate with a party
-- column: cmte_filing_freq = cmte_filing_freq
-- column: org_tp = org_tp; C and W are corporations
-- column: connected_org_nm = connected_org_nm; becomes connected_organization; NONE means none
-- column: cand_id = cand_id; becomes recipient_id of contributions to a candidate's committee
--
-- source: candidates = csv, no header, windows-1252
-- begins: ^[HSP]\d[A-Z0-9]{7}(\|[^|]*){14}$
-- column: cand_id = cand_id
-- column: cand_name = cand_name
-- column: cand_pty_affiliation = cand_pty_affiliation; party: DFL and DNL, the Democrats of two states, become DEM; UNK means unknown
-- column: cand_election_yr = cand_election_yr
-- column: cand_office_st = cand_office_st
-- column: cand_office = cand_office
-- column: cand_office_district = cand_office_district
-- column: cand_ici = cand_ici
-- column: cand_status = cand_status
-- column: cand_pcc = cand_pcc
-- column: cand_st1 = cand_st1
-- column: cand_st2 = cand_st2
-- column: cand_city = cand_city
-- column: cand_st = cand_st
-- column: cand_zip = cand_zip
--
-- source: links = csv, no header
-- begins: ^[CHSP][A-Z0-9]{8}\|\d{4}\|\d{4}\|C\d{8}(\|[^|]*){3}$
-- column: cand_id = cand_id
-- column: cand_election_yr = cand_election_yr
-- column: fec_election_yr = fec_election_yr; the cycle
-- column: cmte_id = cmte_id
-- column: cmte_tp = cmte_tp
-- column: cmte_dsgn = cmte_dsgn
-- column: linkage_id = linkage_id
--
-- source: gifts = csv, no header, windows-1252
-- begins: ^C\d{8}(\|[^|]*){21}$
-- column: cmte_id = cmte_id; becomes committee_id
-- column: amndt_ind = amndt_ind
-- column: rpt_tp = rpt_tp
-- column: transaction_pgi = transaction_pgi
-- column: image_num = image_num
-- column: transaction_tp = transaction_tp; determines whether the row counts and its kind
-- column: entity_tp = entity_tp; CCM, CAN and PTY are candidates and parties, used if OTHER_ID is not in cm.txt
-- column: name = name
-- column: city = city
-- column: state = state
-- column: zip_code = zip_code
-- column: employer = employer
-- column: occupation = occupation
-- column: transaction_dt = transaction_dt; MMDDYYYY, becomes date
-- column: transaction_amt = transaction_amt; becomes amount
-- column: other_id = other_id; becomes recipient_id, unless it is the committee of a candidate
-- column: cand_id = cand_id; becomes recipient_id if cm.txt has no candidate for OTHER_ID
-- column: tran_id = tran_id
-- column: file_num = file_num
-- column: memo_cd = memo_cd
-- column: memo_text = memo_text
-- column: sub_id = sub_id; becomes id
--
-- source: transactions = csv, no header, windows-1252
-- begins: ^C\d{8}(\|[^|]*){20}$
-- column: cmte_id = cmte_id
-- column: amndt_ind = amndt_ind
-- column: rpt_tp = rpt_tp
-- column: transaction_pgi = transaction_pgi
-- column: image_num = image_num
-- column: transaction_tp = transaction_tp
-- column: entity_tp = entity_tp
-- column: name = name
-- column: city = city
-- column: state = state
-- column: zip_code = zip_code
-- column: employer = employer; determines the ticker of an individual's contribution
-- column: occupation = occupation
-- column: transaction_dt = transaction_dt
-- column: transaction_amt = transaction_amt
-- column: other_id = other_id
-- column: tran_id = tran_id
-- column: file_num = file_num
-- column: memo_cd = memo_cd
-- column: memo_text = memo_text
-- column: sub_id = sub_id
--
-- source: summaries = csv, no header, windows-1252
-- begins: ^C\d{8}(\|[^|]*){26}$
-- column: cmte_id = cmte_id
-- column: cmte_nm = cmte_nm
-- column: cmte_tp = cmte_tp
-- column: cmte_dsgn = cmte_dsgn
-- column: cmte_filing_freq = cmte_filing_freq
-- column: ttl_receipts = ttl_receipts
-- column: trans_from_aff = trans_from_aff
-- column: indv_contrib = indv_contrib
-- column: other_pol_cmte_contrib = other_pol_cmte_contrib
-- column: cand_contrib = cand_contrib
-- column: cand_loans = cand_loans
-- column: ttl_loans_received = ttl_loans_received
-- column: ttl_disb = ttl_disb
-- column: tranf_to_aff = tranf_to_aff
-- column: indv_refunds = indv_refunds
-- column: other_pol_cmte_refunds = other_pol_cmte_refunds
-- column: cand_loan_repay = cand_loan_repay
-- column: loan_repay = loan_repay
-- column: coh_bop = coh_bop
-- column: coh_cop = coh_cop
-- column: debts_owed_by = debts_owed_by
-- column: nonfed_trans_received = nonfed_trans_received
-- column: contrib_to_other_cmte = contrib_to_other_cmte
-- column: ind_exp = ind_exp
-- column: pty_coord_exp = pty_coord_exp
-- column: nonfed_share_exp = nonfed_share_exp
-- column: cvg_end_dt = cvg_end_dt
--
-- source: companies = csv
-- column: organization = organization, connected_org_nm; name of the organisation, employer or client
-- column: ticker = ticker, symbol; its ticker
-- optional: company_name = company_name, company; name of the company. Default: the organisation's name
--
-- source: filings = json
-- member: results[]; the filings of a page; a record without results is one filing
-- member: filing_uuid; becomes id if registrant or client have no number
-- member: filing_type; RR and RA are registrations
-- member: filing_year; with filing_period, becomes cycle and period_start
-- member: client.name, client.id, registrant.id; become client_name, ticker and id
-- member: expenses, income; whichever is present becomes amount. Default: 0 (less than $5,000)
-- member: dt_posted; the version posted last counts
--
-- step: cycles
-- One row: the cycle, its fault, and whether cm.txt is in the import.
WITH stated AS (
  SELECT (fec_election_yr::INTEGER + 1) // 2 * 2 AS cycle FROM links WHERE regexp_full_match(fec_election_yr, '\d{4}')
  UNION
  SELECT (1975 + (yy::INTEGER - 75 + 100) % 100 + 1) // 2 * 2
  FROM (SELECT regexp_extract(name, '(?i)^(cm|cn|ccl|pas2|oth|indiv|webk)(19|20)?(\d\d)\b', 3) AS yy FROM files)
  WHERE yy <> ''
),
dated AS (
  SELECT
    (year + 1) // 2 * 2 AS cycle,
    count(*) AS rows
  FROM (
    SELECT right(transaction_dt, 4)::INTEGER AS year
    FROM (SELECT transaction_dt FROM gifts UNION ALL SELECT transaction_dt FROM transactions)
    WHERE regexp_full_match(transaction_dt, '\d{4}(19|20)\d\d')
  )
  GROUP BY ALL
),
found AS (
  SELECT
    CASE
      WHEN $cycle IS NOT NULL THEN if(regexp_full_match($cycle, '(19|20)\d[02468]'), TRY_CAST($cycle AS INTEGER), NULL)
      WHEN count(*) = 0 THEN (SELECT arg_max(cycle, (rows, cycle)) FROM dated)
      WHEN count(*) = 1 THEN max(cycle)
    END AS cycle,
    string_agg(cycle::VARCHAR, ', ' ORDER BY cycle) AS several
  FROM stated
)
SELECT
  cycle::INTEGER AS cycle,
  make_date(cycle, 12, 31) AS cycle_end,
  CASE
    WHEN cycle IS NOT NULL THEN NULL
    WHEN $cycle IS NOT NULL THEN ['cycle', 'not an even year', $cycle]
    WHEN several IS NOT NULL THEN ['cycle', 'files of several cycles: specify one with --cycle', several]
    ELSE ['cycle', 'unknown: specify it with --cycle', NULL]
  END AS fault,
  EXISTS (FROM committees) AS has_committees
FROM found
