-- alerts: Alerts raised by alert configurations
-- path: /api/alerts
-- subject: Alerts
-- description: Newest first; alerts of the same instant are in the order of their `id`. A response covers at most 14
--   days: the 14 days before `older_than`; without it, the 14 days after `newer_than`; without either, the 14 days
--   before now. With both, the response starts at the later of `newer_than` and the start of these 14 days. Now is the
--   end of the latest date of alerts in the lake, or the current minute if that is earlier.
-- description: `newer_than` and `older_than` are exclusive. A bound that follows from the 14 days is inclusive, so that
--   the next 14 days start where these end.
-- description: The header `Link` has the address of the next page of these 14 days. A page ends before alerts of one
--   `created_at` that do not all fit; the next page also follows from the `created_at` of the last record as `older_than`.
--   If the first alerts of a page have one `created_at` and are more than `limit`, the page has the first `limit` of them,
--   and only `Link` leads to the rest, with `older_than=<time>/<position>`: whoever passes the time alone misses them.
-- description: An alert with an owner is visible to tokens of that owner and to admins, an alert without an owner to
--   all tokens. `meta` is the raw data of the alert; its members depend on `noti_type`. Data that are not a JSON object
--   are in the member `text`.
--
-- $newer_than and $older_than are the bounds of the window, both exclusive. $closings are the weekdays around it
-- without trading. $roots are option roots that differ from the ticker of their underlying, $underlyings these tickers.
-- A digit at either end of a root marks adjusted and FLEX contracts; the ticker of an underlying has none.
WITH placed AS (
  SELECT
    *,
    trim(left(symbol, -15), '0123456789') AS root,
    CASE symbol_type
      WHEN 'option_chain' THEN coalesce(list_extract($underlyings, list_position($roots, root)), root)
      ELSE symbol
    END AS ticker,
    tape_time AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York' AS tape_clock
  FROM read_parquet($alerts, hive_partitioning = false)
  WHERE created_at > $newer_than
    AND created_at < $older_than
    AND (owner IS NULL OR owner = $owner OR $admin)
    AND ($config_ids IS NULL OR list_contains($config_ids, user_noti_config_id::VARCHAR))
    AND ($noti_types IS NULL OR list_contains($noti_types, noti_type))
)
SELECT
  id,
  user_noti_config_id,
  name,
  noti_type,
  symbol,
  symbol_type,
  created_at,
  tape_time,
  CASE json_type(try_cast(meta AS JSON))
    WHEN 'OBJECT' THEN try_cast(meta AS JSON)
    ELSE json_object('text', meta)
  END AS meta
FROM placed
WHERE ($symbols IS NULL OR list_contains($symbols, ticker))
  AND ($symbols_excluded IS NULL OR NOT list_contains($symbols_excluded, ticker))
  AND (
    NOT $intraday_only
    OR (
      isodow(tape_clock) <= 5
      AND NOT list_contains($closings, tape_clock::DATE)
      AND tape_clock::TIME >= TIME '04:00:00'
      AND tape_clock::TIME <= TIME '20:00:00'
    )
  )
ORDER BY
  created_at DESC,
  id
LIMIT $limit
