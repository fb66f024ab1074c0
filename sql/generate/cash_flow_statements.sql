-- Cash flow statements of every company: the last twelve quarters and five fiscal years reported before $to. A year is
-- the sum of its four quarters. Amounts scale with the company's market capitalisation at its first close; those in
-- another currency than the dollar with one exchange rate. The dividends of a quarter are those with an ex-dividend date
-- in it: a share of the close before, or of the first close if that is later.
-- Signs follow the usual sources: payments, dividends and expenditures are positive; balances such as cash flow from
-- investment have the sign of the flow. Balances add up:
--   operating = profit + depreciation + stock compensation + changes of assets and liabilities,
--   change in cash = operating + investment + financing + exchange rates.
-- Items that a company never has (preferred stock, inventory, …) are NULL in all its statements.
WITH companies AS (
  SELECT
    number,
    ticker,
    CASE issue_type
      WHEN 'ADR' THEN pick(hash($seed, 'cash flow currency', number), ['EUR', 'GBP', 'JPY'])
      ELSE 'USD'
    END AS currency,
    -- Most fiscal years end in December, some in September or June.
    pick(hash($seed, 'fiscal year', number), [12, 12, 12, 9, 6]) AS fiscal_month,
    -- Units of the currency for a dollar.
    CASE currency WHEN 'EUR' THEN 0.93e0 WHEN 'GBP' THEN 0.79e0 WHEN 'JPY' THEN 146e0 ELSE 1e0 END AS exchange,
    shares_outstanding,
    close::DOUBLE / units AS first_close,
    exchange * shares_outstanding * first_close * 0.04e0 AS revenue,
    0.06 + 0.14 * unit(hash($seed, 'margin', number)) AS margin,
    dense_rank() OVER (ORDER BY number) AS place
  FROM market_tickers
  JOIN market_closes USING (number, ticker)
  WHERE is_company(issue_type) AND session = 0
),
payments AS (
  SELECT
    companies.number,
    last_day(date_trunc('quarter', dividends.date) + INTERVAL 2 MONTH) AS ending,
    sum(
      round(
        companies.shares_outstanding * exchange * share
        * coalesce(closes.close::DOUBLE / closes.units, first_close)
      )::DECIMAL(18, 0)
    ) AS dividends
  FROM market_dividends AS dividends
  JOIN companies USING (number)
  ASOF LEFT JOIN market_closes AS closes ON dividends.number = closes.number AND dividends.date > closes.date
  GROUP BY ALL
),
-- Enough for five fiscal years with any year end. Reports are due within 45 days.
quarters AS (
  SELECT
    (date_trunc('quarter', $to + 1) - to_months(3 * back::INTEGER))::DATE - 1 AS ending,
    row_number() OVER (ORDER BY back) AS recency,
    back
  FROM range(25) AS quarters (back)
  WHERE ending + 45 <= $to
),
drawn AS (
  SELECT
    companies.*,
    ending,
    recency,
    -- Number of the fiscal year, counting back from the last complete one.
    (
      (SELECT max(recency) FILTER (WHERE month(ending) = fiscal_month AND recency <= 4) FROM quarters)
    ) AS last_year_end,
    -- Two percent growth per quarter, seasonality, and noise.
    round(
      revenue * pow(1.02, -recency) * (1 + 0.1 * cos(pi() * month(ending) / 6))
        * (0.95 + 0.1 * unit(hash($seed, 'revenue', number, ending)))
    ) AS sales,
    unit(hash($seed, 'profit', number, ending)) AS u1,
    unit(hash($seed, 'inventory', number, ending)) AS u2,
    unit(hash($seed, 'receivables', number, ending)) AS u3,
    unit(hash($seed, 'financing', number, ending)) AS u4,
    unit(hash($seed, 'investment', number, ending)) AS u5,
    coalesce(payments.dividends, 0)::DECIMAL(18, 0) AS dividends
  FROM companies
  CROSS JOIN quarters
  LEFT JOIN payments USING (number, ending)
),
items AS (
  SELECT
    *,
    round(sales * (margin + 0.08 * (u1 - 0.5)))::DECIMAL(18, 0) AS net_income,
    round(sales * 0.002 * u2)::DECIMAL(18, 0) AS minority,
    round(sales * (0.05 + 0.01 * u2))::DECIMAL(18, 0) AS depreciation,
    round(sales * 0.02 * u3)::DECIMAL(18, 0) AS compensation,
    round(sales * 0.03 * (u2 - 0.4))::DECIMAL(18, 0) AS inventory,
    round(sales * 0.04 * (u3 - 0.4))::DECIMAL(18, 0) AS receivables,
    round(sales * 0.05 * (u1 - 0.45))::DECIMAL(18, 0) AS liabilities,
    round(sales * (0.05 + 0.04 * u5))::DECIMAL(18, 0) AS expenditures,
    round(sales * 0.04 * (u5 - 0.6))::DECIMAL(18, 0) AS acquisitions,
    round(sales * 0.002)::DECIMAL(18, 0) AS preferred_dividends,
    round(sales * 0.05 * u4)::DECIMAL(18, 0) AS repurchases,
    round(sales * 0.003 * u4)::DECIMAL(18, 0) AS preferred_repurchases,
    round(sales * 0.01 * u3)::DECIMAL(18, 0) AS stock_issued,
    round(sales * 0.004 * u1)::DECIMAL(18, 0) AS preferred_issued,
    round(sales * 0.06 * greatest(0, u4 - 0.5))::DECIMAL(18, 0) AS debt_issued,
    round(sales * 0.04 * (u5 - 0.5))::DECIMAL(18, 0) AS short_term_debt,
    round(sales * 0.002 * u2)::DECIMAL(18, 0) AS treasury_stock,
    round(sales * 0.004 * (u4 - 0.5))::DECIMAL(18, 0) AS exchange_rate,
    round(sales * 0.01 * u2)::DECIMAL(18, 0) AS interest_paid,
    round(sales * 0.003 * u3)::DECIMAL(18, 0) AS operating_proceeds
  FROM drawn
),
-- The company's rank decides which items it lacks. The first company has all, so that no field is NULL throughout.
known AS (
  SELECT
    * EXCLUDE (
      inventory, preferred_dividends, preferred_repurchases, preferred_issued, short_term_debt, treasury_stock,
      exchange_rate, operating_proceeds
    ),
    CASE WHEN place % 7 <> 2 THEN inventory END AS inventory,
    CASE WHEN place % 7 NOT IN (3, 4) THEN preferred_dividends END AS preferred_dividends,
    CASE WHEN place % 7 NOT IN (3, 4) THEN preferred_repurchases END AS preferred_repurchases,
    CASE WHEN place % 7 NOT IN (3, 4) THEN preferred_issued END AS preferred_issued,
    CASE WHEN place % 7 <> 5 THEN short_term_debt END AS short_term_debt,
    CASE WHEN place % 7 <> 6 THEN treasury_stock END AS treasury_stock,
    CASE WHEN place % 7 <> 0 THEN exchange_rate END AS exchange_rate,
    CASE WHEN place % 7 NOT IN (2, 5) THEN operating_proceeds END AS operating_proceeds
  FROM items
),
periods AS (
  SELECT
    *,
    'quarterly' AS report_type,
    recency AS period
  FROM known
  WHERE recency <= 12
  UNION ALL
  SELECT
    *,
    'annual' AS report_type,
    (recency - last_year_end) // 4 AS period
  FROM known
  WHERE recency >= last_year_end
    AND recency < last_year_end + 20
),
-- The date of a year is that of its last quarter.
summed AS (
  SELECT
    number,
    ticker,
    report_type,
    currency,
    max(ending) AS fiscal_date_ending,
    sum(COLUMNS([
      'net_income', 'minority', 'depreciation', 'compensation', 'inventory', 'receivables', 'liabilities',
      'expenditures', 'acquisitions', 'dividends', 'preferred_dividends', 'repurchases', 'preferred_repurchases',
      'stock_issued', 'preferred_issued', 'debt_issued', 'short_term_debt', 'treasury_stock', 'exchange_rate',
      'interest_paid', 'operating_proceeds'
    ])),
    count(*) AS quarters
  FROM periods
  GROUP BY number, ticker, report_type, currency, period
),
balanced AS (
  SELECT
    *,
    net_income + minority AS profit,
    coalesce(inventory, 0) + receivables AS assets,
    -expenditures - acquisitions AS investment,
    stock_issued + coalesce(preferred_issued, 0) + debt_issued + coalesce(short_term_debt, 0)
      + coalesce(treasury_stock, 0) - dividends - coalesce(preferred_dividends, 0) - repurchases
      - coalesce(preferred_repurchases, 0) AS financing,
    profit + depreciation + compensation - assets + liabilities AS operating,
    fiscal_date_ending::TIMESTAMP
      + to_days(20 + (hash($seed, 'reported', number, fiscal_date_ending) % 24)::INTEGER)
      + to_seconds(43200 + (hash($seed, 'reported at', number, fiscal_date_ending) % 36000)::INTEGER) AS reported
  FROM summed
)
SELECT
  ticker,
  fiscal_date_ending,
  report_type,
  currency AS reported_currency,
  reported AS inserted_at,
  -- Some are corrected a few hours later.
  reported + to_hours((hash($seed, 'corrected', number, fiscal_date_ending) % 3 * 4)::INTEGER) AS updated_at,
  net_income::DECIMAL(18, 2) AS net_income,
  profit::DECIMAL(18, 2) AS profit_loss,
  operating::DECIMAL(18, 2) AS operating_cashflow,
  financing::DECIMAL(18, 2) AS cashflow_from_financing,
  investment::DECIMAL(18, 2) AS cashflow_from_investment,
  expenditures::DECIMAL(18, 2) AS capital_expenditures,
  (operating + investment + financing + coalesce(exchange_rate, 0))::DECIMAL(18, 2)
    AS change_in_cash_and_cash_equivalents,
  exchange_rate::DECIMAL(18, 2) AS change_in_exchange_rate,
  inventory::DECIMAL(18, 2) AS change_in_inventory,
  assets::DECIMAL(18, 2) AS change_in_operating_assets,
  liabilities::DECIMAL(18, 2) AS change_in_operating_liabilities,
  receivables::DECIMAL(18, 2) AS change_in_receivables,
  depreciation::DECIMAL(18, 2) AS depreciation_depletion_and_amortization,
  (dividends + coalesce(preferred_dividends, 0))::DECIMAL(18, 2) AS dividend_payout,
  dividends::DECIMAL(18, 2) AS dividend_payout_common_stock,
  preferred_dividends::DECIMAL(18, 2) AS dividend_payout_preferred_stock,
  interest_paid::DECIMAL(18, 2) AS payments_for_operating_activities,
  repurchases::DECIMAL(18, 2) AS payments_for_repurchase_of_common_stock,
  (repurchases + coalesce(preferred_repurchases, 0))::DECIMAL(18, 2) AS payments_for_repurchase_of_equity,
  preferred_repurchases::DECIMAL(18, 2) AS payments_for_repurchase_of_preferred_stock,
  stock_issued::DECIMAL(18, 2) AS proceeds_from_issuance_of_common_stock,
  debt_issued::DECIMAL(18, 2) AS proceeds_from_issuance_of_long_term_debt,
  preferred_issued::DECIMAL(18, 2) AS proceeds_from_issuance_of_preferred_stock,
  operating_proceeds::DECIMAL(18, 2) AS proceeds_from_operating_activities,
  short_term_debt::DECIMAL(18, 2) AS proceeds_from_repayments_of_short_term_debt,
  (-repurchases - coalesce(preferred_repurchases, 0))::DECIMAL(18, 2) AS proceeds_from_repurchase_of_equity,
  treasury_stock::DECIMAL(18, 2) AS proceeds_from_sale_of_treasury_stock,
  compensation::DECIMAL(18, 2) AS stock_based_compensation
FROM balanced
