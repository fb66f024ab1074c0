/**
 * Figures of different datasets that must agree in every market: a query that answers one number, and the numbers that
 * are right.
 */
export const AGREEMENTS: readonly (readonly [name: string, sql: string, min: number, max: number])[] = [
  [
    // Rates: published yields, bond-equivalent, linear in calendar days. Dividend yields: from the falls of the adjusted
    // close, which are 91 days apart; that of the index is 1.3 %.
    'quotes calls less puts around the forward of its own yields and dividends, less the strike, both discounted',
    `WITH known AS (
       SELECT days.date, maturity, arg_max(value, points.date)::DOUBLE AS yield
       FROM (SELECT DISTINCT date FROM option_chain_days) AS days
       JOIN economic_points AS points
         ON indicator = 'treasury-yield' AND value IS NOT NULL AND points.date BETWEEN days.date - 20 AND days.date
         -- Two weekdays after its date: the second of Monday to Wednesday is two days later, otherwise four, or on Saturday three.
         AND points.date + CASE WHEN isodow(points.date) <= 3 THEN 2 ELSE 4 END <= days.date
       GROUP BY ALL
     ),
     yields AS (
       SELECT date, max(yield) FILTER (maturity = '3month') AS y3, max(yield) FILTER (maturity = '2year') AS y24,
         max(yield) FILTER (maturity = '5year') AS y60
       FROM known GROUP BY date
     ),
     dividends AS (
       SELECT ticker, avg(-ln(former / factor)) * 365 / 91 AS q FROM (
         SELECT ticker, adjusted_close / close::DOUBLE AS factor, lag(factor) OVER (PARTITION BY ticker ORDER BY date) AS former
         FROM daily_bars
       ) WHERE former / factor BETWEEN 0.98 AND 0.9999 GROUP BY ticker
     ),
     pairs AS (
       SELECT *, days / 365 AS years, coalesce(q, if(ticker = 'HUNDR', 0.013, 0)) AS q,
         2 * ln(1 + CASE WHEN days <= 91.25 THEN y3 WHEN days <= 730 THEN y3 + (y24 - y3) * (days - 91.25) / 638.75
           ELSE y24 + (y60 - y24) * (days - 730) / 1095 END / 200) AS r
       FROM (
         SELECT c.date, c.underlying_symbol AS ticker, c.expiry - c.date AS days, c.strike, c.underlying_price AS spot,
           c.bid - p.ask AS least, c.ask - p.bid AS most
         FROM option_chain_days AS c JOIN option_chain_days AS p USING (date, underlying_symbol, expiry, strike)
         WHERE c.option_type = 'call' AND p.option_type = 'put' AND c.bid > 0 AND p.bid > 0
       ) JOIN yields USING (date) LEFT JOIN dividends USING (ticker)
     )
     SELECT count(*) FROM pairs
     WHERE days > 0 AND spot * exp(-q * years) - strike * exp(-r * years) NOT BETWEEN least AND most
       OR days = 0 AND spot - strike NOT BETWEEN least AND most`,
    0,
    0,
  ],
  [
    'pays dividends of four in five stocks and all funds, between 0.3 % and 1.9 % a year',
    `SELECT count(DISTINCT ticker) FROM (
       SELECT ticker, adjusted_close / close::DOUBLE AS factor, lag(factor) OVER (PARTITION BY ticker ORDER BY date) AS former FROM daily_bars
     ) WHERE 1 - former / factor BETWEEN 0.003 * 90 / 365 AND 0.019 * 92 / 365`,
    9,
    10,
  ],
  [
    'adjusts closes on ex-dividend dates and for the split of DELTA, and on no other day',
    `WITH factors AS (
       SELECT ticker, date, adjusted_close / close::DOUBLE AS factor, lag(factor) OVER (PARTITION BY ticker ORDER BY date) AS former
       FROM daily_bars
     )
     SELECT count(*) FROM factors LEFT JOIN (SELECT DISTINCT ticker, ex_dividend_date AS date, true AS pays FROM tickers) USING (ticker, date)
     WHERE CASE
       WHEN ticker = 'DELTA' AND date = '2024-06-24' THEN abs(former / factor - 0.5) > 1e-6
       WHEN pays THEN 1 - former / factor NOT BETWEEN 0.0005 AND 0.005
       ELSE abs(former / factor - 1) > 1e-6
     END`,
    0,
    0,
  ],
  [
    'adjusts no close of the last session',
    "SELECT count(*) FROM daily_bars WHERE date = '2024-12-31' AND adjusted_close <> close",
    0,
    0,
  ],
  [
    // 1 - ratio of the factors is the dividend's share of the close before; a statement counts in dollars or by one rate.
    'reports the dividends of a quarter in its cash flow statement',
    `WITH factors AS (
       SELECT ticker, date, adjusted_close / close::DOUBLE AS factor, lag(factor) OVER (PARTITION BY ticker ORDER BY date) AS former,
         lag(close) OVER (PARTITION BY ticker ORDER BY date) AS paying FROM daily_bars
     ),
     paid AS (
       SELECT ticker, last_day(date_trunc('quarter', date) + INTERVAL 2 MONTH) AS fiscal_date_ending,
         sum((1 - former / factor) * paying / if(ticker = 'DELTA' AND date < '2024-06-24', 2, 1) * shares) AS dividends
       FROM factors JOIN (SELECT ticker, arg_max(shares_outstanding, date) AS shares FROM tickers GROUP BY 1) USING (ticker)
       WHERE 1 - former / factor BETWEEN 0.0005 AND 0.005 GROUP BY ALL
     )
     SELECT count(*) FROM cash_flow_statements LEFT JOIN paid USING (ticker, fiscal_date_ending)
     WHERE report_type = 'quarterly' AND reported_currency = 'USD' AND fiscal_date_ending > '2024-01-31'
       AND abs(dividend_payout_common_stock - coalesce(dividends, 0)) > 0.002 * dividend_payout_common_stock + 1`,
    0,
    0,
  ],
  [
    'trades at most the volume of a minute, on and off exchange',
    `SELECT count(*) FROM (SELECT ticker, date_trunc('minute', executed_at) AS start, sum(size) AS traded FROM stock_trades GROUP BY ALL)
     JOIN stock_bars USING (ticker, start) WHERE traded > volume`,
    0,
    0,
  ],
  [
    'trades off exchange at most the volume of the day',
    `SELECT count(*) FROM (SELECT ticker, date, sum(size) AS traded FROM stock_trades WHERE exchange = 'D' GROUP BY ALL)
     JOIN daily_bars USING (ticker, date) WHERE traded > volume`,
    0,
    0,
  ],
  [
    'trades each stock and fund a hundred times a day and more',
    'SELECT min(trades) FROM (SELECT count(*) AS trades FROM stock_trades GROUP BY ticker, date)',
    100,
    250,
  ],
  [
    'values a company at its shares times its close',
    `SELECT count(*) FROM tickers ASOF JOIN daily_bars USING (ticker, date)
     WHERE marketcap <> round(shares_outstanding::DECIMAL(20, 0) * close, 2)`,
    0,
    0,
  ],
  [
    'gives a fund on any session the same market capitalisation as assets',
    `SELECT count(*) FROM (SELECT ticker, date FROM daily_bars WHERE ticker IN (SELECT ticker FROM etfs)) AS sessions
     ASOF JOIN tickers USING (ticker, date)
     ASOF JOIN etfs ON sessions.ticker = etfs.ticker AND sessions.date >= etfs.date
     WHERE marketcap <> aum`,
    0,
    0,
  ],
  [
    'holds for a fund what its weights say of its assets, within a unit of the last digit or half a share',
    `SELECT count(*) FROM etf_holdings AS held
     LEFT JOIN daily_bars AS bars ON bars.ticker = held.ticker AND bars.date = held.date
     JOIN etfs ON etfs.ticker = etf AND etfs.date = held.date
     WHERE abs(shares::DOUBLE * coalesce(close, 1)::DOUBLE - aum::DOUBLE * weight / 100) > coalesce(close, 1) / 2 + aum::DOUBLE * 2e-6`,
    0,
    0,
  ],
  [
    'owns no company twice: funds, institutions and insiders together',
    `WITH owners AS (
       SELECT ticker, sum(shares) AS owned FROM etf_holdings WHERE date = '2024-12-31' GROUP BY ticker
       UNION ALL
       SELECT ticker, sum(units) FROM institution_holdings WHERE report_date = '2024-09-30' AND security_type IN ('Share', 'Fund') GROUP BY ticker
       UNION ALL
       SELECT ticker, sum(owned) FROM (SELECT ticker, arg_max(shares_after, (filing_date, sequence)) AS owned FROM insider_trades GROUP BY ticker, cik) GROUP BY ticker
     )
     SELECT max(owned / shares_outstanding) FROM (SELECT ticker, sum(owned) AS owned FROM owners GROUP BY ticker)
     JOIN (SELECT ticker, arg_max(shares_outstanding, date) AS shares_outstanding FROM tickers GROUP BY ticker) USING (ticker)`,
    0.01,
    0.5,
  ],
  [
    'deals insiders within the range of the day, but for exercises',
    `SELECT count(*) FROM insider_trades JOIN daily_bars ON daily_bars.ticker = insider_trades.ticker AND date = transaction_date
     WHERE transaction_code <> 'M' AND price NOT BETWEEN low AND high`,
    0,
    0,
  ],
  [
    'prices alerts within 2 % of the close before',
    `SELECT max(abs((meta ->> 'price')::DOUBLE / close - 1)) FROM alerts
     ASOF JOIN daily_bars ON symbol = ticker AND daily_bars.date < alerts.date
     WHERE symbol_type = 'stock' AND date_part('hour', tape_time) >= 9`,
    0.001,
    0.0201,
  ],
  [
    'alerts to listed contracts',
    `SELECT count(*) FROM alerts ANTI JOIN option_chain_days AS chain ON option_symbol = symbol AND chain.date = '2024-12-31'
     WHERE symbol_type = 'option_chain'`,
    0,
    0,
  ],
  [
    'quotes positions on predictions within their books',
    `SELECT count(*) FROM prediction_positions JOIN prediction_books USING (date, asset_id)
     WHERE current_price <= bid_prices[1] OR current_price >= ask_prices[1]`,
    0,
    0,
  ],
  [
    'quotes chains at the close of the underlying',
    `SELECT count(*) FROM option_chain_days AS chain LEFT JOIN daily_bars AS bars ON ticker = underlying_symbol AND bars.date = chain.date
     WHERE underlying_price IS DISTINCT FROM close`,
    0,
    0,
  ],
  [
    'has no company above five trillion dollars, as the world has none',
    "SELECT max(marketcap) / 1e12 FROM tickers WHERE issue_type <> 'Index'",
    0.1,
    5,
  ],
]
