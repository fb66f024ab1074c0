-- cash_flow_statements: cash flow statements of companies, one row per ticker, fiscal period and report type
-- partition: none by fiscal_date_ending
-- key: ticker, fiscal_date_ending, report_type
-- sort: ticker, fiscal_date_ending
-- ranges: ticker
-- known: updated_at::DATE; the day on which the statement was imported, or on which the source first had these amounts; never early
CREATE TABLE cash_flow_statements (
  ticker VARCHAR NOT NULL,                                     -- ticker of the company
  fiscal_date_ending DATE NOT NULL,                            -- last day of the fiscal period
  report_type VARCHAR NOT NULL,                                -- annual or quarterly
  reported_currency VARCHAR NOT NULL,                          -- ISO 4217 code of the currency of all amounts
  inserted_at TIMESTAMP NOT NULL,                              -- when the statement was first stored, UTC
  updated_at TIMESTAMP NOT NULL,                               -- when the statement last changed, UTC
  net_income DECIMAL(18, 2),                                   -- net income
  profit_loss DECIMAL(18, 2),                                  -- profit or loss
  operating_cashflow DECIMAL(18, 2),                           -- cash flow from operating activities
  cashflow_from_financing DECIMAL(18, 2),                      -- cash flow from financing
  cashflow_from_investment DECIMAL(18, 2),                     -- cash flow from investment
  capital_expenditures DECIMAL(18, 2),                         -- capital expenditures
  change_in_cash_and_cash_equivalents DECIMAL(18, 2),          -- change in cash and cash equivalents
  change_in_exchange_rate DECIMAL(18, 2),                      -- effect of exchange rate changes
  change_in_inventory DECIMAL(18, 2),                          -- change in inventory
  change_in_operating_assets DECIMAL(18, 2),                   -- change in operating assets
  change_in_operating_liabilities DECIMAL(18, 2),              -- change in operating liabilities
  change_in_receivables DECIMAL(18, 2),                        -- change in receivables
  depreciation_depletion_and_amortization DECIMAL(18, 2),      -- depreciation, depletion and amortisation
  dividend_payout DECIMAL(18, 2),                              -- dividends paid
  dividend_payout_common_stock DECIMAL(18, 2),                 -- dividends paid on common stock
  dividend_payout_preferred_stock DECIMAL(18, 2),              -- dividends paid on preferred stock
  payments_for_operating_activities DECIMAL(18, 2),            -- payments for operating activities
  payments_for_repurchase_of_common_stock DECIMAL(18, 2),      -- payments for the repurchase of common stock
  payments_for_repurchase_of_equity DECIMAL(18, 2),            -- payments for the repurchase of equity
  payments_for_repurchase_of_preferred_stock DECIMAL(18, 2),   -- payments for the repurchase of preferred stock
  proceeds_from_issuance_of_common_stock DECIMAL(18, 2),       -- proceeds from the issuance of common stock
  proceeds_from_issuance_of_long_term_debt DECIMAL(18, 2),     -- proceeds from the issuance of long-term debt
  proceeds_from_issuance_of_preferred_stock DECIMAL(18, 2),    -- proceeds from the issuance of preferred stock
  proceeds_from_operating_activities DECIMAL(18, 2),           -- proceeds from operating activities
  proceeds_from_repayments_of_short_term_debt DECIMAL(18, 2),  -- net proceeds from short-term debt
  proceeds_from_repurchase_of_equity DECIMAL(18, 2),           -- proceeds from the repurchase of equity; outflows are negative
  proceeds_from_sale_of_treasury_stock DECIMAL(18, 2),         -- proceeds from the sale of treasury stock
  stock_based_compensation DECIMAL(18, 2)                      -- stock-based compensation
);
