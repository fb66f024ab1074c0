-- source: contract_flow = ndjson
-- columns: id, option_chain_id, underlying_symbol, executed_at, price, size, premium, volume
-- columns: open_interest, underlying_price, exchange, canceled, is_agg, ask_vol, bid_vol, mid_vol
-- columns: no_side_vol, multi_vol, stock_multi_vol, nbbo_bid, nbbo_ask, nbbo_bid_size, nbbo_ask_size, nbbo_bid_time
-- columns: nbbo_ask_time, ewma_nbbo_bid, ewma_nbbo_ask, delta, gamma, theta, vega, rho
-- columns: theo, implied_volatility, tags, report_flags, upstream_condition_detail
-- columns: full_name, industry_type, issue_type, sector, marketcap, er_time, next_earnings_date

-- dataset: option_trades
SELECT
  file,
  line,
  TRY_CAST(id AS UUID) AS id,
  (instant_of(executed_at) AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York')::DATE AS date,
  ticker_of(underlying_symbol) AS underlying_symbol,
  option_symbol_of(option_chain_id) AS option_chain_id,
  NULL::BIGINT AS option_symbol_id,
  option_type_of(option_symbol_of(option_chain_id)) AS option_type,
  option_strike(option_symbol_of(option_chain_id)) AS strike,
  option_expiry(option_symbol_of(option_chain_id)) AS expiry,
  trade_multiplier(
    option_symbol_of(option_chain_id),
    TRY_CAST(half_even_text(price, 4) AS DECIMAL(18, 4)),
    whole_of(size),
    TRY_CAST(half_even_text(premium, 4) AS DECIMAL(18, 4))
  ) AS multiplier,
  instant_of(executed_at) AS executed_at,
  TRY_CAST(half_even_text(price, 4) AS DECIMAL(18, 4)) AS price,
  whole_of(size) AS size,
  TRY_CAST(half_even_text(premium, 4) AS DECIMAL(18, 4)) AS premium,
  whole_of(volume) AS volume,
  whole_of(open_interest) AS open_interest,
  TRY_CAST(half_even_text(underlying_price, 4) AS DECIMAL(18, 4)) AS underlying_price,
  exchange,
  TRY_CAST(canceled AS BOOLEAN) AS canceled,
  TRY_CAST(is_agg AS BOOLEAN) AS is_agg,
  whole_of(ask_vol) AS ask_vol,
  whole_of(bid_vol) AS bid_vol,
  whole_of(mid_vol) AS mid_vol,
  whole_of(no_side_vol) AS no_side_vol,
  whole_of(multi_vol) AS multi_vol,
  whole_of(stock_multi_vol) AS stock_multi_vol,
  TRY_CAST(half_even_text(nbbo_bid, 4) AS DECIMAL(18, 4)) AS nbbo_bid,
  TRY_CAST(half_even_text(nbbo_ask, 4) AS DECIMAL(18, 4)) AS nbbo_ask,
  whole_of(nbbo_bid_size) AS nbbo_bid_size,
  whole_of(nbbo_ask_size) AS nbbo_ask_size,
  instant_of(nbbo_bid_time) AS nbbo_bid_time,
  instant_of(nbbo_ask_time) AS nbbo_ask_time,
  TRY_CAST(half_even_text(ewma_nbbo_bid, 4) AS DECIMAL(18, 4)) AS ewma_nbbo_bid,
  TRY_CAST(half_even_text(ewma_nbbo_ask, 4) AS DECIMAL(18, 4)) AS ewma_nbbo_ask,
  figure_of(delta) AS delta,
  figure_of(gamma) AS gamma,
  figure_of(theta) AS theta,
  figure_of(vega) AS vega,
  figure_of(rho) AS rho,
  TRY_CAST(half_even_text(theo, 4) AS DECIMAL(18, 4)) AS theo,
  figure_of(implied_volatility) AS implied_volatility,
  coalesce(texts_of(tags), []) AS tags,
  coalesce(texts_of(report_flags), []) AS report_flags,
  upstream_condition_detail,
  NULL::VARCHAR AS trade_code,
  NULL::VARCHAR AS sale_condition,
  NULL::UUID AS multi_leg_id,
  coalesce(
    blank_fault('id', id),
    unread_fault('id', 'not a UUID', id, TRY_CAST(id AS UUID)),
    ticker_fault('underlying_symbol', underlying_symbol),
    option_symbol_fault('option_chain_id', option_chain_id),
    blank_fault('executed_at', executed_at),
    unread_fault('executed_at', 'not a time', executed_at, instant_of(executed_at)),
    blank_fault('price', price),
    number_fault('price', price, TRY_CAST(half_even_text(price, 4) AS DECIMAL(18, 4))),
    blank_fault('size', size),
    count_fault('size', size, whole_of(size)),
    blank_fault('premium', premium),
    number_fault('premium', premium, TRY_CAST(half_even_text(premium, 4) AS DECIMAL(18, 4))),
    blank_fault('volume', volume),
    count_fault('volume', volume, whole_of(volume)),
    count_fault('open_interest', open_interest, whole_of(open_interest)),
    number_fault('underlying_price', underlying_price, TRY_CAST(half_even_text(underlying_price, 4) AS DECIMAL(18, 4))),
    blank_fault('canceled', canceled),
    unread_fault('canceled', 'neither true nor false', canceled, TRY_CAST(canceled AS BOOLEAN)),
    blank_fault('is_agg', is_agg),
    unread_fault('is_agg', 'neither true nor false', is_agg, TRY_CAST(is_agg AS BOOLEAN)),
    blank_fault('ask_vol', ask_vol),
    count_fault('ask_vol', ask_vol, whole_of(ask_vol)),
    blank_fault('bid_vol', bid_vol),
    count_fault('bid_vol', bid_vol, whole_of(bid_vol)),
    blank_fault('mid_vol', mid_vol),
    count_fault('mid_vol', mid_vol, whole_of(mid_vol)),
    blank_fault('no_side_vol', no_side_vol),
    count_fault('no_side_vol', no_side_vol, whole_of(no_side_vol)),
    blank_fault('multi_vol', multi_vol),
    count_fault('multi_vol', multi_vol, whole_of(multi_vol)),
    blank_fault('stock_multi_vol', stock_multi_vol),
    count_fault('stock_multi_vol', stock_multi_vol, whole_of(stock_multi_vol)),
    number_fault('nbbo_bid', nbbo_bid, TRY_CAST(half_even_text(nbbo_bid, 4) AS DECIMAL(18, 4))),
    number_fault('nbbo_ask', nbbo_ask, TRY_CAST(half_even_text(nbbo_ask, 4) AS DECIMAL(18, 4))),
    count_fault('nbbo_bid_size', nbbo_bid_size, whole_of(nbbo_bid_size)),
    count_fault('nbbo_ask_size', nbbo_ask_size, whole_of(nbbo_ask_size)),
    unread_fault('nbbo_bid_time', 'not a time', nbbo_bid_time, instant_of(nbbo_bid_time)),
    unread_fault('nbbo_ask_time', 'not a time', nbbo_ask_time, instant_of(nbbo_ask_time)),
    number_fault('ewma_nbbo_bid', ewma_nbbo_bid, TRY_CAST(half_even_text(ewma_nbbo_bid, 4) AS DECIMAL(18, 4))),
    number_fault('ewma_nbbo_ask', ewma_nbbo_ask, TRY_CAST(half_even_text(ewma_nbbo_ask, 4) AS DECIMAL(18, 4))),
    number_fault('delta', delta, figure_of(delta)),
    number_fault('gamma', gamma, figure_of(gamma)),
    number_fault('theta', theta, figure_of(theta)),
    number_fault('vega', vega, figure_of(vega)),
    number_fault('rho', rho, figure_of(rho)),
    number_fault('theo', theo, TRY_CAST(half_even_text(theo, 4) AS DECIMAL(18, 4))),
    number_fault('implied_volatility', implied_volatility, figure_of(implied_volatility)),
    unread_fault('tags', 'not a list', tags, texts_of(tags)),
    unread_fault('report_flags', 'not a list', report_flags, texts_of(report_flags))
  ) AS fault
FROM contract_flow

-- What a trade shows of its underlying applies from its day on. What it does not show is as the lake knows it.
-- dataset: tickers
WITH shown AS (
  SELECT
    *,
    ticker_of(underlying_symbol) AS ticker,
    (instant_of(executed_at) AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York')::DATE AS date
  FROM contract_flow
  WHERE full_name IS NOT NULL
    AND option_symbol_fault('option_chain_id', option_chain_id) IS NULL
    AND ticker_fault('underlying_symbol', underlying_symbol) IS NULL
    AND instant_of(executed_at) IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY ticker, date ORDER BY file DESC, line DESC) = 1
)
SELECT
  file,
  line,
  shown.ticker,
  shown.date,
  shown.full_name,
  known.short_name,
  shown.sector,
  shown.industry_type,
  shown.issue_type,
  TRY_CAST(half_even_text(shown.marketcap, 2) AS DECIMAL(18, 2)) AS marketcap,
  known.shares_outstanding,
  day_of(shown.next_earnings_date) AS next_earnings_date,
  shown.er_time,
  known.ex_dividend_date,
  coalesce(known.has_options, true) AS has_options,
  coalesce(
    number_fault('marketcap', shown.marketcap, TRY_CAST(half_even_text(shown.marketcap, 2) AS DECIMAL(18, 2))),
    unread_fault('next_earnings_date', 'not a date', shown.next_earnings_date, day_of(shown.next_earnings_date))
  ) AS fault
FROM shown
ASOF LEFT JOIN held_tickers AS known
  ON known.ticker = shown.ticker
  AND known.date <= shown.date
