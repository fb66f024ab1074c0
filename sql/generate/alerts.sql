-- Three hundred notifications of every type over the two weeks up to the end of $to. Four in five have a tape time
-- between 04:00 and 20:00 New York; the rest are at night and on days without a session. One in six has an owner. The
-- members of meta depend on the type; prices and amounts in it are decimal strings.
WITH kinds AS (
  SELECT
    kind,
    [
      'stock', 'news', 'earnings', 'dividends', 'splits', 'option_contract', 'price_target', 'analyst_rating',
      'option_contract_interval', 'insider_trades', 'trading_state', 'fda', 'economic_release', 'politician_trades',
      'market_tide', 'sec_filings', 'flow_alerts', 'chain_oi_change', 'gex'
    ][1 + kind] AS noti_type
  FROM range(19) AS kinds (kind)
),
-- Calendar days with the instant of New York's midnight; a day without a session extrapolates from the previous
-- session.
days AS (
  SELECT
    day::DATE AS date,
    sessions.date = day::DATE AS is_session,
    opens - INTERVAL 570 MINUTE + to_days((day::DATE - sessions.date)::INTEGER) AS midnight
  FROM generate_series($to - 12, $to, INTERVAL 1 DAY) AS days (day)
  ASOF JOIN market_sessions AS sessions ON day >= sessions.date
),
numbered AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY is_session ORDER BY date) - 1 AS place,
    count(*) OVER (PARTITION BY is_session) AS places
  FROM days
),
drawn AS (
  SELECT
    alert,
    noti_type,
    noti_type IN ('option_contract', 'option_contract_interval', 'flow_alerts', 'chain_oi_change') AS is_option,
    hash(hash($seed, 'alert', alert)) AS draw,
    CASE
      WHEN alert % 20 = 19 THEN 'holiday'
      WHEN alert % 20 IN (4, 9, 14) THEN 'night'
      ELSE 'day'
    END AS part
  FROM range(300) AS alerts (alert)
  JOIN kinds ON kind = alert % 19
),
-- Until 19:00, so that an alert on the evening of the last day has the same date in UTC; nights start at 00:00.
timed AS (
  SELECT
    drawn.*,
    date AS day,
    midnight + to_microseconds(CASE part
      WHEN 'night' THEN (draw % 14400000000)::BIGINT
      ELSE 14400000000 + (draw % 53940000000)::BIGINT
    END) AS tape_time
  FROM drawn
  JOIN numbered
    ON is_session = (part <> 'holiday')
    AND place = (hash(draw) % places)::BIGINT
),
companies AS (
  SELECT
    number,
    ticker,
    full_name,
    shares_outstanding,
    first_price,
    false AS of_options,
    row_number() OVER (ORDER BY number) - 1 AS place,
    count(*) OVER () AS places
  FROM market_tickers
),
underlyings AS (
  SELECT
    number,
    ticker,
    full_name,
    shares_outstanding,
    first_price,
    true,
    row_number() OVER (ORDER BY number) - 1,
    count(*) OVER ()
  FROM market_tickers
  WHERE has_options
),
-- The strikes that were listed first for the monthly expiry of the month after $to.
listed AS (
  SELECT
    ticker_number AS number,
    expiry,
    max(step) AS step
  FROM market_series
  WHERE expiry = (
    SELECT min(expiry)
    FROM market_expiries
    WHERE kind IN ('monthly', 'quarterly', 'january') AND expiry >= date_trunc('month', $to) + INTERVAL 1 MONTH
  )
  GROUP BY ticker_number, expiry, first_session
  QUALIFY first_session = min(first_session) OVER (PARTITION BY ticker_number)
),
chosen AS (
  SELECT
    timed.*,
    subjects.* EXCLUDE (place, places, of_options)
  FROM timed
  JOIN (FROM companies UNION ALL FROM underlyings) AS subjects
    ON of_options = is_option
    AND place = ((draw >> 8) % places::UBIGINT)::BIGINT
),
-- An alert knows the close of the session before.
aimed AS (
  SELECT
    chosen.*,
    coalesce(closes.close, round(first_price, 6)::DECIMAL(18, 6)) AS close,
    expiry,
    ['call', 'put'][1 + ((draw >> 12) % 2)::BIGINT] AS option_type,
    round(greatest(1, round(close::DOUBLE / step)) * step, 3)::DECIMAL(18, 3) AS strike
  FROM chosen
  LEFT JOIN listed USING (number)
  ASOF LEFT JOIN market_closes AS closes ON chosen.number = closes.number AND chosen.day > closes.date
),
named AS (
  SELECT
    *,
    CASE
      WHEN is_option THEN osi_symbol(ticker, expiry, option_type, strike)
      ELSE ticker
    END AS symbol,
    CASE WHEN alert % 6 = 5 THEN ['desk-east', 'desk-west'][1 + alert % 12 // 6] END AS owner,
    round(close * (0.98 + 0.04 * unit(draw)), 2)::DECIMAL(18, 2)::VARCHAR AS price,
    (100 + (draw >> 16) % 4000)::BIGINT AS size
  FROM aimed
)
SELECT
  regexp_replace(
    sha1(concat_ws('|', 'alert', $seed, alert)),
    '^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$',
    '\1-\2-5\3-a\4-\5'
  )::UUID AS id,
  created_at::DATE AS date,
  -- One configuration per type and owner.
  regexp_replace(
    sha1(concat_ws('|', 'alert configuration', $seed, noti_type, coalesce(owner, ''))),
    '^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$',
    '\1-\2-5\3-a\4-\5'
  )::UUID AS user_noti_config_id,
  format('{}{}: {}', upper(noti_type[1]), replace(noti_type, '_', ' ')[2:], ticker) AS name,
  noti_type,
  symbol,
  CASE WHEN is_option THEN 'option_chain' ELSE 'stock' END AS symbol_type,
  created_at,
  tape_time,
  CASE noti_type
    WHEN 'stock' THEN json_object('price', price, 'change_perc', '0.0250', 'volume', size * 1000)
    WHEN 'news'
      THEN json_object(
        'headline', full_name || ' opens a "second" works',
        'source', 'Harbour Wire',
        'is_major', draw % 2 = 0
      )
    WHEN 'earnings'
      THEN json_object(
        'report_date', day + 20,
        'report_time', ['premarket', 'postmarket'][1 + (draw % 2)::BIGINT],
        'eps_estimate', '1.25'
      )
    WHEN 'dividends'
      THEN json_object(
        'ex_date', day + 10,
        'payment_date', day + 24,
        'amount', '0.35'
      )
    WHEN 'splits' THEN json_object('split_from', 1, 'split_to', 2, 'effective_date', day + 30)
    WHEN 'option_contract'
      THEN json_object(
        'option_type', option_type,
        'expiry', expiry,
        'strike', regexp_replace(strike::VARCHAR, '\.?0+$', ''),
        'volume', size,
        'premium', (size * 240)::VARCHAR
      )
    WHEN 'price_target'
      THEN json_object(
        'target', price,
        'previous_target', round(close, 2)::DECIMAL(18, 2)::VARCHAR,
        'firm', 'Alderbrook Research'
      )
    WHEN 'analyst_rating'
      THEN json_object(
        'rating', ['buy', 'hold', 'sell'][1 + (draw % 3)::BIGINT],
        'action', 'initiated',
        'firm', 'Alderbrook Research'
      )
    WHEN 'option_contract_interval'
      THEN json_object(
        'interval_minutes', 5,
        'volume', size,
        'ask_side_volume', size // 2,
        'premium', (size * 240)::VARCHAR
      )
    WHEN 'insider_trades'
      THEN json_object(
        'transaction_code', ['P', 'S'][1 + (draw % 2)::BIGINT],
        'shares', size,
        'price', price
      )
    WHEN 'trading_state'
      THEN json_object(
        'state', ['trading', 'halted'][1 + (draw % 2)::BIGINT],
        'reason', 'news pending'
      )
    WHEN 'fda' THEN json_object('drug', 'Exemplastat', 'event', 'decision date', 'date', day + 45)
    WHEN 'economic_release'
      THEN json_object(
        'event', 'Consumer prices',
        'forecast', '0.2',
        'previous', '0.3'
      )
    WHEN 'politician_trades'
      THEN json_object(
        'name', 'Adele Ambershaw',
        'txn_type', 'Buy',
        'amounts', '$1,001 - $15,000'
      )
    WHEN 'market_tide'
      THEN json_object(
        'net_call_premium', (size * 1000)::VARCHAR,
        'net_put_premium', (-size * 700)::VARCHAR
      )
    WHEN 'sec_filings'
      THEN json_object(
        'form', ['8-K', '10-Q', '13D'][1 + (draw % 3)::BIGINT],
        'filed_at', day
      )
    WHEN 'flow_alerts'
      THEN json_object(
        'rule_name', 'RepeatedHits',
        'total_premium', (size * 240)::VARCHAR,
        'total_size', size,
        'has_sweep', draw % 2 = 0
      )
    WHEN 'chain_oi_change'
      THEN json_object(
        'open_interest', 3 * size,
        'previous_open_interest', size,
        'change', 2 * size
      )
    WHEN 'gex'
      THEN json_object(
        'gamma_exposure', (shares_outstanding // 100)::VARCHAR,
        'flip_price', price
      )
  END::VARCHAR AS meta,
  owner
FROM (
  SELECT
    *,
    tape_time + to_microseconds(200000 + (hash(draw) % 45000000)::BIGINT) AS created_at
  FROM named
)
