-- source: prediction_insiders = json
-- has: asset_id, user_address, avg_price, invested_zscore, tags_score
-- member: asset_id, user_address, question, outcome, category; of the position
-- member: avg_price, current_price, pnl_percent, total_invested_usd, invested_zscore; its figures
-- member: tags, tags_score, created_at, first_trade_at, resolves, image; become the columns of these names
--
-- source: prediction_liquidity = json
-- has: asset_id, timestamp, bids, asks, total_liquidity
-- member: bids[], asks[]; levels with price and size, best first

-- dataset: prediction_positions
WITH positions AS (
  SELECT
    file,
    line,
    record ->> 'asset_id' AS asset_id,
    record ->> 'question' AS question,
    record ->> 'outcome' AS outcome,
    record ->> 'category' AS category,
    record ->> 'avg_price' AS avg_price,
    record ->> 'current_price' AS current_price,
    record ->> 'pnl_percent' AS pnl_percent,
    record ->> 'total_invested_usd' AS total_invested_usd,
    record ->> 'invested_zscore' AS invested_zscore,
    record ->> 'n_positions' AS n_positions,
    record ->> 'days_since_first_trade' AS days_since_first_trade,
    record ->> 'days_since_first_trade_overall' AS days_since_first_trade_overall,
    record ->> 'first_trade_at' AS first_trade_at,
    record ->> 'created_at' AS created_at,
    record ->> 'resolves' AS resolves,
    record ->> 'image' AS image,
    record ->> 'tags' AS tags,
    record ->> 'tags_score' AS tags_score,
    record ->> 'user_address' AS user_address
  FROM prediction_insiders
)
SELECT
  file,
  line,
  coalesce(day_of($date), max(instant_of(created_at)) OVER (PARTITION BY file)::DATE) AS date,
  asset_id,
  user_address,
  question,
  outcome,
  category,
  TRY_CAST(half_even_text(avg_price, 6) AS DECIMAL(18, 6)) AS avg_price,
  TRY_CAST(half_even_text(current_price, 6) AS DECIMAL(18, 6)) AS current_price,
  TRY_CAST(half_even_text(pnl_percent, 6) AS DECIMAL(18, 6)) AS pnl_percent,
  TRY_CAST(half_even_text(total_invested_usd, 2) AS DECIMAL(18, 2)) AS total_invested_usd,
  TRY_CAST(half_even_text(invested_zscore, 6) AS DECIMAL(18, 6)) AS invested_zscore,
  TRY_CAST(whole_of(n_positions) AS INTEGER) AS n_positions,
  TRY_CAST(whole_of(days_since_first_trade) AS INTEGER) AS days_since_first_trade,
  TRY_CAST(whole_of(days_since_first_trade_overall) AS INTEGER) AS days_since_first_trade_overall,
  date_trunc('milliseconds', instant_of(first_trade_at)) AS first_trade_at,
  date_trunc('milliseconds', instant_of(created_at)) AS created_at,
  date_trunc('milliseconds', instant_of(resolves)) AS resolves,
  image,
  coalesce(texts_of(tags), []) AS tags,
  TRY_CAST(half_even_text(tags_score, 6) AS DECIMAL(18, 6)) AS tags_score,
  coalesce(
    blank_fault('asset_id', asset_id),
    blank_fault('user_address', user_address),
    blank_fault('question', question),
    blank_fault('outcome', outcome),
    blank_fault('category', category),
    blank_fault('avg_price', avg_price),
    number_fault('avg_price', avg_price, TRY_CAST(half_even_text(avg_price, 6) AS DECIMAL(18, 6))),
    blank_fault('current_price', current_price),
    number_fault('current_price', current_price, TRY_CAST(half_even_text(current_price, 6) AS DECIMAL(18, 6))),
    blank_fault('pnl_percent', pnl_percent),
    number_fault('pnl_percent', pnl_percent, TRY_CAST(half_even_text(pnl_percent, 6) AS DECIMAL(18, 6))),
    blank_fault('total_invested_usd', total_invested_usd),
    number_fault(
      'total_invested_usd',
      total_invested_usd,
      TRY_CAST(half_even_text(total_invested_usd, 2) AS DECIMAL(18, 2))
    ),
    blank_fault('invested_zscore', invested_zscore),
    number_fault('invested_zscore', invested_zscore, TRY_CAST(half_even_text(invested_zscore, 6) AS DECIMAL(18, 6))),
    blank_fault('n_positions', n_positions),
    count_fault('n_positions', n_positions, TRY_CAST(whole_of(n_positions) AS INTEGER)),
    blank_fault('days_since_first_trade', days_since_first_trade),
    count_fault(
      'days_since_first_trade',
      days_since_first_trade,
      TRY_CAST(whole_of(days_since_first_trade) AS INTEGER)
    ),
    blank_fault('days_since_first_trade_overall', days_since_first_trade_overall),
    count_fault(
      'days_since_first_trade_overall',
      days_since_first_trade_overall,
      TRY_CAST(whole_of(days_since_first_trade_overall) AS INTEGER)
    ),
    blank_fault('first_trade_at', first_trade_at),
    unread_fault(
      'first_trade_at',
      'not a time',
      first_trade_at,
      date_trunc('milliseconds', instant_of(first_trade_at))
    ),
    blank_fault('created_at', created_at),
    unread_fault('created_at', 'not a time', created_at, date_trunc('milliseconds', instant_of(created_at))),
    unread_fault('resolves', 'not a time', resolves, date_trunc('milliseconds', instant_of(resolves))),
    unread_fault('tags', 'not a list', tags, texts_of(tags)),
    blank_fault('tags_score', tags_score),
    number_fault('tags_score', tags_score, TRY_CAST(half_even_text(tags_score, 6) AS DECIMAL(18, 6)))
  ) AS fault
FROM positions

-- dataset: prediction_books
WITH books AS (
  SELECT
    file,
    line,
    record ->> 'asset_id' AS asset_id,
    record ->> 'timestamp' AS timestamp,
    from_json(record -> 'bids', '[{"price": "VARCHAR", "size": "VARCHAR"}]') AS bids,
    from_json(record -> 'asks', '[{"price": "VARCHAR", "size": "VARCHAR"}]') AS asks
  FROM prediction_liquidity
),
levels AS (
  SELECT
    *,
    list_transform(bids, lambda level: TRY_CAST(half_even_text(level.price, 6) AS DECIMAL(18, 6))) AS bid_prices,
    list_transform(bids, lambda level: TRY_CAST(half_even_text(level.size, 6) AS DECIMAL(18, 6))) AS bid_sizes,
    list_transform(asks, lambda level: TRY_CAST(half_even_text(level.price, 6) AS DECIMAL(18, 6))) AS ask_prices,
    list_transform(asks, lambda level: TRY_CAST(half_even_text(level.size, 6) AS DECIMAL(18, 6))) AS ask_sizes
  FROM books
)
SELECT
  file,
  line,
  instant_of(timestamp)::DATE AS date,
  asset_id,
  date_trunc('milliseconds', instant_of(timestamp)) AS timestamp,
  bid_prices,
  bid_sizes,
  ask_prices,
  ask_sizes,
  coalesce(
    CASE
      WHEN coalesce(list_contains(list_transform(bid_prices || bid_sizes, lambda each: each IS NULL), true), true)
        THEN ['bids', 'a level without a price or a size', bids::VARCHAR]
    END,
    CASE
      WHEN coalesce(list_contains(list_transform(ask_prices || ask_sizes, lambda each: each IS NULL), true), true)
        THEN ['asks', 'a level without a price or a size', asks::VARCHAR]
    END,
    blank_fault('asset_id', asset_id),
    blank_fault('timestamp', timestamp),
    unread_fault('timestamp', 'not a time', timestamp, date_trunc('milliseconds', instant_of(timestamp)))
  ) AS fault
FROM levels
