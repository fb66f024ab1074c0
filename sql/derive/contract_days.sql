-- contract_days: each contract that is listed, traded, or in the previous day's rows and not yet expired
-- days: option_trades, option_chain_days
-- run: 1
-- reads: option_trades on the day
-- reads: option_chain_days on the day
-- reads: option_greek_days on the day
-- reads: contract_days 1 date before
-- reads: stock_days on the day
-- reads: tickers all before
--
-- Each day needs the previous one, so a run computes one day. Figures that look further back (30 volumes, 7 sides, the
-- streaks, the last close) are carried from row to row. A contract has a row every session until it expires, traded or
-- not, so a session without a row precedes the contract's first session.
-- A day has rows if the lake has its trades or its chain. The trades of an underlying are either all of the day's or none:
-- without any, its volumes are those that the chain reports, without a side and without premium. Volumes of a day on which
-- the lake has neither are not known. They are shown as 0, but neither averages nor streaks count that day.
-- The tape order is (executed_at, id): many executions share a microsecond, and the id orders them.
-- Aggregates over rows use decimals and integers only; doubles occur only within a row.
WITH taped AS (
  SELECT DISTINCT underlying_symbol
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
),
tape AS NOT MATERIALIZED (
  SELECT *
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND NOT canceled
),
-- A change needs two known quotes: a trade without a quote says nothing about the market.
quotes AS (
  SELECT
    option_chain_id,
    nbbo_ask <> lag(nbbo_ask) OVER trades AS ask_changed,
    nbbo_bid <> lag(nbbo_bid) OVER trades AS bid_changed
  FROM tape
  WINDOW trades AS (PARTITION BY option_chain_id ORDER BY executed_at, id)
),
changes AS (
  SELECT
    option_chain_id,
    count(*) FILTER (WHERE ask_changed) AS total_ask_changes,
    count(*) FILTER (WHERE bid_changed) AS total_bid_changes
  FROM quotes
  GROUP BY option_chain_id
),
-- Separate from the quotes, so that the sort above moves five columns instead of thirty.
sums AS (
  SELECT
    option_chain_id,
    sum(size)::BIGINT AS volume,
    count(*) AS trades,
    sum(premium) AS premium,
    sum(ask_vol)::BIGINT AS ask_side_volume,
    sum(bid_vol)::BIGINT AS bid_side_volume,
    sum(mid_vol)::BIGINT AS mid_volume,
    sum(no_side_vol)::BIGINT AS no_side_volume,
    sum(size) FILTER (WHERE is_sweep(upstream_condition_detail))::BIGINT AS sweep_volume,
    sum(size) FILTER (WHERE is_floor(upstream_condition_detail))::BIGINT AS floor_volume,
    sum(size) FILTER (WHERE is_cross(upstream_condition_detail))::BIGINT AS cross_volume,
    sum(multi_vol)::BIGINT AS multileg_volume,
    sum(stock_multi_vol)::BIGINT AS stock_multi_leg_volume,
    sum(premium) FILTER (WHERE ask_vol > 0) AS ask_side_premium,
    sum(premium) FILTER (WHERE bid_vol > 0) AS bid_side_premium,
    max(price) AS high,
    min(price) AS low,
    min(executed_at) AS first_fill,
    max(executed_at) AS last_fill
  FROM tape
  GROUP BY option_chain_id
),
-- Only the few trades in a contract's first and last microsecond are compared by id. They are compared as whole rows,
-- so that a bid is never paired with the ask of another trade.
ends AS (
  SELECT
    tape.option_chain_id,
    arg_min({ 'price': price, 'open_interest': open_interest }, id) FILTER (WHERE executed_at = first_fill) AS first,
    arg_max(
      {
        'underlying_symbol': underlying_symbol, 'option_type': option_type, 'strike': strike, 'expiry': expiry,
        'multiplier': multiplier, 'price': price, 'bid': nbbo_bid, 'ask': nbbo_ask, 'stock_price': underlying_price,
        'iv': implied_volatility, 'delta': delta, 'gamma': gamma, 'theta': theta, 'vega': vega
      },
      id
    ) FILTER (WHERE executed_at = last_fill) AS last
  FROM tape
  JOIN sums
    ON sums.option_chain_id = tape.option_chain_id
    AND executed_at IN (first_fill, last_fill)
  GROUP BY tape.option_chain_id
),
traded AS (
  SELECT *
  FROM sums
  JOIN changes USING (option_chain_id)
  JOIN ends USING (option_chain_id)
),
-- Figures that the chain lacks are the computed ones.
chain AS (
  SELECT
    listed.* REPLACE (
      coalesce(listed.implied_volatility, computed.implied_volatility) AS implied_volatility,
      coalesce(listed.delta, computed.delta) AS delta,
      coalesce(listed.gamma, computed.gamma) AS gamma,
      coalesce(listed.theta, computed.theta) AS theta,
      coalesce(listed.vega, computed.vega) AS vega
    )
  FROM read_parquet($option_chain_days, hive_partitioning = false) AS listed
  LEFT JOIN read_parquet($option_greek_days, hive_partitioning = false) AS computed
    ON computed.date = listed.date
    AND computed.option_symbol = listed.option_symbol
    AND computed.rate IS NOT NULL
  WHERE listed.date BETWEEN $from AND $to
),
previous AS (
  SELECT *
  FROM read_parquet($contract_days, hive_partitioning = false)
  WHERE date = (SELECT max(date) FROM read_parquet($contract_days, hive_partitioning = false) WHERE date < $from)
),
-- If the chain lists a contract, its quotes are those of the close and win over any trade's, even if it has no bid.
-- Open interest and the price of the underlying are valid from either source.
contracts AS MATERIALIZED (
  SELECT
    coalesce(chain.underlying_symbol, traded.last.underlying_symbol, previous.underlying_symbol) AS underlying_symbol,
    coalesce(chain.option_symbol, traded.option_chain_id, previous.option_symbol) AS option_symbol,
    coalesce(chain.option_type, traded.last.option_type, previous.option_type) AS option_type,
    coalesce(chain.strike, traded.last.strike, previous.strike) AS strike,
    coalesce(chain.expiry, traded.last.expiry, previous.expiry) AS expiry,
    coalesce(chain.multiplier, traded.last.multiplier, previous.multiplier) AS multiplier,
    -- NULL if it is not known.
    CASE
      WHEN traded.option_chain_id IS NOT NULL OR taped.underlying_symbol IS NOT NULL THEN coalesce(traded.volume, 0)
      WHEN chain.volume IS NOT NULL THEN chain.volume
      WHEN tape_rows.underlyings > 0 THEN 0
    END AS known_volume,
    coalesce(known_volume, 0) AS volume,
    coalesce(traded.trades, 0) AS trades,
    coalesce(traded.premium, 0) AS premium,
    coalesce(traded.ask_side_volume, 0) AS ask_side_volume,
    coalesce(traded.bid_side_volume, 0) AS bid_side_volume,
    coalesce(traded.mid_volume, 0) AS mid_volume,
    CASE WHEN traded.option_chain_id IS NULL THEN coalesce(known_volume, 0) ELSE traded.no_side_volume END AS no_side_volume,
    coalesce(traded.sweep_volume, 0) AS sweep_volume,
    coalesce(traded.floor_volume, 0) AS floor_volume,
    coalesce(traded.cross_volume, 0) AS cross_volume,
    coalesce(traded.multileg_volume, 0) AS multileg_volume,
    coalesce(traded.stock_multi_leg_volume, 0) AS stock_multi_leg_volume,
    coalesce(traded.ask_side_premium, 0) AS ask_side_premium,
    coalesce(traded.bid_side_premium, 0) AS bid_side_premium,
    coalesce(traded.total_ask_changes, 0) AS total_ask_changes,
    coalesce(traded.total_bid_changes, 0) AS total_bid_changes,
    traded.first.price AS open,
    traded.high,
    traded.low,
    traded.last.price AS close,
    traded.last_fill,
    coalesce(previous.close, previous.chain_prev_close) AS chain_prev_close,
    coalesce(chain.open_interest, traded.first.open_interest) AS open_interest,
    previous.open_interest AS prev_oi,
    coalesce(chain.underlying_price, traded.last.stock_price) AS quoted_stock_price,
    CASE WHEN chain.date IS NULL THEN traded.last.bid ELSE chain.bid END AS bid,
    CASE WHEN chain.date IS NULL THEN traded.last.ask ELSE chain.ask END AS ask,
    CASE WHEN chain.date IS NULL THEN traded.last.iv ELSE chain.implied_volatility END AS iv,
    CASE WHEN chain.date IS NULL THEN traded.last.delta ELSE chain.delta END AS delta,
    CASE WHEN chain.date IS NULL THEN traded.last.gamma ELSE chain.gamma END AS gamma,
    CASE WHEN chain.date IS NULL THEN traded.last.theta ELSE chain.theta END AS theta,
    CASE WHEN chain.date IS NULL THEN traded.last.vega ELSE chain.vega END AS vega,
    coalesce(previous.days_of_oi_increases, 0) AS previous_oi_increases,
    coalesce(previous.days_of_vol_greater_than_oi, 0) AS previous_vol_greater_than_oi,
    coalesce(previous.recent_volumes, []) AS earlier_volumes,
    coalesce(previous.recent_sides, []) AS earlier_sides,
    previous.date IS NULL AND EXISTS (FROM previous) AS is_new
  FROM chain
  FULL JOIN traded ON traded.option_chain_id = chain.option_symbol
  FULL JOIN previous ON previous.option_symbol = coalesce(chain.option_symbol, traded.option_chain_id)
  LEFT JOIN taped ON taped.underlying_symbol = coalesce(chain.underlying_symbol, previous.underlying_symbol)
  CROSS JOIN (SELECT count(*) AS underlyings FROM taped) AS tape_rows
  WHERE chain.date IS NOT NULL
    OR traded.option_chain_id IS NOT NULL
    OR previous.expiry >= $from
),
ticker AS (
  SELECT *
  FROM read_parquet($tickers, hive_partitioning = false)
  WHERE date <= $to
  QUALIFY row_number() OVER (PARTITION BY ticker ORDER BY date DESC) = 1
),
stock AS (
  SELECT
    ticker,
    close AS stock_close,
    avg30_volume
  FROM read_parquet($stock_days, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
),
-- One row per underlying, so that the wide rows of contracts need a single join.
underlyings AS (
  SELECT
    sums.*,
    stock.* EXCLUDE (ticker),
    ticker.* EXCLUDE (ticker, date)
  FROM (SELECT underlying_symbol, sum(volume)::BIGINT AS ticker_vol FROM contracts GROUP BY underlying_symbol) AS sums
  LEFT JOIN stock ON stock.ticker = sums.underlying_symbol
  LEFT JOIN ticker ON ticker.ticker = sums.underlying_symbol
),
-- The out-of-the-money amount is the move in the underlying that would put the contract at the money.
figures AS (
  SELECT
    contracts.*,
    CASE WHEN trades > 0 THEN ratio(premium, volume * multiplier) END::DECIMAL(18, 10) AS avg_price,
    half_even(coalesce(quoted_stock_price, underlyings.stock_close), 4)::DECIMAL(18, 4) AS stock_price,
    greatest(CASE option_type WHEN 'call' THEN strike - stock_price ELSE stock_price - strike END, 0) AS otm_amount,
    CASE option_type WHEN 'call' THEN stock_price ELSE strike END AS margin_base,
    CASE
      WHEN trades = 0 OR volume = 0 THEN 'none'
      WHEN ask_side_volume > bid_side_volume THEN 'ask'
      WHEN bid_side_volume > ask_side_volume THEN 'bid'
      ELSE 'even'
    END AS side,
    CASE WHEN known_volume IS NULL THEN earlier_volumes ELSE (earlier_volumes || [known_volume])[-30:] END AS recent_volumes,
    CASE WHEN known_volume IS NULL THEN earlier_sides ELSE (earlier_sides || [side])[-7:] END AS recent_sides,
    nullif(len(list_filter(recent_sides, lambda each: each <> 'none')), 0) AS sided_days,
    underlyings.* EXCLUDE (underlying_symbol)
  FROM contracts
  JOIN underlyings USING (underlying_symbol)
)
SELECT
  $from AS date,
  underlying_symbol,
  option_symbol,
  option_type,
  strike,
  expiry,
  multiplier,
  expiry - $from AS dte,
  volume,
  trades,
  premium,
  ask_side_volume,
  bid_side_volume,
  mid_volume,
  no_side_volume,
  sweep_volume,
  floor_volume,
  cross_volume,
  multileg_volume,
  stock_multi_leg_volume,
  ask_side_premium,
  bid_side_premium,
  total_ask_changes,
  total_bid_changes,
  avg_price,
  open,
  high,
  low,
  close,
  last_fill,
  chain_prev_close,
  open_interest,
  prev_oi,
  bid,
  ask,
  stock_price,
  iv,
  delta,
  gamma,
  theta,
  vega,
  -- `greatest` ignores NULLs: without a price of the underlying there is no margin, not the minimum for a put. A value
  -- too large for the column occurs only if the underlying is worthless; it becomes NULL instead of failing the day.
  CASE
    WHEN stock_price IS NOT NULL
      THEN try_cast(
        ratio(avg_price, greatest(0.20 * stock_price - otm_amount, 0.10 * margin_base)) AS DECIMAL(18, 10)
      )
  END AS roc,
  ticker_vol,
  half_even(ratio(list_sum(earlier_volumes), len(earlier_volumes)), 4)::DECIMAL(18, 4) AS contract_30_d_avg_volume,
  CASE WHEN open_interest > prev_oi THEN previous_oi_increases + 1 ELSE 0 END AS days_of_oi_increases,
  CASE
    WHEN known_volume IS NULL THEN previous_vol_greater_than_oi
    WHEN known_volume > coalesce(open_interest, 0) THEN previous_vol_greater_than_oi + 1
    ELSE 0
  END AS days_of_vol_greater_than_oi,
  ratio(len(list_filter(recent_sides, lambda each: each = 'ask')), sided_days)::DECIMAL(18, 10) AS ask_side_perc_7_day,
  ratio(len(list_filter(recent_sides, lambda each: each = 'bid')), sided_days)::DECIMAL(18, 10) AS bid_side_perc_7_day,
  is_new,
  recent_volumes,
  recent_sides,
  full_name,
  sector,
  issue_type,
  marketcap,
  avg30_volume AS ticker_30_d_avg_volume,
  next_earnings_date,
  er_time,
  ex_dividend_date
FROM figures
