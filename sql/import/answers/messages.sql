-- source: alerts = json
-- has: user_noti_config_id, noti_type, symbol_type, tape_time
-- member: id, user_noti_config_id, name, noti_type, meta; become the columns of these names
-- member: symbol, symbol_type, created_at, tape_time; become the columns of these names
--
-- source: potus_posts = json
-- has: post, timestamp
-- member: post; the text
-- member: timestamp; milliseconds since 1970
-- dataset: alerts
WITH notifications AS (
  SELECT
    file,
    line,
    record ->> 'id' AS id,
    record ->> 'user_noti_config_id' AS user_noti_config_id,
    record ->> 'name' AS name,
    record ->> 'noti_type' AS noti_type,
    record ->> 'symbol' AS symbol,
    record ->> 'symbol_type' AS symbol_type,
    record ->> 'created_at' AS created_at,
    record ->> 'tape_time' AS tape_time,
    (record -> 'meta')::VARCHAR AS meta,
    json_type(record -> 'meta') AS meta_type
  FROM alerts
)
SELECT
  file,
  line,
  TRY_CAST(id AS UUID) AS id,
  instant_of(created_at)::DATE AS date,
  TRY_CAST(user_noti_config_id AS UUID) AS user_noti_config_id,
  name,
  lower(noti_type) AS noti_type,
  if(symbol_type = 'stock', ticker_of(symbol), option_symbol_of(symbol)) AS symbol,
  symbol_type,
  instant_of(created_at) AS created_at,
  instant_of(tape_time) AS tape_time,
  meta,
  NULL::VARCHAR AS owner,
  coalesce(
    CASE
      WHEN symbol_type NOT IN ('stock', 'option_chain')
        THEN ['symbol_type', 'neither stock nor option_chain', symbol_type]
    END,
    if(symbol_type = 'stock', ticker_fault('symbol', symbol), option_symbol_fault('symbol', symbol)),
    blank_fault('noti_type', noti_type),
    CASE WHEN meta_type <> 'OBJECT' THEN ['meta', 'not a JSON object', meta] END,
    blank_fault('id', id),
    unread_fault('id', 'not a UUID', id, TRY_CAST(id AS UUID)),
    blank_fault('user_noti_config_id', user_noti_config_id),
    unread_fault('user_noti_config_id', 'not a UUID', user_noti_config_id, TRY_CAST(user_noti_config_id AS UUID)),
    blank_fault('name', name),
    blank_fault('symbol_type', symbol_type),
    blank_fault('created_at', created_at),
    unread_fault('created_at', 'not a time', created_at, instant_of(created_at)),
    blank_fault('tape_time', tape_time),
    unread_fault('tape_time', 'not a time', tape_time, instant_of(tape_time)),
    blank_fault('meta', meta)
  ) AS fault
FROM notifications

-- The answer has no ids. A post that the lake has keeps its id.
-- dataset: posts
WITH texts AS (
  SELECT
    file,
    line,
    record ->> 'post' AS post,
    record ->> 'timestamp' AS timestamp,
    date_trunc('milliseconds', instant_of(timestamp)) AS instant
  FROM potus_posts
),
known AS (
  SELECT
    timestamp AS instant,
    post,
    min(id) AS id
  FROM held_posts
  GROUP BY ALL
)
SELECT
  file,
  line,
  coalesce(id, uuid_named(concat_ws('|', 'saved post', epoch_ms(instant), post))::VARCHAR) AS id,
  instant::DATE AS date,
  instant AS timestamp,
  post,
  coalesce(
    blank_fault('timestamp', timestamp),
    unread_fault('timestamp', 'not a time', timestamp, date_trunc('milliseconds', instant_of(timestamp))),
    blank_fault('post', post)
  ) AS fault
FROM texts
LEFT JOIN known USING (instant, post)
