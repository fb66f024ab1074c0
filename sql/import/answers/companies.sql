-- source: cash_flows = ndjson
-- columns: ticker, fiscal_date_ending, report_type, reported_currency, inserted_at, updated_at, net_income, profit_loss
-- columns: operating_cashflow, cashflow_from_financing, cashflow_from_investment, capital_expenditures, change_in_cash_and_cash_equivalents, change_in_exchange_rate, change_in_inventory, change_in_operating_assets
-- columns: change_in_operating_liabilities, change_in_receivables, depreciation_depletion_and_amortization, dividend_payout, dividend_payout_common_stock, dividend_payout_preferred_stock, payments_for_operating_activities, payments_for_repurchase_of_common_stock
-- columns: payments_for_repurchase_of_equity, payments_for_repurchase_of_preferred_stock, proceeds_from_issuance_of_common_stock, proceeds_from_issuance_of_long_term_debt, proceeds_from_issuance_of_preferred_stock, proceeds_from_operating_activities, proceeds_from_repayments_of_short_term_debt, proceeds_from_repurchase_of_equity
-- columns: proceeds_from_sale_of_treasury_stock, stock_based_compensation
--
-- source: insiders = ndjson
-- columns: id, cik, name, display_name, name_slug, is_person, logo_url, social_links
-- columns: ticker
--
-- source: institutions = ndjson
-- columns: name, short_name, cik, description, website, logo_url, founder_img_url, people
-- columns: tags, is_hedge_fund, date
-- optional: filing_date = filing_date

-- dataset: cash_flow_statements
SELECT
  file,
  line,
  ticker_of(ticker) AS ticker,
  day_of(fiscal_date_ending) AS fiscal_date_ending,
  report_type,
  reported_currency,
  instant_of(inserted_at) AS inserted_at,
  instant_of(updated_at) AS updated_at,
  TRY_CAST(half_even_text(net_income, 2) AS DECIMAL(18, 2)) AS net_income,
  TRY_CAST(half_even_text(profit_loss, 2) AS DECIMAL(18, 2)) AS profit_loss,
  TRY_CAST(half_even_text(operating_cashflow, 2) AS DECIMAL(18, 2)) AS operating_cashflow,
  TRY_CAST(half_even_text(cashflow_from_financing, 2) AS DECIMAL(18, 2)) AS cashflow_from_financing,
  TRY_CAST(half_even_text(cashflow_from_investment, 2) AS DECIMAL(18, 2)) AS cashflow_from_investment,
  TRY_CAST(half_even_text(capital_expenditures, 2) AS DECIMAL(18, 2)) AS capital_expenditures,
  TRY_CAST(
    half_even_text(change_in_cash_and_cash_equivalents, 2) AS DECIMAL(18, 2)
  ) AS change_in_cash_and_cash_equivalents,
  TRY_CAST(half_even_text(change_in_exchange_rate, 2) AS DECIMAL(18, 2)) AS change_in_exchange_rate,
  TRY_CAST(half_even_text(change_in_inventory, 2) AS DECIMAL(18, 2)) AS change_in_inventory,
  TRY_CAST(half_even_text(change_in_operating_assets, 2) AS DECIMAL(18, 2)) AS change_in_operating_assets,
  TRY_CAST(half_even_text(change_in_operating_liabilities, 2) AS DECIMAL(18, 2)) AS change_in_operating_liabilities,
  TRY_CAST(half_even_text(change_in_receivables, 2) AS DECIMAL(18, 2)) AS change_in_receivables,
  TRY_CAST(
    half_even_text(depreciation_depletion_and_amortization, 2) AS DECIMAL(18, 2)
  ) AS depreciation_depletion_and_amortization,
  TRY_CAST(half_even_text(dividend_payout, 2) AS DECIMAL(18, 2)) AS dividend_payout,
  TRY_CAST(half_even_text(dividend_payout_common_stock, 2) AS DECIMAL(18, 2)) AS dividend_payout_common_stock,
  TRY_CAST(half_even_text(dividend_payout_preferred_stock, 2) AS DECIMAL(18, 2)) AS dividend_payout_preferred_stock,
  TRY_CAST(half_even_text(payments_for_operating_activities, 2) AS DECIMAL(18, 2)) AS payments_for_operating_activities,
  TRY_CAST(
    half_even_text(payments_for_repurchase_of_common_stock, 2) AS DECIMAL(18, 2)
  ) AS payments_for_repurchase_of_common_stock,
  TRY_CAST(half_even_text(payments_for_repurchase_of_equity, 2) AS DECIMAL(18, 2)) AS payments_for_repurchase_of_equity,
  TRY_CAST(
    half_even_text(payments_for_repurchase_of_preferred_stock, 2) AS DECIMAL(18, 2)
  ) AS payments_for_repurchase_of_preferred_stock,
  TRY_CAST(
    half_even_text(proceeds_from_issuance_of_common_stock, 2) AS DECIMAL(18, 2)
  ) AS proceeds_from_issuance_of_common_stock,
  TRY_CAST(
    half_even_text(proceeds_from_issuance_of_long_term_debt, 2) AS DECIMAL(18, 2)
  ) AS proceeds_from_issuance_of_long_term_debt,
  TRY_CAST(
    half_even_text(proceeds_from_issuance_of_preferred_stock, 2) AS DECIMAL(18, 2)
  ) AS proceeds_from_issuance_of_preferred_stock,
  TRY_CAST(
    half_even_text(proceeds_from_operating_activities, 2) AS DECIMAL(18, 2)
  ) AS proceeds_from_operating_activities,
  TRY_CAST(
    half_even_text(proceeds_from_repayments_of_short_term_debt, 2) AS DECIMAL(18, 2)
  ) AS proceeds_from_repayments_of_short_term_debt,
  TRY_CAST(
    half_even_text(proceeds_from_repurchase_of_equity, 2) AS DECIMAL(18, 2)
  ) AS proceeds_from_repurchase_of_equity,
  TRY_CAST(
    half_even_text(proceeds_from_sale_of_treasury_stock, 2) AS DECIMAL(18, 2)
  ) AS proceeds_from_sale_of_treasury_stock,
  TRY_CAST(half_even_text(stock_based_compensation, 2) AS DECIMAL(18, 2)) AS stock_based_compensation,
  coalesce(
    CASE
      WHEN report_type NOT IN ('annual', 'quarterly')
        THEN ['report_type', 'neither annual nor quarterly', report_type]
    END,
    ticker_fault('ticker', ticker),
    blank_fault('fiscal_date_ending', fiscal_date_ending),
    unread_fault('fiscal_date_ending', 'not a date', fiscal_date_ending, day_of(fiscal_date_ending)),
    blank_fault('report_type', report_type),
    blank_fault('reported_currency', reported_currency),
    blank_fault('inserted_at', inserted_at),
    unread_fault('inserted_at', 'not a time', inserted_at, instant_of(inserted_at)),
    blank_fault('updated_at', updated_at),
    unread_fault('updated_at', 'not a time', updated_at, instant_of(updated_at)),
    number_fault('net_income', net_income, TRY_CAST(half_even_text(net_income, 2) AS DECIMAL(18, 2))),
    number_fault('profit_loss', profit_loss, TRY_CAST(half_even_text(profit_loss, 2) AS DECIMAL(18, 2))),
    number_fault(
      'operating_cashflow',
      operating_cashflow,
      TRY_CAST(half_even_text(operating_cashflow, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'cashflow_from_financing',
      cashflow_from_financing,
      TRY_CAST(half_even_text(cashflow_from_financing, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'cashflow_from_investment',
      cashflow_from_investment,
      TRY_CAST(half_even_text(cashflow_from_investment, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'capital_expenditures',
      capital_expenditures,
      TRY_CAST(half_even_text(capital_expenditures, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'change_in_cash_and_cash_equivalents',
      change_in_cash_and_cash_equivalents,
      TRY_CAST(half_even_text(change_in_cash_and_cash_equivalents, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'change_in_exchange_rate',
      change_in_exchange_rate,
      TRY_CAST(half_even_text(change_in_exchange_rate, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'change_in_inventory',
      change_in_inventory,
      TRY_CAST(half_even_text(change_in_inventory, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'change_in_operating_assets',
      change_in_operating_assets,
      TRY_CAST(half_even_text(change_in_operating_assets, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'change_in_operating_liabilities',
      change_in_operating_liabilities,
      TRY_CAST(half_even_text(change_in_operating_liabilities, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'change_in_receivables',
      change_in_receivables,
      TRY_CAST(half_even_text(change_in_receivables, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'depreciation_depletion_and_amortization',
      depreciation_depletion_and_amortization,
      TRY_CAST(half_even_text(depreciation_depletion_and_amortization, 2) AS DECIMAL(18, 2))
    ),
    number_fault('dividend_payout', dividend_payout, TRY_CAST(half_even_text(dividend_payout, 2) AS DECIMAL(18, 2))),
    number_fault(
      'dividend_payout_common_stock',
      dividend_payout_common_stock,
      TRY_CAST(half_even_text(dividend_payout_common_stock, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'dividend_payout_preferred_stock',
      dividend_payout_preferred_stock,
      TRY_CAST(half_even_text(dividend_payout_preferred_stock, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'payments_for_operating_activities',
      payments_for_operating_activities,
      TRY_CAST(half_even_text(payments_for_operating_activities, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'payments_for_repurchase_of_common_stock',
      payments_for_repurchase_of_common_stock,
      TRY_CAST(half_even_text(payments_for_repurchase_of_common_stock, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'payments_for_repurchase_of_equity',
      payments_for_repurchase_of_equity,
      TRY_CAST(half_even_text(payments_for_repurchase_of_equity, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'payments_for_repurchase_of_preferred_stock',
      payments_for_repurchase_of_preferred_stock,
      TRY_CAST(half_even_text(payments_for_repurchase_of_preferred_stock, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'proceeds_from_issuance_of_common_stock',
      proceeds_from_issuance_of_common_stock,
      TRY_CAST(half_even_text(proceeds_from_issuance_of_common_stock, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'proceeds_from_issuance_of_long_term_debt',
      proceeds_from_issuance_of_long_term_debt,
      TRY_CAST(half_even_text(proceeds_from_issuance_of_long_term_debt, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'proceeds_from_issuance_of_preferred_stock',
      proceeds_from_issuance_of_preferred_stock,
      TRY_CAST(half_even_text(proceeds_from_issuance_of_preferred_stock, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'proceeds_from_operating_activities',
      proceeds_from_operating_activities,
      TRY_CAST(half_even_text(proceeds_from_operating_activities, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'proceeds_from_repayments_of_short_term_debt',
      proceeds_from_repayments_of_short_term_debt,
      TRY_CAST(half_even_text(proceeds_from_repayments_of_short_term_debt, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'proceeds_from_repurchase_of_equity',
      proceeds_from_repurchase_of_equity,
      TRY_CAST(half_even_text(proceeds_from_repurchase_of_equity, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'proceeds_from_sale_of_treasury_stock',
      proceeds_from_sale_of_treasury_stock,
      TRY_CAST(half_even_text(proceeds_from_sale_of_treasury_stock, 2) AS DECIMAL(18, 2))
    ),
    number_fault(
      'stock_based_compensation',
      stock_based_compensation,
      TRY_CAST(half_even_text(stock_based_compensation, 2) AS DECIMAL(18, 2))
    )
  ) AS fault
FROM cash_flows

-- dataset: insiders
SELECT
  file,
  line,
  ticker_of(ticker) AS ticker,
  cik,
  coalesce(day_of($date), $today) AS updated_on,
  whole_of(id) AS id,
  name,
  display_name,
  name_slug,
  TRY_CAST(is_person AS BOOLEAN) AS is_person,
  logo_url,
  coalesce(texts_of(social_links), []) AS social_links,
  coalesce(
    ticker_fault('ticker', ticker),
    blank_fault('cik', cik),
    blank_fault('id', id),
    count_fault('id', id, whole_of(id)),
    blank_fault('name', name),
    blank_fault('display_name', display_name),
    blank_fault('name_slug', name_slug),
    blank_fault('is_person', is_person),
    unread_fault('is_person', 'neither true nor false', is_person, TRY_CAST(is_person AS BOOLEAN)),
    unread_fault('social_links', 'not a list', social_links, texts_of(social_links))
  ) AS fault
FROM insiders

-- dataset: institutions
SELECT
  file,
  line,
  ltrim(cik, '0') AS cik,
  day_of(coalesce(filing_date, date)) AS updated_on,
  name,
  short_name,
  description,
  website,
  logo_url,
  founder_img_url,
  coalesce(texts_of(people), []) AS people,
  coalesce(texts_of(tags), []) AS tags,
  TRY_CAST(is_hedge_fund AS BOOLEAN) AS is_hedge_fund,
  coalesce(
    blank_fault('cik', cik),
    CASE WHEN NOT regexp_full_match(cik, '0*[1-9]\d{0,9}') THEN ['cik', 'not a CIK', cik] END,
    day_fault('date', coalesce(filing_date, date), day_of(coalesce(filing_date, date)), $today),
    blank_fault('name', name),
    unread_fault('people', 'not a list', people, texts_of(people)),
    unread_fault('tags', 'not a list', tags, texts_of(tags)),
    blank_fault('is_hedge_fund', is_hedge_fund),
    unread_fault('is_hedge_fund', 'neither true nor false', is_hedge_fund, TRY_CAST(is_hedge_fund AS BOOLEAN))
  ) AS fault
FROM institutions
