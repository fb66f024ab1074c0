-- The rows of the trades that were read: their numbers within a microsecond, the prices of the stock, and the mapping.
-- step: counted_trades
WITH placed AS (
  SELECT
    file, line, id, symbol, day, instant, fill_price, fill_size, exchange, sequence, is_canceled,
    fault IS NULL AS fits,
    row_number() OVER (
      PARTITION BY symbol, instant, fill_price, fill_size, exchange, sequence, file
      ORDER BY line
    ) AS place
  FROM read_trades
),
named AS (
  SELECT
    file, line, symbol, day, instant, fits,
    if(is_canceled, 0, fill_size) AS contracts,
    CASE
      WHEN regexp_full_match(id, '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}') THEN id::UUID
      WHEN id IS NOT NULL THEN uuid_named(concat_ws('|', 'option trade', symbol, day, id))
      ELSE uuid_named(
        concat_ws('|', 'option trade', symbol, epoch_us(instant), fill_price, fill_size, coalesce(exchange, ''), coalesce(sequence, ''), place)
      )
    END AS trade_id
  FROM placed
),
ranked AS (
  SELECT
    *,
    fits AND row_number() OVER (PARTITION BY trade_id ORDER BY fits DESC, file DESC, line DESC) = 1 AS counts
  FROM named
)
SELECT
  file,
  line,
  trade_id,
  sum(if(counts, contracts, 0)) OVER (
    PARTITION BY symbol, day
    ORDER BY instant, trade_id, file, line
    ROWS UNBOUNDED PRECEDING
  )::BIGINT AS added_volume
FROM ranked
-- step: stock_prices
SELECT
  file,
  line,
  half_even(close, 4)::DECIMAL(18, 4) AS held_price
FROM (SELECT file, line, option_underlying(symbol) AS underlying_symbol, day, instant FROM read_trades) AS trades
ASOF JOIN held_stock_bars AS bars
  ON bars.ticker = trades.underlying_symbol
  AND bars.date = trades.day
  AND bars.start <= trades.instant
-- dataset: option_trades
SELECT
  file,
  line,
  trade_id AS id,
  day AS date,
  option_underlying(symbol) AS underlying_symbol,
  symbol AS option_chain_id,
  NULL::BIGINT AS option_symbol_id,
  option_type_of(symbol) AS option_type,
  option_strike(symbol) AS strike,
  option_expiry(symbol) AS expiry,
  multiplier,
  instant AS executed_at,
  fill_price AS price,
  fill_size::BIGINT AS size,
  premium,
  coalesce(kept_volume, added_volume) AS volume,
  coalesce(if(open_interest_count >= 0, open_interest_count, NULL), held_interest) AS open_interest,
  coalesce(if(underlying_price > 0, underlying_price, NULL), held_price) AS underlying_price,
  exchange,
  is_canceled AS canceled,
  false AS is_agg,
  if(met_side = 'ask', fill_size, 0)::BIGINT AS ask_vol,
  if(met_side = 'bid', fill_size, 0)::BIGINT AS bid_vol,
  if(met_side = 'mid', fill_size, 0)::BIGINT AS mid_vol,
  if(met_side = 'no', fill_size, 0)::BIGINT AS no_side_vol,
  if(is_multi, fill_size, 0)::BIGINT AS multi_vol,
  if(is_stock_multi, fill_size, 0)::BIGINT AS stock_multi_vol,
  met_bid AS nbbo_bid,
  met_ask AS nbbo_ask,
  if(bid_size_count >= 0, bid_size_count, NULL) AS nbbo_bid_size,
  if(ask_size_count >= 0, ask_size_count, NULL) AS nbbo_ask_size,
  NULL::TIMESTAMP AS nbbo_bid_time,
  NULL::TIMESTAMP AS nbbo_ask_time,
  ewma_bid_price AS ewma_nbbo_bid,
  ewma_ask_price AS ewma_nbbo_ask,
  if(abs(delta_figure) <= 1, delta_figure, NULL) AS delta,
  gamma_figure AS gamma,
  theta_figure AS theta,
  vega_figure AS vega,
  rho_figure AS rho,
  half_even(theo_figure, 4)::DECIMAL(18, 4) AS theo,
  if(iv_figure > 0, iv_figure, NULL) AS implied_volatility,
  fill_tags(met_side, option_type_of(symbol)) AS tags,
  if(is_canceled, ['canceled'], []) || if(state IS NULL, [], [state]) AS report_flags,
  detail AS upstream_condition_detail,
  letter AS trade_code,
  state AS sale_condition,
  NULL::UUID AS multi_leg_id,
  fault,
  left_out
FROM read_trades
JOIN counted_trades USING (file, line)
LEFT JOIN stock_prices USING (file, line)
LEFT JOIN (SELECT date AS day, option_symbol AS symbol, open_interest AS held_interest FROM held_option_chain_days)
  USING (day, symbol)
