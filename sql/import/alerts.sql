-- alerts: notifications sent by alert configurations, one row per notification
-- address: no public source: the files are a service's export of its own notifications
-- expects: CSV with a header, with `meta` as JSON text, or JSON lines, with `meta` as an object or as JSON text
-- rejects: a missing or invalid user_noti_config_id (a UUID), and an id that is not a UUID
-- rejects: a notification without a name
-- rejects: an unknown noti_type, and a symbol_type other than stock or option_chain
-- rejects: a symbol that is missing or does not match its symbol_type: a ticker, or an option symbol (OSI)
-- rejects: a created_at or tape_time that is missing, invalid, before 2000 or in the future
-- rejects: a meta that is not a single JSON object
-- rows: alone
--
-- source: alerts = csv, ndjson
-- optional: id = id; UUID; if missing, derived from the other columns except name and meta
-- column: user_noti_config_id = user_noti_config_id, config_id; UUID
-- column: name = name
-- column: noti_type = noti_type
-- column: symbol = symbol; ticker or option symbol, in any case, with or without spaces in the root
-- column: symbol_type = symbol_type
-- column: created_at = created_at; ISO 8601, UTC unless it has an offset, or seconds or milliseconds since 1970
-- column: tape_time = tape_time; as created_at
-- column: meta = meta; stored unchanged
-- optional: owner = owner; who may see the alert. Default: everyone with access to the route
--
-- An owner restricts who sees an alert, so no text may be lost: every text is an owner, even N/A.
-- dataset: alerts
WITH read AS (
  SELECT
    *,
    lower(symbol_type) AS kind,
    CASE kind WHEN 'option_chain' THEN option_symbol_of(symbol) ELSE ticker_of(symbol) END AS written,
    instant_of(created_at) AS created,
    instant_of(tape_time) AS taped,
    TRY_CAST(id AS UUID) AS given_id,
    TRY_CAST(user_noti_config_id AS UUID) AS config_id
  FROM alerts
)
SELECT
  file,
  line,
  coalesce(
    given_id,
    uuid_named(concat_ws('|', 'alert', config_id, noti_type, written, kind, created, taped, coalesce(owner, '')))
  ) AS id,
  created::DATE AS date,
  config_id AS user_noti_config_id,
  name,
  lower(noti_type) AS noti_type,
  written AS symbol,
  kind AS symbol_type,
  created AS created_at,
  taped AS tape_time,
  meta,
  owner,
  coalesce(
    CASE WHEN id IS NOT NULL AND given_id IS NULL THEN ['id', 'not a UUID', id] END,
    blank_fault('user_noti_config_id', user_noti_config_id),
    CASE WHEN config_id IS NULL THEN ['user_noti_config_id', 'not a UUID', user_noti_config_id] END,
    blank_fault('name', name),
    blank_fault('noti_type', noti_type),
    CASE
      WHEN lower(noti_type) NOT IN (
        'stock', 'news', 'earnings', 'dividends', 'splits', 'option_contract', 'price_target', 'analyst_rating',
        'option_contract_interval', 'insider_trades', 'trading_state', 'fda', 'economic_release', 'politician_trades',
        'market_tide', 'sec_filings', 'flow_alerts', 'chain_oi_change', 'gex'
      )
        THEN ['noti_type', 'unknown notification type', noti_type]
    END,
    blank_fault('symbol_type', symbol_type),
    CASE
      WHEN kind NOT IN ('stock', 'option_chain') THEN ['symbol_type', 'neither stock nor option_chain', symbol_type]
    END,
    CASE kind WHEN 'option_chain' THEN option_symbol_fault('symbol', symbol) ELSE ticker_fault('symbol', symbol) END,
    blank_fault('created_at', created_at),
    CASE WHEN created IS NULL THEN ['created_at', 'not a time', created_at] END,
    CASE
      WHEN created::DATE NOT BETWEEN DATE '2000-01-01' AND $today::DATE + 1
        THEN ['created_at', 'before 2000 or in the future', created_at]
    END,
    blank_fault('tape_time', tape_time),
    CASE WHEN taped IS NULL THEN ['tape_time', 'not a time', tape_time] END,
    CASE
      WHEN taped::DATE NOT BETWEEN DATE '2000-01-01' AND $today::DATE + 1
        THEN ['tape_time', 'before 2000 or in the future', tape_time]
    END,
    blank_fault('meta', meta),
    CASE WHEN NOT json_valid(meta) THEN ['meta', 'not JSON', meta] END,
    CASE WHEN json_type(TRY_CAST(meta AS JSON)) <> 'OBJECT' THEN ['meta', 'not a JSON object', meta] END
  ) AS fault
FROM read
