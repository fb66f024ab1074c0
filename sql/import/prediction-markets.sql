-- prediction-markets: Polymarket's markets with their outcome tokens, from its Gamma API, JSON
-- address: https://docs.polymarket.com/api-reference/markets/list-markets
-- address: https://github.com/Ligengxin96/polymarket-data-samples
-- expects: Gamma's market objects, or those of a collector that adds its own members and has Gamma's object in raw
-- expects: or Gamma's event objects with their markets, which have the category of their event
-- expects: one object, an array of objects, or one per line
-- expects: lists of outcomes, of their tokens and of their prices, each an array or, as in Gamma, an array as text
-- expects: bestBid, bestAsk and lastTradePrice of the first outcome; those of the second are one dollar minus the opposite side's
-- expects: markets of Polymarket only; those of Kalshi have no ids of outcome tokens and are not imported
-- expects: a bestBid or bestAsk of 0 or 1 means that there is no such order
-- expects: a category as text, as tags or as the fee type; an unknown category becomes Other
-- rejects: a market without a list of tokens, or whose numbers of tokens and outcomes differ
-- rejects: an invalid token id, an outcome without a name, a market without a question
-- rejects: a market without a creation date (createdAt, otherwise startDate), or with one in the future
-- keeps: prices that are not from 0 to 1, invalid times and volumes, stored as NULL
-- keeps: an image URL that does not begin with http:// or https://, stored as NULL
--
-- source: slots = json
-- has: token_ids, raw
-- member: raw; Gamma's market object; its members are those below
-- member: token_ids; ids of the outcome tokens, in the order of raw.outcomes
-- member: outcome_prices; dollars paid per token, once the market is resolved
-- member: resolved; whether the outcome is settled
-- member: start_sec, end_sec; times of the market in seconds since 1970, if raw has none
-- source: events = json
-- has: markets, title
-- member: markets[]; markets with the members below
-- member: category, tags[].label; of the event: become category if the market has none
-- source: markets = json
-- has: clobTokenIds
-- member: clobTokenIds; ids of the outcome tokens: asset_id, one row each
-- member: outcomes; names of the outcomes
-- member: outcomePrices; becomes final_price, once the market is resolved
-- member: umaResolutionStatus, automaticallyResolved, closed; resolved is true if the market is closed and one of the other two says so
-- member: question, slug, conditionId, image; become the columns of these names
-- member: category, events[].category, tags[].label, events[].tags[].label, feeType; the first that is a category becomes category
-- member: createdAt; becomes created_at and date
-- member: startDate; becomes opens
-- member: eventStartTime; becomes starts
-- member: endDate; becomes resolves
-- member: closedTime; becomes closed_at
-- member: bestBid, bestAsk, lastTradePrice; become best_bid, best_ask, last_price
-- member: volume; dollars traded
-- member: updatedAt; becomes updated_at

-- step: market_records
-- One row per market, with Gamma's members as text.
WITH records AS (
  SELECT
    file,
    line,
    record AS slot,
    record -> 'raw' AS market,
    NULL::JSON AS event
  FROM slots
  UNION ALL
  SELECT
    file,
    line,
    '{}'::JSON AS slot,
    record AS market,
    NULL::JSON AS event
  FROM markets
  UNION ALL
  SELECT
    file,
    line,
    '{}'::JSON AS slot,
    unnest(record -> '$.markets[*]') AS market,
    record AS event
  FROM events
),
texts AS (
  SELECT
    file,
    line,
    coalesce(slot ->> 'token_ids', market ->> 'clobTokenIds') AS tokens_text,
    market ->> 'outcomes' AS outcomes_text,
    coalesce(slot ->> 'outcome_prices', market ->> 'outcomePrices') AS prices_text,
    coalesce(slot ->> 'condition_id', market ->> 'conditionId') AS condition_id,
    coalesce(market ->> 'slug', slot ->> 'slug') AS slug,
    present(regexp_replace(market ->> 'question', '\s+', ' ', 'g')) AS question,
    coalesce(market ->> 'image', market ->> 'icon') AS image_text,
    coalesce(market ->> 'createdAt', market ->> 'startDate') AS created_text,
    market ->> 'startDate' AS opens_text,
    coalesce(market ->> 'eventStartTime', slot ->> 'start_sec') AS starts_text,
    coalesce(market ->> 'endDate', slot ->> 'end_sec') AS resolves_text,
    market ->> 'closedTime' AS closed_text,
    market ->> 'updatedAt' AS updated_text,
    coalesce(
      (slot ->> 'resolved') = 'true',
      (market ->> 'closed') = 'true'
        AND ((market ->> 'umaResolutionStatus') = 'resolved' OR (market ->> 'automaticallyResolved') = 'true'),
      false
    ) AS resolved,
    market ->> 'bestBid' AS bid_text,
    market ->> 'bestAsk' AS ask_text,
    market ->> 'lastTradePrice' AS last_text,
    market ->> 'volume' AS volume_text,
    list_transform(
      flatten([
        [market ->> 'category'],
        market ->> '$.events[*].category',
        market ->> '$.tags[*].label',
        market ->> '$.events[*].tags[*].label',
        [event ->> 'category'],
        event ->> '$.tags[*].label',
        [regexp_extract(market ->> 'feeType', '^[a-z]+')]
      ]),
      lambda word: lower(trim(word))
    ) AS words
  FROM records
)
SELECT
  *,
  TRY_CAST(TRY_CAST(tokens_text AS JSON) AS VARCHAR[]) AS tokens,
  TRY_CAST(TRY_CAST(outcomes_text AS JSON) AS VARCHAR[]) AS outcomes,
  TRY_CAST(TRY_CAST(prices_text AS JSON) AS VARCHAR[]) AS prices,
  instant_of(created_text) AS created_at,
  instant_of(opens_text) AS opens,
  instant_of(starts_text) AS starts,
  instant_of(resolves_text) AS resolves,
  instant_of(closed_text) AS closed_at,
  instant_of(updated_text) AS updated_at,
  TRY_CAST(half_even_text(plain_number(bid_text), 6) AS DECIMAL(18, 6)) AS bid,
  TRY_CAST(half_even_text(plain_number(ask_text), 6) AS DECIMAL(18, 6)) AS ask,
  TRY_CAST(half_even_text(plain_number(last_text), 6) AS DECIMAL(18, 6)) AS last,
  TRY_CAST(half_even_text(plain_number(volume_text), 2) AS DECIMAL(18, 2)) AS volume,
  coalesce(regexp_full_match(image_text, 'https?://\S+'), false) AS has_image
FROM texts

-- dataset: prediction_markets
WITH categories (word, category) AS (
  VALUES
    ('bitcoin', 'Crypto'),
    ('crypto', 'Crypto'),
    ('ethereum', 'Crypto'),
    ('nfts', 'Crypto'),
    ('culture', 'Culture'),
    ('movies', 'Culture'),
    ('music', 'Culture'),
    ('pop culture', 'Culture'),
    ('pop-culture', 'Culture'),
    ('business', 'Finance'),
    ('earnings', 'Finance'),
    ('economics', 'Finance'),
    ('economy', 'Finance'),
    ('finance', 'Finance'),
    ('stocks', 'Finance'),
    ('chess', 'Games'),
    ('esports', 'Games'),
    ('games', 'Games'),
    ('mentions', 'Mentions'),
    ('other', 'Other'),
    ('elections', 'Politics'),
    ('geopolitics', 'Politics'),
    ('politics', 'Politics'),
    ('us-current-affairs', 'Politics'),
    ('sports', 'Sports'),
    ('weather', 'Weather')
),
judged AS (
  SELECT
    *,
    coalesce(
      CASE WHEN tokens IS NULL OR len(tokens) = 0 THEN ['tokens', 'not a list of tokens', tokens_text] END,
      CASE
        WHEN coalesce(len(outcomes) <> len(tokens), true) THEN ['outcomes', 'not one outcome per token', outcomes_text]
      END,
      CASE
        WHEN len(list_distinct(list_filter(tokens, lambda id: regexp_full_match(id, '[A-Za-z0-9_-]{1,128}'))))
          < len(tokens)
          THEN ['tokens', 'not unique token ids', tokens_text]
      END,
      CASE
        WHEN len(list_filter(outcomes, lambda outcome: trim(outcome) <> '')) < len(outcomes)
          THEN ['outcomes', 'outcome without a name', outcomes_text]
      END,
      blank_fault('question', question),
      day_fault('createdAt', created_text, created_at::DATE, $today)
    ) AS fault,
    bid IS NULL AND bid_text IS NOT NULL OR bid NOT BETWEEN 0 AND 1 AS no_bid,
    ask IS NULL AND ask_text IS NOT NULL OR ask NOT BETWEEN 0 AND 1 AS no_ask,
    last IS NULL AND last_text IS NOT NULL OR last NOT BETWEEN 0 AND 1 AS no_last,
    volume IS NULL AND volume_text IS NOT NULL OR volume < 0 AS no_volume,
    -- There are no orders at 0 or at one dollar.
    CASE WHEN bid > 0 AND bid < 1 THEN bid END AS first_bid,
    CASE WHEN ask > 0 AND ask < 1 THEN ask END AS first_ask,
    CASE WHEN last BETWEEN 0 AND 1 THEN last END AS first_last,
    coalesce(
      (
        SELECT arg_min(category, list_position(words, word))
        FROM categories
        WHERE list_contains(words, word)
      ),
      'Other'
    ) AS category
  FROM market_records
),
-- One row per token; a rejected market has a single row.
tokens AS (
  SELECT
    *,
    unnest(CASE WHEN fault IS NULL THEN range(len(tokens)) ELSE [0] END) AS place
  FROM judged
),
priced AS (
  SELECT
    *,
    TRY_CAST(half_even_text(plain_number(prices[place + 1]), 6) AS DECIMAL(18, 6)) AS price
  FROM tokens
)
SELECT
  file,
  line,
  tokens[place + 1] AS asset_id,
  created_at::DATE AS date,
  condition_id,
  slug,
  question,
  trim(outcomes[place + 1]) AS outcome,
  place::INTEGER AS outcome_index,
  category,
  CASE WHEN has_image THEN image_text END AS image,
  created_at,
  opens,
  starts,
  resolves,
  closed_at,
  resolved,
  CASE WHEN resolved AND price BETWEEN 0 AND 1 THEN price END AS final_price,
  CASE
    WHEN place = 0 THEN first_bid
    WHEN len(tokens) = 2 THEN 1 - first_ask
  END::DECIMAL(18, 6) AS best_bid,
  CASE
    WHEN place = 0 THEN first_ask
    WHEN len(tokens) = 2 THEN 1 - first_bid
  END::DECIMAL(18, 6) AS best_ask,
  CASE
    WHEN place = 0 THEN first_last
    WHEN len(tokens) = 2 THEN 1 - first_last
  END::DECIMAL(18, 6) AS last_price,
  CASE WHEN NOT no_volume THEN volume END AS volume,
  updated_at,
  fault,
  -- Warnings about the market are reported once.
  list_concat(
    CASE
      WHEN place = 0
        THEN [
          note('image', 'not a URL', image_text, image_text <> '' AND NOT has_image),
          note('startDate', 'not a time', opens_text, opens_text <> '' AND opens IS NULL),
          note('eventStartTime', 'not a time', starts_text, starts_text <> '' AND starts IS NULL),
          note('endDate', 'not a time', resolves_text, resolves_text <> '' AND resolves IS NULL),
          note('closedTime', 'not a time', closed_text, closed_text <> '' AND closed_at IS NULL),
          note('updatedAt', 'not a time', updated_text, updated_text <> '' AND updated_at IS NULL),
          note('bestBid', 'not a price from 0 to 1', bid_text, no_bid),
          note('bestAsk', 'not a price from 0 to 1', ask_text, no_ask),
          note('lastTradePrice', 'not a price from 0 to 1', last_text, no_last),
          note('volume', 'not an amount', volume_text, no_volume)
        ]
      ELSE []
    END,
    [
      note(
        'outcomePrices',
        'not a price from 0 to 1',
        coalesce(prices[place + 1], prices_text),
        resolved AND coalesce(price NOT BETWEEN 0 AND 1, true)
      )
    ]
  ) AS left_out
FROM priced
