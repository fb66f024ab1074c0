import { column } from '../column.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Request } from '../request.ts'
import { tickerOf } from '../rows.ts'
import { shownColumns } from '../shown.ts'

const FIELDS = `fiscal_date_ending inserted_at net_income operating_cashflow cashflow_from_financing
  cashflow_from_investment capital_expenditures change_in_cash_and_cash_equivalents change_in_exchange_rate
  change_in_inventory change_in_operating_assets change_in_operating_liabilities change_in_receivables
  depreciation_depletion_and_amortization dividend_payout dividend_payout_common_stock
  dividend_payout_preferred_stock payments_for_operating_activities payments_for_repurchase_of_common_stock
  payments_for_repurchase_of_equity payments_for_repurchase_of_preferred_stock
  proceeds_from_issuance_of_common_stock proceeds_from_issuance_of_long_term_debt
  proceeds_from_issuance_of_preferred_stock proceeds_from_operating_activities proceeds_from_repurchase_of_equity
  stock_based_compensation ticker report_type reported_currency profit_loss
  proceeds_from_repayments_of_short_term_debt proceeds_from_sale_of_treasury_stock updated_at`

export function answer(lake: Lake, request: Request): unknown {
  const ticker = tickerOf(request)
  const newestFirst = ordered(
    lake.find('cash_flow_statements', { ticker }),
    descending(column('fiscal_date_ending')),
    // The annual report comes before the quarterly one that ends with it.
    ascending(column('report_type')),
  )
  return { data: newestFirst.map(row => shownColumns(row, FIELDS)) }
}
