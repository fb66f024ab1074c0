-- option-trades: a vendor's tape of option trades, one row per trade, with or without the quote at execution
-- address: https://polygon.io/docs/flat-files/options/trades
-- expects: the contract in OSI notation: AAPL240119C00190000, with or without the prefix O: and spaces after the root
-- expects: times with a zone or an offset, or counts of seconds, milliseconds, microseconds or nanoseconds since 1970
-- expects: no column for the trading date: it is the date in New York, and from 18:00 on the next one, to which the overnight sessions belong
-- expects: rows without an id and with the same contract, time, price, size, exchange and sequence number are separate trades, unless they are in different files
-- expects: a record that cancels an earlier trade is stored as a cancelled trade; the earlier trade is not changed
-- option: zone = time zone of times without one, e.g. America/New_York or UTC
-- reads: option_chain_days
-- reads: stock_bars
-- rejects: symbols that are not in OSI notation; negative prices, sizes that are not above zero
-- rejects: times that are invalid, without a zone (specify it with --zone), on a weekend, in the future or after the expiry
-- keeps: invalid bids and asks, their sizes, implied volatility, greeks and theoretical value, day volumes and open interest, stored as NULL
-- keeps: unknown sides, conditions and cancellation flags: the side is computed, the condition is NULL, the trade is not cancelled
--
-- source: tape = csv
-- column: option_symbol = option_symbol, option_chain_id, option_chain, osi_symbol, contract, ticker, symbol; becomes option_chain_id, underlying_symbol, option_type, strike and expiry
-- column: time = executed_at, sip_timestamp, timestamp, trade_time, participant_timestamp, ts_event, datetime, time; becomes executed_at, in whole microseconds
-- column: price = price, trade_price, fill_price; dollars per unit
-- column: size = size, trade_size, quantity, qty, contracts; number of contracts
-- optional: root = contract_root; with the next three, instead of the symbol: the root of a symbol, such as SPXW
-- optional: expiration = contract_expiration
-- optional: strike = contract_strike
-- optional: option_type = contract_type; call, put, C or P
-- optional: id = id, trade_id, uuid; a UUID is stored as is, any other id is hashed to a UUID. Default: a UUID derived from the trade's columns
-- optional: sequence = sequence_number, sequence, seq; distinguishes trades at the same time
-- optional: bid = nbbo_bid, bid, bid_price, best_bid; national best bid at execution, becomes nbbo_bid
-- optional: ask = nbbo_ask, ask, ask_price, best_ask, offer; national best ask at execution, becomes nbbo_ask
-- optional: bid_size = nbbo_bid_size, bid_size
-- optional: ask_size = nbbo_ask_size, ask_size
-- optional: ewma_bid = ewma_nbbo_bid
-- optional: ewma_ask = ewma_nbbo_ask
-- optional: side = side; ask, bid, mid or no_side. Default: computed from price and quote
-- optional: volume = volume, day_volume, total_volume; contracts traded on the day up to and including the trade. Default: the sum of the trades
-- optional: open_interest = open_interest, oi; open interest. Default: that of the day's chain in the lake
-- optional: underlying = underlying_price, stock_price, spot, spot_price; price of the underlying. Default: that of the day's latest bar in the lake
-- optional: underlying_bid = underlying_bid; bid and ask of the underlying, whose midpoint is its price
-- optional: underlying_ask = underlying_ask
-- optional: exchange = exchange, exchange_code, exchange_id; stored as is
-- optional: conditions = upstream_condition_detail, conditions, condition, trade_condition, trade_conditions; OPRA's names (slan), letters (a) or Polygon's numbers (227)
-- optional: canceled = canceled, cancelled, is_canceled; true or false
-- optional: iv = implied_volatility, iv, implied_vol; annualised, as a fraction
-- optional: delta = delta
-- optional: gamma = gamma
-- optional: theta = theta
-- optional: vega = vega
-- optional: rho = rho
-- optional: theo = theo, theoretical_value, theoretical_price
--
-- OPRA's sale conditions by the letter that carries them (OPRA Pillar Output Specification, "Last Sale"), with OPRA's
-- name, Polygon's number and their meaning for a trade. Trades of complex orders that fill against single legs (mesl,
-- masl) are part of a multi-leg order as well.
-- step: sale_conditions
SELECT
  letter,
  detail,
  number::VARCHAR AS number,
  state,
  is_cross(detail) AS is_cross,
  detail[1] = 'm' AND detail <> 'mctp' OR detail = 'cbmo' AS is_multi,
  detail[1] = 't' AS is_stock_multi
FROM (
  VALUES
    ('A', 'canc', 201, 'canceled'), ('B', 'oseq', 202, 'out_of_sequence'), ('C', 'cncl', 203, 'canceled'),
    ('D', 'late', 204, 'late'), ('E', 'cnco', 205, 'canceled'), ('F', 'open', 206, 'out_of_sequence'),
    ('G', 'cnol', 207, 'canceled'), ('H', 'opnl', 208, 'late'), ('I', 'auto', 209, NULL), ('J', 'reop', 210, NULL),
    ('S', 'isoi', 219, NULL), ('a', 'slan', 227, NULL), ('b', 'slai', 228, NULL), ('c', 'slcn', 229, NULL),
    ('d', 'slci', 230, NULL), ('e', 'slft', 231, NULL), ('f', 'mlet', 232, NULL), ('g', 'mlat', 233, NULL),
    ('h', 'mlct', 234, NULL), ('i', 'mlft', 235, NULL), ('j', 'mesl', 236, NULL), ('k', 'tlat', 237, NULL),
    ('l', 'masl', 238, NULL), ('m', 'mfsl', 239, NULL), ('n', 'tlet', 240, NULL), ('o', 'tlct', 241, NULL),
    ('p', 'tlft', 242, NULL), ('q', 'tesl', 243, NULL), ('r', 'tasl', 244, NULL), ('s', 'tfsl', 245, NULL),
    ('t', 'cbmo', 246, NULL), ('u', 'mctp', 247, NULL), ('v', 'exht', 248, NULL)
) AS conditions (letter, detail, number, state)
-- Each text in the conditions column, converted once: one condition, or a list of several. The type of a trade comes
-- before its later status.
-- step: sale_texts
SELECT
  written,
  bool_or(letter IS NULL) AS is_strange,
  arg_min(letter, (state IS NOT NULL, place)) FILTER (WHERE letter IS NOT NULL) AS letter,
  arg_min(detail, (state IS NOT NULL, place)) FILTER (WHERE letter IS NOT NULL) AS detail,
  min(state) FILTER (WHERE state <> 'canceled') AS state,
  coalesce(bool_or(state = 'canceled'), false) AS is_canceled,
  coalesce(bool_or(is_cross), false) AS is_cross,
  coalesce(bool_or(is_multi), false) AS is_multi,
  coalesce(bool_or(is_stock_multi), false) AS is_stock_multi
FROM (
  SELECT
    written,
    unnest(words) AS word,
    generate_subscripts(words, 1) AS place
  FROM (
    SELECT DISTINCT
      conditions AS written,
      regexp_extract_all(conditions, '[^\[\]{}"''(),;| ]+') AS words
    FROM tape
    WHERE present(conditions) IS NOT NULL
  )
)
LEFT JOIN sale_conditions AS known ON word = known.letter OR lower(word) = known.detail OR word = known.number
GROUP BY written
-- step: read_trades
-- A time with a zone, or counted from 1970, is an instant. Any other time is local time in --zone.
WITH timed_trades AS (
  SELECT
    * EXCLUDE (
      wall_clock, known_zone, expires, side_of_type, number_of_strike, number_of_bid, number_of_ask, middle,
      option_symbol, underlying
    ),
    coalesce(
      option_symbol,
      option_symbol_from(
        root,
        expires,
        side_of_type,
        TRY_CAST(half_even_text(number_of_strike, 3) AS DECIMAL(18, 3))
      )
    ) AS option_symbol,
    coalesce(underlying, half_even(middle, 4)::DECIMAL(18, 4)::VARCHAR) AS underlying,
    CASE
      WHEN wall_clock IS NULL THEN instant_of(time)
      WHEN wall_clock AT TIME ZONE known_zone AT TIME ZONE known_zone = wall_clock
        THEN wall_clock AT TIME ZONE known_zone AT TIME ZONE 'UTC'
    END AS instant,
    CASE
      WHEN wall_clock IS NULL THEN NULL
      WHEN $zone IS NULL THEN 'without a zone: specify it with --zone'
      WHEN known_zone IS NULL THEN 'unknown time zone in --zone'
    END AS zone_reason
  -- One macro per level, because a macro repeats its argument.
  FROM (
    SELECT
      *,
      (
        TRY_CAST(half_even_text(number_of_bid, 6) AS DECIMAL(18, 6))
        + TRY_CAST(half_even_text(number_of_ask, 6) AS DECIMAL(18, 6))
      ) / 2 AS middle,
      CASE
        WHEN regexp_full_match(time, '\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?') THEN TRY_CAST(time AS TIMESTAMP)
      END AS wall_clock,
      (SELECT max(name) FROM pg_timezone_names() WHERE name = $zone) AS known_zone
    FROM (
      SELECT
        *,
        day_of(expiration) AS expires,
        call_or_put(lower(option_type)) AS side_of_type,
        plain_number(strike) AS number_of_strike,
        plain_number(present(underlying_bid)) AS number_of_bid,
        plain_number(present(underlying_ask)) AS number_of_ask
      FROM tape
    )
  )
)
-- The texts of the file end here: storing them takes longer than all else. Few rows have notes, so that a cheaper
-- condition, which is true of all of these, is tested first.
SELECT
  file,
  line,
  id,
  sequence,
  symbol,
  day,
  instant,
  fill_price,
  fill_size,
  multiplier,
  premium,
  exchange,
  letter,
  detail,
  state,
  is_canceled,
  is_multi,
  is_stock_multi,
  met_bid,
  met_ask,
  met_side,
  kept_volume,
  open_interest_count,
  underlying_price,
  bid_size_count,
  ask_size_count,
  ewma_bid_price,
  ewma_ask_price,
  COLUMNS('_figure$'),
  fault,
  CASE
    WHEN (met_bid IS NULL AND bid IS NOT NULL)
      OR (met_ask IS NULL AND ask IS NOT NULL)
      OR (coalesce(bid_size_count < 0, true) AND bid_size IS NOT NULL)
      OR (coalesce(ask_size_count < 0, true) AND ask_size IS NOT NULL)
      OR (stated_side IS NULL AND side IS NOT NULL)
      OR (kept_volume IS NULL AND volume IS NOT NULL)
      OR (coalesce(open_interest_count < 0, true) AND open_interest IS NOT NULL)
      OR (coalesce(underlying_price <= 0, true) AND underlying IS NOT NULL)
      OR is_strange
      OR (NOT stated_canceled AND canceled <> 'false' AND NOT regexp_full_match(canceled, '(?i)false|f|0|no|n'))
      OR (coalesce(iv_figure < 0, true) AND iv IS NOT NULL)
      OR (coalesce(abs(delta_figure) > 1, true) AND delta IS NOT NULL)
      OR (gamma_figure IS NULL AND gamma IS NOT NULL)
      OR (theta_figure IS NULL AND theta IS NOT NULL)
      OR (vega_figure IS NULL AND vega IS NOT NULL)
      OR (rho_figure IS NULL AND rho IS NOT NULL)
      OR (theo_figure IS NULL AND theo IS NOT NULL)
      THEN [
        note('bid', 'not a price', bid, met_bid IS NULL AND present(bid) IS NOT NULL),
        note('ask', 'not a price', ask, met_ask IS NULL AND present(ask) IS NOT NULL),
        note('bid_size', 'not a number', bid_size, coalesce(bid_size_count < 0, true) AND present(bid_size) IS NOT NULL),
        note('ask_size', 'not a number', ask_size, coalesce(ask_size_count < 0, true) AND present(ask_size) IS NOT NULL),
        note('side', 'not a side', side, stated_side IS NULL AND present(side) IS NOT NULL),
        note('volume', 'not a volume that includes this trade', volume, kept_volume IS NULL AND present(volume) IS NOT NULL),
        note('open_interest', 'not a number', open_interest, coalesce(open_interest_count < 0, true) AND present(open_interest) IS NOT NULL),
        note('underlying', 'not a price', underlying, coalesce(underlying_price <= 0, true) AND present(underlying) IS NOT NULL),
        note('conditions', 'not a known condition', conditions, is_strange),
        note('canceled', 'neither true nor false', canceled, NOT stated_canceled AND NOT regexp_full_match(canceled, '(?i)false|f|0|no|n')),
        note('iv', 'not an implied volatility', iv, coalesce(iv_figure < 0, true) AND present(iv) IS NOT NULL),
        note('delta', 'not between -1 and 1', delta, coalesce(abs(delta_figure) > 1, true) AND present(delta) IS NOT NULL),
        note('gamma', 'not a number', gamma, gamma_figure IS NULL AND present(gamma) IS NOT NULL),
        note('theta', 'not a number', theta, theta_figure IS NULL AND present(theta) IS NOT NULL),
        note('vega', 'not a number', vega, vega_figure IS NULL AND present(vega) IS NOT NULL),
        note('rho', 'not a number', rho, rho_figure IS NULL AND present(rho) IS NOT NULL),
        note('theo', 'not a number', theo, theo_figure IS NULL AND present(theo) IS NOT NULL)
      ]
  END AS left_out
FROM (
  SELECT
    typed.*,
    if(bid_price >= 0, bid_price, NULL) AS met_bid,
    if(ask_price >= 0, ask_price, NULL) AS met_ask,
    coalesce(
      stated_side,
      CASE WHEN sale.is_cross OR sale.state IS NOT NULL THEN 'no' END,
      fill_side(fill_price, met_bid, met_ask)
    ) AS met_side,
    letter,
    detail,
    state,
    coalesce(is_strange, false) AS is_strange,
    coalesce(stated_canceled, false) OR coalesce(sale.is_canceled, false) AS is_canceled,
    coalesce(is_multi, false) AS is_multi,
    coalesce(is_stock_multi, false) AS is_stock_multi,
    if(volume_count >= if(is_canceled, 0, fill_size), volume_count, NULL) AS kept_volume,
    coalesce(
      CASE WHEN symbol IS NULL THEN option_symbol_fault('option_symbol', option_symbol) END,
      blank_fault('time', time),
      CASE WHEN zone_reason IS NOT NULL THEN ['time', zone_reason, time] END,
      CASE WHEN instant IS NULL THEN ['time', 'not a time', time] END,
      option_day_fault('time', time, day, option_expiry(symbol), $today),
      blank_fault('price', price),
      CASE WHEN fill_price IS NULL THEN number_fault('price', price, fill_price) END,
      CASE WHEN fill_price < 0 THEN ['price', 'below zero', price] END,
      blank_fault('size', size),
      count_fault('size', size_text, fill_size),
      CASE WHEN fill_size = 0 THEN ['size', 'not above zero', size] END,
      CASE WHEN premium IS NULL THEN ['price', 'premium too large', price] END
    ) AS fault
  FROM (
    SELECT
      * NOT SIMILAR TO '.*_plain',
      (instant AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York' + INTERVAL 6 HOUR)::DATE AS day,
      TRY_CAST(half_even_text(price_plain, 4) AS DECIMAL(18, 4)) AS fill_price,
      coalesce(size_plain, size) AS size_text,
      TRY_CAST(size_plain AS INTEGER) AS fill_size,
      option_multiplier(symbol) AS multiplier,
      TRY_CAST(fill_price::DECIMAL(38, 4) * fill_size * multiplier AS DECIMAL(18, 4)) AS premium,
      -- Optional figures, named bid_price, volume_count, delta_figure and so on.
      TRY_CAST(
        half_even_text(COLUMNS('^(bid|ask|ewma_bid|ewma_ask|underlying)_plain$'), 4) AS DECIMAL(18, 4)
      ) AS "\1_price",
      whole_number(COLUMNS('^(bid_size|ask_size|volume|open_interest)_plain$')) AS "\1_count",
      present_figure(COLUMNS('^(iv|delta|gamma|theta|vega|rho|theo)$')) AS "\1_figure",
      -- What most files write is tested first, here and where `canceled` is tested for a note.
      CASE
        WHEN side IN ('ask', 'bid', 'mid') THEN side
        ELSE MAP {'ask': 'ask', 'bid': 'bid', 'mid': 'mid', 'no_side': 'no', 'no side': 'no'}[lower(present(side))]
      END AS stated_side,
      CASE
        WHEN canceled = 'false' THEN false
        ELSE regexp_full_match(present(canceled), '(?i)true|t|1|yes|y')
      END AS stated_canceled
    FROM (
      SELECT
        *,
        option_symbol_of(option_symbol) AS symbol,
        plain_number(price) AS price_plain,
        plain_number(size) AS size_plain,
        present_number(COLUMNS('^(bid|ask|ewma_bid|ewma_ask|underlying|bid_size|ask_size|volume|open_interest)$'))
          AS "\1_plain"
      FROM timed_trades
    )
  ) AS typed
  LEFT JOIN sale_texts AS sale ON sale.written = conditions
)
-- Columns that depend on other trades, computed in a narrow table because it has to be sorted. Trades that agree in
-- everything are distinguished by their order within a file, so that files may overlap. If a trade occurs twice, the
-- last row counts, because it is the one that the lake keeps.
