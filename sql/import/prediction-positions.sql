-- prediction-positions: positions on prediction markets that look informed, one row per position and date of the list
-- address: https://docs.polymarket.com/api-reference/core/get-current-positions-for-a-user
-- expects: CSV with a header, or flat JSON objects, one per line; names as in the API's answers or in Polymarket's Data API
-- expects: tags as a JSON array, or separated by commas, semicolons or bars
-- expects: times with a zone or in UTC, or counts of seconds or milliseconds since 1970
-- expects: question, outcome, category, end and image missing from the file come from prediction_markets, if imported before
-- expects: a missing pnl_percent is computed from the prices, days_since_first_trade from the dates, tags_score from the tags
-- expects: an unknown or missing category becomes Other
-- option: date = date of the list, YYYY-MM-DD, for files without a date column. Default: the date of created_at
-- reads: prediction_markets
-- rejects: a token id, wallet, price, amount or time that is missing or invalid
-- rejects: a position whose question or outcome is neither in the file nor in prediction_markets
-- rejects: a first trade after the position was listed
-- keeps: a position with unknown tags, without these tags
-- keeps: an invalid resolution time or image URL, stored as NULL
-- keeps: a tags_score other than the sum of the tags' weights
--
-- source: positions = csv, ndjson, parquet
-- column: asset_id = asset_id, asset, token_id, asset id; id of the outcome token
-- column: user_address = user_address, proxywallet, wallet, address, user; wallet address
-- column: avg_price = avg_price, avgprice, average_price, entry_price; dollars per token
-- column: current_price = current_price, curprice, price; dollars per token
-- column: total_invested_usd = total_invested_usd, initialvalue, invested_usd, invested; dollars
-- column: invested_zscore = invested_zscore, zscore, z_score; standard score of the investment
-- column: n_positions = n_positions, positions; number of the wallet's positions
-- column: days_since_first_trade_overall = days_since_first_trade_overall, wallet_age_days; days since the wallet's first trade
-- column: first_trade_at = first_trade_at, first_trade; first trade in this market
-- column: created_at = created_at, listed_at, timestamp; when the position was listed
-- column: tags = tags; contrarian_whales, momentum, closing_soon, insider_trades, smart_money
-- optional: date = date, as_of; date of the list, YYYY-MM-DD
-- optional: question = question, title; question of the market
-- optional: outcome = outcome; outcome bought
-- optional: category = category; Crypto, Culture, Finance, Games, Mentions, Other, Politics, Sports or Weather
-- optional: pnl_percent = pnl_percent, percentpnl; profit as a percentage of the amount invested
-- optional: days_since_first_trade = days_since_first_trade; days since the first trade in this market
-- optional: resolves = resolves, enddate, end_date; when the market resolves
-- optional: image = image, icon; URL of the market's picture
-- optional: tags_score = tags_score, score; sum of the tags' weights
--
-- A score is the sum of the weights of its tags, which the API documents; a test compares the weights in both places.

-- dataset: prediction_positions
WITH tag_weights (tag, weight) AS (
  VALUES
    ('contrarian_whales', 2.5),
    ('momentum', 1.0),
    ('closing_soon', 1.5),
    ('insider_trades', 3.0),
    ('smart_money', 2.0)
),
categories (name) AS (
  VALUES
    ('Crypto'),
    ('Culture'),
    ('Finance'),
    ('Games'),
    ('Mentions'),
    ('Other'),
    ('Politics'),
    ('Sports'),
    ('Weather')
),
-- One conversion per level, because a macro repeats its argument.
texts AS (
  SELECT
    *,
    coalesce(plain_number(avg_price), avg_price) AS avg_text,
    coalesce(plain_number(current_price), current_price) AS current_text,
    coalesce(plain_number(pnl_percent), pnl_percent) AS pnl_text,
    coalesce(plain_number(total_invested_usd), total_invested_usd) AS invested_text,
    coalesce(plain_number(n_positions), n_positions) AS count_text,
    coalesce(plain_number(tags_score), tags_score) AS score_text,
    date_trunc('milliseconds', instant_of(first_trade_at)) AS first_time,
    date_trunc('milliseconds', instant_of(created_at)) AS listed_time,
    date_trunc('milliseconds', coalesce(instant_of(resolves), any_day_of(resolves)::TIMESTAMP)) AS resolves_time
  FROM positions
),
valued AS (
  SELECT
    *,
    TRY_CAST(half_even_text(avg_text, 6) AS DECIMAL(18, 6)) AS avg_value,
    TRY_CAST(half_even_text(current_text, 6) AS DECIMAL(18, 6)) AS current_value,
    TRY_CAST(half_even_text(invested_text, 2) AS DECIMAL(18, 2)) AS invested_value,
    TRY_CAST(half_even_text(invested_zscore, 6) AS DECIMAL(18, 6)) AS zscore_value,
    TRY_CAST(whole_of(count_text) AS INTEGER) AS count_value,
    TRY_CAST(whole_of(days_since_first_trade_overall) AS INTEGER) AS wallet_age,
    TRY_CAST(half_even_text(score_text, 6) AS DECIMAL(18, 6)) AS score_value,
    coalesce(date, $date, listed_time::DATE::VARCHAR) AS day_text,
    coalesce(regexp_full_match(image, 'https?://\S+'), false) AS has_image,
    list_filter(
      list_transform(
        regexp_split_to_array(tags, '[\[\]",;|]+'),
        lambda word: regexp_replace(lower(trim(word)), '[\s-]+', '_', 'g')
      ),
      lambda word: word <> ''
    ) AS words
  FROM texts
),
dated AS (
  SELECT
    *,
    any_day_of(day_text) AS day,
    -- Default for the profit: computed from the prices.
    CASE
      WHEN pnl_percent IS NOT NULL THEN TRY_CAST(half_even_text(pnl_text, 6) AS DECIMAL(18, 6))
      WHEN avg_value > 0
        THEN TRY_CAST(half_even(ratio((current_value - avg_value) * 100, avg_value), 6) AS DECIMAL(18, 6))
    END AS pnl_value
  FROM valued
),
aged AS (
  SELECT
    *,
    coalesce(days_since_first_trade, (day - first_time::DATE)::VARCHAR) AS age_text
  FROM dated
),
typed AS (
  SELECT
    *,
    TRY_CAST(whole_of(age_text) AS INTEGER) AS age_value
  FROM aged
),
judged AS (
  SELECT
    typed.*,
    coalesce(typed.question, market.question) AS known_question,
    coalesce(typed.outcome, market.outcome) AS known_outcome,
    coalesce(
      (SELECT min(name) FROM categories WHERE lower(name) = lower(typed.category)),
      market.category,
      'Other'
    ) AS known_category,
    coalesce(resolves_time, date_trunc('milliseconds', market.resolves)) AS known_resolves,
    coalesce(CASE WHEN has_image THEN typed.image END, market.image) AS known_image,
    -- Each tag once, in the original order.
    list_filter(
      words,
      lambda word, place: list_position(words, word) = place
        AND list_contains(five, word)
    ) AS known_tags,
    (SELECT coalesce(sum(weight), 0) FROM tag_weights WHERE list_contains(words, tag))::DECIMAL(18, 6) AS weights
  FROM typed
  CROSS JOIN (SELECT list(tag ORDER BY tag) AS five FROM tag_weights)
  LEFT JOIN held_prediction_markets AS market USING (asset_id)
)
SELECT
  file,
  line,
  day AS date,
  asset_id,
  lower(user_address) AS user_address,
  known_question AS question,
  known_outcome AS outcome,
  known_category AS category,
  avg_value AS avg_price,
  current_value AS current_price,
  pnl_value AS pnl_percent,
  invested_value AS total_invested_usd,
  zscore_value AS invested_zscore,
  count_value AS n_positions,
  age_value AS days_since_first_trade,
  wallet_age AS days_since_first_trade_overall,
  first_time AS first_trade_at,
  listed_time AS created_at,
  known_resolves AS resolves,
  known_image AS image,
  coalesce(known_tags, []) AS tags,
  coalesce(score_value, weights) AS tags_score,
  coalesce(
    blank_fault('asset_id', asset_id),
    CASE
      WHEN NOT regexp_full_match(asset_id, '[A-Za-z0-9_-]{1,128}') THEN ['asset_id', 'not a token id', asset_id]
    END,
    blank_fault('user_address', user_address),
    CASE
      WHEN NOT regexp_full_match(user_address, '0x[0-9A-Fa-f]{40}') THEN ['user_address', 'not a wallet address', user_address]
    END,
    blank_fault('avg_price', avg_text),
    positive_fault('avg_price', avg_text, avg_value),
    CASE WHEN avg_value > 1 THEN ['avg_price', 'above one dollar', avg_text] END,
    blank_fault('current_price', current_text),
    number_fault('current_price', current_text, current_value),
    CASE WHEN current_value NOT BETWEEN 0 AND 1 THEN ['current_price', 'not a price from 0 to 1', current_text] END,
    number_fault('pnl_percent', pnl_text, pnl_value),
    blank_fault('total_invested_usd', invested_text),
    number_fault('total_invested_usd', invested_text, invested_value),
    CASE WHEN invested_value < 0 THEN ['total_invested_usd', 'below zero', invested_text] END,
    blank_fault('invested_zscore', invested_zscore),
    number_fault('invested_zscore', invested_zscore, zscore_value),
    blank_fault('n_positions', count_text),
    count_fault('n_positions', count_text, count_value),
    blank_fault('first_trade_at', first_trade_at),
    CASE WHEN first_time IS NULL THEN ['first_trade_at', 'not a time', first_trade_at] END,
    blank_fault('created_at', created_at),
    CASE WHEN listed_time IS NULL THEN ['created_at', 'not a time', created_at] END,
    day_fault('created_at', created_at, listed_time::DATE, $today),
    CASE WHEN first_time > listed_time THEN ['first_trade_at', 'after the position was listed', first_trade_at] END,
    day_fault('date', day_text, day, $today),
    count_fault('days_since_first_trade', age_text, age_value),
    blank_fault('days_since_first_trade_overall', days_since_first_trade_overall),
    count_fault('days_since_first_trade_overall', days_since_first_trade_overall, wallet_age),
    CASE WHEN known_question IS NULL THEN ['question', 'neither in the file nor in prediction_markets', NULL] END,
    CASE WHEN known_outcome IS NULL THEN ['outcome', 'neither in the file nor in prediction_markets', NULL] END,
    number_fault('tags_score', score_text, score_value)
  ) AS fault,
  list_concat(
    [
      note('category', 'unknown category', category, category IS NOT NULL AND lower(known_category) <> lower(category)),
      note('resolves', 'not a time', resolves, resolves IS NOT NULL AND resolves_time IS NULL),
      note('image', 'not a URL', image, image IS NOT NULL AND NOT has_image),
      note('tags_score', 'not the sum of the tags'' weights', tags_score, coalesce(score_value <> weights, false))
    ],
    list_transform(
      list_filter(words, lambda word: NOT list_contains(known_tags, word)),
      lambda word: ['tags', 'unknown tag', word]
    )
  ) AS left_out
FROM judged
