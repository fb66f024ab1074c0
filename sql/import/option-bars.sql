-- option-bars: one-minute bars of trades and quotes of option contracts; each bar of trades becomes one trade with its quote
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/option
-- expects: two files, or folders of them: minute bars of trades and minute bars of quotes, recognised by their columns
-- expects: the start of the minute in milliseconds since midnight in New York, and one row per contract and minute
-- expects: both in one import, because trades are only matched with quotes of the same import; quotes alone produce no rows
-- expects: a missing side of a quote as a blank price with the size 0
-- reads: option_chain_days
-- reads: stock_bars
-- rejects: symbols that are not in OSI notation, dates that are invalid, on a weekend or after the expiry
-- rejects: times that are not at the start of a minute in New York
-- rejects: bars of trades without a price or a volume; quotes with an invalid price or size
--
-- source: trades = csv
-- column: option_symbol = option_symbol, symbol, contract; OSI notation, with or without O: and spaces, becomes option_chain_id
-- column: date = date; New York
-- column: since_midnight = ms_since_midnight_et, ms_since_midnight; start of the minute in New York, becomes executed_at
-- column: close = close; last price of the minute, dollars per unit, becomes price
-- column: volume = volume; contracts traded in the minute, becomes size
--
-- source: quotes = csv
-- column: option_symbol = option_symbol, symbol, contract
-- column: date = date
-- column: since_midnight = ms_since_midnight_et, ms_since_midnight; start of the minute, becomes nbbo_bid_time and nbbo_ask_time
-- column: bid_close = bid_close; last bid of the minute, becomes nbbo_bid
-- column: ask_close = ask_close; last ask of the minute, becomes nbbo_ask
-- column: bid_size = bid_size; contracts at that bid
-- column: ask_size = ask_size; contracts at that ask
--
-- No tape with the quote of each trade is public, so a minute replaces a trade: its last price, because only that is a
-- price at which contracts changed hands near a quote of the same moment (a mean price is not), and its total volume.
-- The trade is at the start of the minute, so that it belongs to the right minute and to the right five or thirty
-- minutes; the times of the quote are those of its own minute. `is_agg` is true, because a bar aggregates executions.
--
-- The quote is that of the minute, otherwise the latest one before it on that day, unchanged. If a side is missing,
-- files do not show whether it was unchanged or withdrawn, so no earlier value replaces it, and the trade has no side.
-- Columns that need a tape are NULL: exchange, conditions, implied volatility and greeks of the fill.
-- step: bars
SELECT
  file,
  line,
  option_symbol,
  symbol,
  day,
  minute,
  price,
  size,
  premium,
  -- If a minute occurs twice, the last bar counts, because it is the one that the lake keeps.
  fault IS NULL
    AND row_number() OVER (PARTITION BY symbol, minute ORDER BY fault IS NULL DESC, file DESC, line DESC) = 1 AS counts,
  fault
FROM (
  SELECT
    *,
    TRY_CAST(price::DECIMAL(38, 4) * size * option_multiplier(symbol) AS DECIMAL(18, 4)) AS premium,
    coalesce(
      option_symbol_fault('option_symbol', option_symbol),
      option_day_fault('date', date, day, option_expiry(symbol), $today),
      blank_fault('ms_since_midnight_et', since_midnight),
      CASE WHEN milliseconds IS NULL THEN ['ms_since_midnight_et', 'not a time of day in milliseconds', since_midnight] END,
      CASE WHEN milliseconds % 60000 <> 0 THEN ['ms_since_midnight_et', 'not at the start of a minute', since_midnight] END,
      blank_fault('close', close),
      positive_fault('close', close, price),
      blank_fault('volume', volume),
      count_fault('volume', volume, size),
      CASE WHEN size = 0 THEN ['volume', 'not above zero', volume] END,
      CASE WHEN premium IS NULL THEN ['close', 'premium too large', close] END
    ) AS fault
  FROM (
    SELECT
      *,
      option_symbol_of(option_symbol) AS symbol,
      day_of(date) AS day,
      CASE
        WHEN regexp_full_match(since_midnight, '\d{1,8}') AND since_midnight::INTEGER < 86400000
          THEN since_midnight::INTEGER
      END AS milliseconds,
      new_york_instant(day + to_milliseconds(milliseconds)) AS minute,
      TRY_CAST(half_even_text(close, 4) AS DECIMAL(18, 4)) AS price,
      TRY_CAST(whole_of(volume) AS INTEGER) AS size
    FROM trades
  )
)
-- step: minute_quotes
SELECT
  file,
  line,
  symbol,
  day,
  minute,
  bid,
  ask,
  if(bid IS NULL, NULL, bid_contracts) AS bid_contracts,
  if(ask IS NULL, NULL, ask_contracts) AS ask_contracts,
  -- Again the last one of a minute.
  fault IS NULL
    AND row_number() OVER (PARTITION BY symbol, minute ORDER BY fault IS NULL DESC, file DESC, line DESC) = 1 AS counts,
  fault
FROM (
  SELECT
    *,
    coalesce(
      option_symbol_fault('option_symbol', option_symbol),
      option_day_fault('date', date, day, option_expiry(symbol), $today),
      blank_fault('ms_since_midnight_et', since_midnight),
      CASE WHEN milliseconds IS NULL THEN ['ms_since_midnight_et', 'not a time of day in milliseconds', since_midnight] END,
      CASE WHEN milliseconds % 60000 <> 0 THEN ['ms_since_midnight_et', 'not at the start of a minute', since_midnight] END,
      number_fault('bid_close', bid_close, bid),
      CASE WHEN bid < 0 THEN ['bid_close', 'below zero', bid_close] END,
      number_fault('ask_close', ask_close, ask),
      CASE WHEN ask < 0 THEN ['ask_close', 'below zero', ask_close] END,
      count_fault('bid_size', bid_size, bid_contracts),
      count_fault('ask_size', ask_size, ask_contracts)
    ) AS fault
  FROM (
    SELECT
      *,
      option_symbol_of(option_symbol) AS symbol,
      day_of(date) AS day,
      CASE
        WHEN regexp_full_match(since_midnight, '\d{1,8}') AND since_midnight::INTEGER < 86400000
          THEN since_midnight::INTEGER
      END AS milliseconds,
      new_york_instant(day + to_milliseconds(milliseconds)) AS minute,
      TRY_CAST(half_even_text(bid_close, 4) AS DECIMAL(18, 4)) AS bid,
      TRY_CAST(half_even_text(ask_close, 4) AS DECIMAL(18, 4)) AS ask,
      whole_of(bid_size) AS bid_contracts,
      whole_of(ask_size) AS ask_contracts
    FROM quotes
  )
)
-- dataset: option_trades
WITH met AS (
  SELECT
    bars.*,
    quote.minute AS quote_minute,
    bid,
    ask,
    bid_contracts,
    ask_contracts,
    CASE WHEN bars.fault IS NULL THEN fill_side(price, bid, ask) END AS side,
    sum(CASE WHEN bars.counts THEN size ELSE 0 END) OVER (
      PARTITION BY bars.symbol, bars.day
      ORDER BY bars.minute, bars.file, bars.line
      ROWS UNBOUNDED PRECEDING
    )::BIGINT AS running
  FROM bars
  ASOF LEFT JOIN (FROM minute_quotes WHERE counts) AS quote
    ON quote.symbol = bars.symbol
    AND quote.day = bars.day
    AND quote.minute <= bars.minute
),
-- The price of the underlying at the end of the minute: the latest bar of the day up to that minute.
priced AS (
  SELECT
    met.*,
    stock.close AS underlying_price
  FROM met
  ASOF LEFT JOIN held_stock_bars AS stock
    ON stock.ticker = option_underlying(met.symbol)
    AND stock.date = met.day
    AND stock.start <= met.minute
)
SELECT
  file,
  line,
  uuid_named(concat_ws('|', 'option bar', symbol, strftime(minute, '%Y-%m-%dT%H:%M:%SZ'))) AS id,
  day AS date,
  option_underlying(symbol) AS underlying_symbol,
  symbol AS option_chain_id,
  NULL::BIGINT AS option_symbol_id,
  option_type_of(symbol) AS option_type,
  option_strike(symbol) AS strike,
  option_expiry(symbol) AS expiry,
  option_multiplier(symbol) AS multiplier,
  minute AS executed_at,
  price,
  size::BIGINT AS size,
  premium,
  running AS volume,
  chain.open_interest,
  half_even(priced.underlying_price, 4)::DECIMAL(18, 4) AS underlying_price,
  NULL::VARCHAR AS exchange,
  false AS canceled,
  true AS is_agg,
  if(side = 'ask', size, 0)::BIGINT AS ask_vol,
  if(side = 'bid', size, 0)::BIGINT AS bid_vol,
  if(side = 'mid', size, 0)::BIGINT AS mid_vol,
  if(side = 'no', size, 0)::BIGINT AS no_side_vol,
  0::BIGINT AS multi_vol,
  0::BIGINT AS stock_multi_vol,
  priced.bid AS nbbo_bid,
  priced.ask AS nbbo_ask,
  bid_contracts AS nbbo_bid_size,
  ask_contracts AS nbbo_ask_size,
  if(priced.bid IS NULL, NULL, quote_minute) AS nbbo_bid_time,
  if(priced.ask IS NULL, NULL, quote_minute) AS nbbo_ask_time,
  NULL::DECIMAL(18, 4) AS ewma_nbbo_bid,
  NULL::DECIMAL(18, 4) AS ewma_nbbo_ask,
  NULL::DECIMAL(18, 10) AS delta,
  NULL::DECIMAL(18, 10) AS gamma,
  NULL::DECIMAL(18, 10) AS theta,
  NULL::DECIMAL(18, 10) AS vega,
  NULL::DECIMAL(18, 10) AS rho,
  NULL::DECIMAL(18, 4) AS theo,
  NULL::DECIMAL(18, 10) AS implied_volatility,
  fill_tags(side, option_type_of(symbol)) AS tags,
  []::VARCHAR[] AS report_flags,
  NULL::VARCHAR AS upstream_condition_detail,
  NULL::VARCHAR AS trade_code,
  NULL::VARCHAR AS sale_condition,
  NULL::UUID AS multi_leg_id,
  fault
FROM priced
LEFT JOIN held_option_chain_days AS chain
  ON chain.date = priced.day
  AND chain.option_symbol = priced.symbol
UNION ALL BY NAME
SELECT
  file,
  line,
  fault
FROM minute_quotes
WHERE fault IS NOT NULL
