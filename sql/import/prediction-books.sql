-- prediction-books: full order books of the outcome tokens of prediction markets, from Polymarket, JSON
-- address: https://docs.polymarket.com/api-reference/market-data/get-order-book
-- address: https://github.com/Ligengxin96/polymarket-data-samples
-- expects: books as sent by the CLOB API and its market channel, or those of a collector with the book in payload
-- expects: the time of the book in milliseconds since 1970: timestamp or event_ts_ms, otherwise recv_ms, when it was received
-- expects: levels {"price", "size"} in any order, each price once; they are sorted, best first
-- rejects: a book without a token id or a time, or with a time in the future
-- rejects: a book whose bids or asks are missing or not a list, or with a level whose price is not from 0 to 1 or whose size is invalid
-- keeps: a book with levels of size zero, without these levels
-- keeps: a book whose best bid is not below its best ask
-- rows: alone
--
-- source: books = ndjson
-- column: asset_id = asset_id; id of the outcome token
-- optional: event_time = event_ts_ms, timestamp; time of the book
-- optional: received = recv_ms; time of the book if there is no other
-- optional: payload = payload; the collector's book, with bids and asks
-- optional: bids = bids; levels, if there is no payload
-- optional: asks = asks; levels, if there is no payload
--
-- An invalid level makes the whole book unusable, because the best price or the liquidity may depend on it.

-- dataset: prediction_books
WITH records AS (
  SELECT
    file,
    line,
    asset_id,
    coalesce(event_time, received) AS time_text,
    coalesce(TRY_CAST(payload AS JSON) -> 'bids', TRY_CAST(bids AS JSON)) AS bids_json,
    coalesce(TRY_CAST(payload AS JSON) -> 'asks', TRY_CAST(asks AS JSON)) AS asks_json
  FROM books
),
-- Each list is parsed once; a level that is not an object has NULL as price and size.
texts AS (
  SELECT
    *,
    date_trunc('milliseconds', instant_of(time_text)) AS timestamp,
    CASE WHEN json_type(bids_json) = 'ARRAY' THEN from_json(bids_json, '[{"price": "VARCHAR", "size": "VARCHAR"}]') END
      AS bid_texts,
    CASE WHEN json_type(asks_json) = 'ARRAY' THEN from_json(asks_json, '[{"price": "VARCHAR", "size": "VARCHAR"}]') END
      AS ask_texts
  FROM records
),
levels AS (
  SELECT
    *,
    list_transform(
      bid_texts,
      lambda level: {
        'price': CASE
          WHEN regexp_full_match(level.price, '[\d.]+') THEN TRY_CAST(half_even_text(level.price, 6) AS DECIMAL(18, 6))
        END,
        'size': CASE
          WHEN regexp_full_match(level.size, '[\d.]+') THEN TRY_CAST(half_even_text(level.size, 6) AS DECIMAL(18, 6))
        END
      }
    ) AS all_bids,
    list_transform(
      ask_texts,
      lambda level: {
        'price': CASE
          WHEN regexp_full_match(level.price, '[\d.]+') THEN TRY_CAST(half_even_text(level.price, 6) AS DECIMAL(18, 6))
        END,
        'size': CASE
          WHEN regexp_full_match(level.size, '[\d.]+') THEN TRY_CAST(half_even_text(level.size, 6) AS DECIMAL(18, 6))
        END
      }
    ) AS all_asks
  FROM texts
),
judged AS (
  SELECT
    *,
    -- The first invalid level, counted from 1.
    list_position(
      list_transform(all_bids, lambda level: coalesce(level.price <= 1 AND level.size IS NOT NULL, false)),
      false
    ) AS bad_bid,
    list_position(
      list_transform(all_asks, lambda level: coalesce(level.price <= 1 AND level.size IS NOT NULL, false)),
      false
    ) AS bad_ask,
    -- Structs are compared by their first members first.
    list_reverse_sort(list_filter(all_bids, lambda level: level.size > 0)) AS bids,
    list_sort(list_filter(all_asks, lambda level: level.size > 0)) AS asks,
    list_filter(all_bids, lambda level: level.size = 0) AS empty_bids,
    list_filter(all_asks, lambda level: level.size = 0) AS empty_asks
  FROM levels
)
SELECT
  file,
  line,
  timestamp::DATE AS date,
  asset_id,
  timestamp,
  list_transform(bids, lambda level: level.price) AS bid_prices,
  list_transform(bids, lambda level: level.size) AS bid_sizes,
  list_transform(asks, lambda level: level.price) AS ask_prices,
  list_transform(asks, lambda level: level.size) AS ask_sizes,
  coalesce(
    blank_fault('asset_id', asset_id),
    CASE
      WHEN NOT regexp_full_match(asset_id, '[A-Za-z0-9_-]{1,128}') THEN ['asset_id', 'not a token id', asset_id]
    END,
    blank_fault('timestamp', time_text),
    CASE WHEN timestamp IS NULL THEN ['timestamp', 'not a time', time_text] END,
    day_fault('timestamp', time_text, timestamp::DATE, $today),
    CASE WHEN all_bids IS NULL THEN ['bids', 'not a list of levels', bids_json::VARCHAR] END,
    CASE WHEN all_asks IS NULL THEN ['asks', 'not a list of levels', asks_json::VARCHAR] END,
    CASE
      WHEN bad_bid > 0
        THEN ['bids', 'a level without a size or a price from 0 to 1', (bids_json -> (bad_bid - 1)::BIGINT)::VARCHAR]
    END,
    CASE
      WHEN bad_ask > 0
        THEN ['asks', 'a level without a size or a price from 0 to 1', (asks_json -> (bad_ask - 1)::BIGINT)::VARCHAR]
    END
  ) AS fault,
  list_concat(
    list_transform(empty_bids, lambda level: ['bids', 'a level of size zero', level.price::VARCHAR]),
    list_transform(empty_asks, lambda level: ['asks', 'a level of size zero', level.price::VARCHAR]),
    [
      note(
        'bids',
        'the best bid is not below the best ask',
        bids[1].price::VARCHAR,
        coalesce(bids[1].price >= asks[1].price, false)
      )
    ]
  ) AS left_out
FROM judged
