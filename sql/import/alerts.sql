-- alerts: notifications that alert configurations raised, one row a notification
-- address: none that is public: such files are a service's own export of the notifications that it raised
-- expects: CSV with a header, with `meta` as JSON text, or JSON lines, with `meta` as an object or its text
-- rejects: a user_noti_config_id that is missing or no UUID, an id that is no UUID
-- rejects: a notification without a name
-- rejects: a noti_type that the API does not list, a symbol_type other than stock and option_chain
-- rejects: a symbol that is missing, or none of its symbol_type: a ticker, an option symbol (OSI)
-- rejects: a created_at or tape_time that is missing, none, before 2000 or in the future
-- rejects: a meta that is not one JSON object
-- rows: alone
--
-- source: alerts = csv, ndjson
-- optional: id = id; UUID; where missing made of the other columns but name and meta
-- column: user_noti_config_id = user_noti_config_id, config_id; UUID
-- column: name = name
-- column: noti_type = noti_type
-- column: symbol = symbol; ticker or option symbol, in any case, its root padded or not
-- column: symbol_type = symbol_type
-- column: created_at = created_at; ISO 8601, UTC unless it has an offset, or seconds or milliseconds since 1970
-- column: tape_time = tape_time; likewise
-- column: meta = meta; kept as it is written
-- optional: owner = owner; who may see it; missing: everyone with the route
--
-- An owner restricts who sees an alert, so no reading may lose one: every text is taken as it stands, N/A as well.
-- dataset: alerts
WITH read AS (
  SELECT
    *,
    lower(symbol_type) AS kind,
    CASE kind WHEN 'option_chain' THEN option_symbol_of(symbol) ELSE upper(symbol) END AS written,
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
        THEN ['noti_type', 'not a kind of notification', noti_type]
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
