import { REPORT_TYPES } from '../../market/vocabulary.ts'
import { ofTicker } from '../answering/example.ts'
import { operation } from '../answering/operation.ts'
import { among, from, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

const cashFlow = from('cash_flow_statements')

const fields: OperationFields = {
  dating: ['cash_flow_statements'],
  parts: [
    {
      at: 'data[]',
      record: 'CashFlowStatement',
      fields: [
        ...cashFlow.columns('date', 'fiscal_date_ending'),
        ...cashFlow.columns('ts', 'inserted_at'),
        ...cashFlow.columns(
          'string(dec)',
          [
            'net_income operating_cashflow cashflow_from_financing cashflow_from_investment capital_expenditures',
            'change_in_cash_and_cash_equivalents change_in_exchange_rate change_in_inventory',
            'change_in_operating_assets change_in_operating_liabilities change_in_receivables',
            'depreciation_depletion_and_amortization',
            'dividend_payout dividend_payout_common_stock dividend_payout_preferred_stock',
            'payments_for_operating_activities payments_for_repurchase_of_common_stock',
            'payments_for_repurchase_of_equity payments_for_repurchase_of_preferred_stock',
            'proceeds_from_issuance_of_common_stock proceeds_from_issuance_of_long_term_debt',
            'proceeds_from_issuance_of_preferred_stock proceeds_from_operating_activities',
            'proceeds_from_repurchase_of_equity stock_based_compensation',
          ].join(' '),
          'the statement has no such line',
        ),
        ...cashFlow.columns('string', 'ticker'),
        ...among(REPORT_TYPES, ...cashFlow.columns('string', 'report_type')),
        ...cashFlow.columns('string', 'reported_currency'),
        ...cashFlow.columns(
          'string(dec)',
          'profit_loss proceeds_from_repayments_of_short_term_debt proceeds_from_sale_of_treasury_stock',
          'the statement has no such line',
        ),
        ...cashFlow.columns('ts', 'updated_at'),
      ],
    },
  ],
  parameters: [],
}

export const cashFlows = operation({
  id: 'cash-flows',
  fields,
  examples: [ofTicker('cash_flow_statements', 'count(*)', 'true')],
  parameters: { ticker: inPath(ticker('The company.', 'AAPL')) },
  plan: values => ({ reads: { cash_flow_statements: { keys: { ticker: [values.ticker] } } } }),
})
