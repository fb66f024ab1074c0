-- cash-flows: Cash flow statements of a company
-- path: /api/stock/{ticker}/cash-flows
-- subject: Stocks and ETFs
-- description: One record per fiscal period and report type, newest `fiscal_date_ending` first, the annual report
--   before the quarterly report that ends with it. Amounts are in `reported_currency`, with the sign of the source. A
--   line that the statement lacks is null.
SELECT
  fiscal_date_ending,
  inserted_at,
  net_income,
  operating_cashflow,
  cashflow_from_financing,
  cashflow_from_investment,
  capital_expenditures,
  change_in_cash_and_cash_equivalents,
  change_in_exchange_rate,
  change_in_inventory,
  change_in_operating_assets,
  change_in_operating_liabilities,
  change_in_receivables,
  depreciation_depletion_and_amortization,
  dividend_payout,
  dividend_payout_common_stock,
  dividend_payout_preferred_stock,
  payments_for_operating_activities,
  payments_for_repurchase_of_common_stock,
  payments_for_repurchase_of_equity,
  payments_for_repurchase_of_preferred_stock,
  proceeds_from_issuance_of_common_stock,
  proceeds_from_issuance_of_long_term_debt,
  proceeds_from_issuance_of_preferred_stock,
  proceeds_from_operating_activities,
  proceeds_from_repurchase_of_equity,
  stock_based_compensation,
  ticker,
  report_type,
  reported_currency,
  profit_loss,
  proceeds_from_repayments_of_short_term_debt,
  proceeds_from_sale_of_treasury_stock,
  updated_at
FROM read_parquet($cash_flow_statements, hive_partitioning = false)
WHERE ticker = $ticker
ORDER BY
  fiscal_date_ending DESC,
  report_type
