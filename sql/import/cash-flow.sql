-- cash-flow: annual and quarterly cash flow statements of companies, as JSON of Alpha Vantage's CASH_FLOW
-- address: https://www.alphavantage.co/documentation/#cash-flow
-- expects: one object per company, alone, in an array or one per line
-- expects: amounts as text or numbers, with the source's sign; None is stored as NULL
-- expects: inserted_at is the date of the import that adds a statement; later imports keep it
-- expects: updated_at is the date of the import that adds or changes a statement
-- reads: cash_flow_statements
-- rejects: all reports of a company whose symbol is not a ticker
-- rejects: a report whose fiscalDateEnding is missing, invalid or in the future
-- rejects: a report whose currency is not three letters
-- rejects: all but the last of several reports with the same period in one list
-- rejects: lists of reports that are not arrays, and a company without any list
-- keeps: amounts that are not numbers or are too large; they are stored as NULL
--
-- source: statements = json
-- has: symbol, annualReports
-- member: symbol; ticker of the company
-- member: annualReports[]; reports of fiscal years
-- member: quarterlyReports[]; reports of fiscal quarters
-- member: annualReports[].fiscalDateEnding; last day of the period, YYYY-MM-DD
-- member: annualReports[].reportedCurrency; ISO 4217 code of all amounts
-- member: annualReports[].netIncome; this and every other amount becomes the column of the same name
-- member: …proceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet; becomes proceeds_from_issuance_of_long_term_debt
--
-- The source does not state when it published a statement. The lake can only record when it received the statement, and
-- that must not change when a newer file repeats it, so the mapping reads the statements in the lake.

-- step: cash_flow_reports
-- One row per report, with its position in its list; one row without a report for an invalid list or a company without
-- any.
WITH lists AS (
  SELECT
    file,
    line,
    record ->> 'symbol' AS symbol,
    kind[1] AS report_type,
    kind[2] AS member,
    record -> kind[2] AS reports,
    coalesce(json_type(record, kind[2]), 'NULL') AS written,
    written NOT IN ('ARRAY', 'NULL')
      OR (kind[1] = 'annual' AND written = 'NULL' AND coalesce(json_type(record, 'quarterlyReports'), 'NULL') = 'NULL')
      AS no_list
  FROM statements
  CROSS JOIN (SELECT unnest([['annual', 'annualReports'], ['quarterly', 'quarterlyReports']]) AS kind)
)
SELECT
  * EXCLUDE (reports, written),
  unnest(CASE WHEN no_list THEN [NULL] WHEN written = 'ARRAY' THEN (reports -> '$[*]')::JSON[] END) AS report,
  unnest(CASE WHEN no_list THEN [0] WHEN written = 'ARRAY' THEN range(json_array_length(reports)::BIGINT) END) AS place
FROM lists

-- dataset: cash_flow_statements
WITH lines AS (
  SELECT [
    'netIncome',
    'profitLoss',
    'operatingCashflow',
    'cashflowFromFinancing',
    'cashflowFromInvestment',
    'capitalExpenditures',
    'changeInCashAndCashEquivalents',
    'changeInExchangeRate',
    'changeInInventory',
    'changeInOperatingAssets',
    'changeInOperatingLiabilities',
    'changeInReceivables',
    'depreciationDepletionAndAmortization',
    'dividendPayout',
    'dividendPayoutCommonStock',
    'dividendPayoutPreferredStock',
    'paymentsForOperatingActivities',
    'paymentsForRepurchaseOfCommonStock',
    'paymentsForRepurchaseOfEquity',
    'paymentsForRepurchaseOfPreferredStock',
    'proceedsFromIssuanceOfCommonStock',
    'proceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet',
    'proceedsFromIssuanceOfPreferredStock',
    'proceedsFromOperatingActivities',
    'proceedsFromRepaymentsOfShortTermDebt',
    'proceedsFromRepurchaseOfEquity',
    'proceedsFromSaleOfTreasuryStock',
    'stockBasedCompensation'
  ] AS named
),
typed AS (
  SELECT
    file,
    line,
    place,
    report,
    report_type,
    no_list,
    member,
    symbol,
    ticker_of(symbol) AS ticker,
    present(report ->> 'fiscalDateEnding') AS day_text,
    day_of(day_text) AS fiscal_date_ending,
    report ->> 'reportedCurrency' AS currency_text,
    upper(currency_text) AS reported_currency,
    named,
    map_from_entries(
      list_transform(
        named,
        lambda item: {
          'key': item,
          'value': TRY_CAST(half_even_text(plain_number(present(report ->> ('$.' || item))), 2) AS DECIMAL(18, 2))
        }
      )
    ) AS amounts
  FROM cash_flow_reports
  CROSS JOIN lines
),
judged AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY file, line, report_type, ticker, fiscal_date_ending
      ORDER BY place DESC
    ) AS place_from_last
  FROM typed
),
-- An invalid symbol is one fault, of the company's first report.
faults AS (
  SELECT
    *,
    coalesce(
      ticker_fault('symbol', symbol),
      CASE WHEN no_list THEN [member, 'not a list of reports', NULL] END,
      CASE WHEN json_type(report) <> 'OBJECT' THEN [member, 'not a report', report::VARCHAR] END,
      day_fault('fiscalDateEnding', day_text, fiscal_date_ending, $today),
      CASE
        WHEN NOT coalesce(regexp_full_match(currency_text, '[A-Za-z]{3}'), false)
          THEN ['reportedCurrency', 'not a currency', currency_text]
      END,
      CASE WHEN place_from_last > 1 THEN ['fiscalDateEnding', 'duplicate period', day_text] END
    ) AS fault,
    row_number() OVER (PARTITION BY file, line ORDER BY report_type, place) AS number
  FROM judged
  QUALIFY ticker_fault('symbol', symbol) IS NULL OR number = 1
),
met AS (
  SELECT
    faults.*,
    held.inserted_at AS former_insertion,
    held.updated_at AS former_update,
    held.reported_currency = faults.reported_currency
      AND list_transform(named, lambda item: amounts[item]) IS NOT DISTINCT FROM [
        held.net_income,
        held.profit_loss,
        held.operating_cashflow,
        held.cashflow_from_financing,
        held.cashflow_from_investment,
        held.capital_expenditures,
        held.change_in_cash_and_cash_equivalents,
        held.change_in_exchange_rate,
        held.change_in_inventory,
        held.change_in_operating_assets,
        held.change_in_operating_liabilities,
        held.change_in_receivables,
        held.depreciation_depletion_and_amortization,
        held.dividend_payout,
        held.dividend_payout_common_stock,
        held.dividend_payout_preferred_stock,
        held.payments_for_operating_activities,
        held.payments_for_repurchase_of_common_stock,
        held.payments_for_repurchase_of_equity,
        held.payments_for_repurchase_of_preferred_stock,
        held.proceeds_from_issuance_of_common_stock,
        held.proceeds_from_issuance_of_long_term_debt,
        held.proceeds_from_issuance_of_preferred_stock,
        held.proceeds_from_operating_activities,
        held.proceeds_from_repayments_of_short_term_debt,
        held.proceeds_from_repurchase_of_equity,
        held.proceeds_from_sale_of_treasury_stock,
        held.stock_based_compensation
      ] AS is_same
  FROM faults
  LEFT JOIN held_cash_flow_statements AS held USING (ticker, fiscal_date_ending, report_type)
)
SELECT
  file,
  line,
  ticker,
  fiscal_date_ending,
  report_type,
  reported_currency,
  coalesce(former_insertion, $today::TIMESTAMP) AS inserted_at,
  CASE WHEN is_same THEN former_update ELSE $today::TIMESTAMP END AS updated_at,
  amounts['netIncome'] AS net_income,
  amounts['profitLoss'] AS profit_loss,
  amounts['operatingCashflow'] AS operating_cashflow,
  amounts['cashflowFromFinancing'] AS cashflow_from_financing,
  amounts['cashflowFromInvestment'] AS cashflow_from_investment,
  amounts['capitalExpenditures'] AS capital_expenditures,
  amounts['changeInCashAndCashEquivalents'] AS change_in_cash_and_cash_equivalents,
  amounts['changeInExchangeRate'] AS change_in_exchange_rate,
  amounts['changeInInventory'] AS change_in_inventory,
  amounts['changeInOperatingAssets'] AS change_in_operating_assets,
  amounts['changeInOperatingLiabilities'] AS change_in_operating_liabilities,
  amounts['changeInReceivables'] AS change_in_receivables,
  amounts['depreciationDepletionAndAmortization'] AS depreciation_depletion_and_amortization,
  amounts['dividendPayout'] AS dividend_payout,
  amounts['dividendPayoutCommonStock'] AS dividend_payout_common_stock,
  amounts['dividendPayoutPreferredStock'] AS dividend_payout_preferred_stock,
  amounts['paymentsForOperatingActivities'] AS payments_for_operating_activities,
  amounts['paymentsForRepurchaseOfCommonStock'] AS payments_for_repurchase_of_common_stock,
  amounts['paymentsForRepurchaseOfEquity'] AS payments_for_repurchase_of_equity,
  amounts['paymentsForRepurchaseOfPreferredStock'] AS payments_for_repurchase_of_preferred_stock,
  amounts['proceedsFromIssuanceOfCommonStock'] AS proceeds_from_issuance_of_common_stock,
  amounts['proceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet'] AS proceeds_from_issuance_of_long_term_debt,
  amounts['proceedsFromIssuanceOfPreferredStock'] AS proceeds_from_issuance_of_preferred_stock,
  amounts['proceedsFromOperatingActivities'] AS proceeds_from_operating_activities,
  amounts['proceedsFromRepaymentsOfShortTermDebt'] AS proceeds_from_repayments_of_short_term_debt,
  amounts['proceedsFromRepurchaseOfEquity'] AS proceeds_from_repurchase_of_equity,
  amounts['proceedsFromSaleOfTreasuryStock'] AS proceeds_from_sale_of_treasury_stock,
  amounts['stockBasedCompensation'] AS stock_based_compensation,
  fault,
  list_transform(
    list_filter(named, lambda item: amounts[item] IS NULL AND present(report ->> ('$.' || item)) IS NOT NULL),
    lambda item: [
      item,
      if(plain_number(report ->> ('$.' || item)) IS NULL, 'not a number', 'too large'),
      report ->> ('$.' || item)
    ]
  ) AS left_out
FROM met
