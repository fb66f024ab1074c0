import { dataset } from '../../src/lake/store/datasets.ts'

/** A file to import: its rows as SQL, and what plain DuckDB makes of the file. */
export interface ImportFile {
  readonly format: string
  readonly dataset: string
  /** A SELECT of the file's columns, with $rows for the number of rows. */
  readonly rows: string
  /** Types of the file's columns, in order, as DuckDB's reader reads them. */
  readonly types: readonly string[]
  /** The dataset's rows of `file`, which is the file with these types, in the dataset's order. */
  readonly bare: string
}

/** Bars of 500 tickers, as a price service writes them: sorted by ticker and day. */
const DAILY_BARS: ImportFile = {
  format: 'daily-bars',
  dataset: 'daily_bars',
  rows: `
    SELECT
      DATE '2020-01-06' + (7 * (day // 5) + day % 5)::INTEGER AS "Date",
      (cents / 100)::DECIMAL(18, 4) AS "Open",
      (cents / 100 + 1.25)::DECIMAL(18, 4) AS "High",
      (cents / 100 - 1.5)::DECIMAL(18, 4) AS "Low",
      (cents / 100 + 0.305)::DECIMAL(18, 4) AS "Close",
      (cents / 103 + 0.305)::DECIMAL(18, 6) AS "Adj Close",
      hash(ticker, day) % 90000000 AS "Volume",
      format('T{:03d}', ticker) AS "Name"
    FROM (
      SELECT i // days AS ticker, i % days AS day, 2000 + hash(i) % 40000 AS cents
      FROM (SELECT i, greatest(1, $rows // 500) AS days FROM range($rows::BIGINT) AS r(i))
    )`,
  types: [
    'DATE',
    'DECIMAL(18, 6)',
    'DECIMAL(18, 6)',
    'DECIMAL(18, 6)',
    'DECIMAL(18, 6)',
    'DECIMAL(18, 6)',
    'BIGINT',
    'VARCHAR',
  ],
  bare: `
    SELECT
      "Name" AS ticker,
      "Date" AS date,
      "Open" AS open,
      "High" AS high,
      "Low" AS low,
      "Close" AS close,
      "Adj Close" AS adjusted_close,
      "Volume" AS volume
    FROM file
    ORDER BY ticker, date`,
}

/** LEAN's ticks of one day, in order of time. The plain rows have the row's number as sequence. */
const STOCK_TRADES: ImportFile = {
  format: 'stock-trades',
  dataset: 'stock_trades',
  rows: `
    SELECT
      format('T{:03d}', hash(i) % 500) AS ticker,
      DATE '2024-03-04' AS date,
      34200000 + i * 23400000 // $rows AS ms_since_midnight_et,
      ((5000 + hash(i, 1) % 20000) / 100)::DECIMAL(18, 2) AS price,
      1 + hash(i, 2) % 900 AS size,
      chr((65 + hash(i, 3) % 16)::INTEGER) AS exchange,
      ['2000', '20000001', NULL][1 + (hash(i, 4) % 3)::INTEGER] AS sale_condition_hex,
      (hash(i, 5) % 200 = 0)::INTEGER AS suspicious
    FROM range($rows::BIGINT) AS r(i)`,
  types: ['VARCHAR', 'DATE', 'BIGINT', 'DECIMAL(18, 6)', 'BIGINT', 'VARCHAR', 'VARCHAR', 'BOOLEAN'],
  bare: `
    SELECT
      date,
      ticker,
      (date + to_milliseconds(ms_since_midnight_et)) AT TIME ZONE 'America/New_York' AT TIME ZONE 'UTC' AS executed_at,
      row_number() OVER () AS sequence,
      price,
      size,
      exchange,
      sale_condition_hex AS sale_condition,
      suspicious AS canceled
    FROM file
    ORDER BY ticker, executed_at, sequence`,
}

/** Trades of one day in order of time, in 240,000 contracts. */
const TRADES = `
  SELECT
    md5(i::VARCHAR)::UUID AS id,
    DATE '2024-01-03' AS date,
    ticker AS underlying_symbol,
    ticker || strftime(expires, '%y%m%d') || upper(kind[1]) || format('{:08d}', (dollars * 1000)::INTEGER) AS option_chain_id,
    (h1 % 240000)::BIGINT AS option_symbol_id,
    kind AS option_type,
    dollars::DECIMAL(18, 3) AS strike,
    expires AS expiry,
    100 AS multiplier,
    TIMESTAMP '2024-01-03 14:30:00' + to_microseconds(i * (23400000000 // rows_all)) AS executed_at,
    paid AS price,
    units AS size,
    (paid * units * 100)::DECIMAL(18, 4) AS premium,
    (h3 % 100000)::BIGINT AS volume,
    (h4 % 50000)::BIGINT AS open_interest,
    (100 + h1 % 1000 / 10)::DECIMAL(18, 4) AS underlying_price,
    chr((65 + h2 % 16)::INTEGER) AS exchange,
    h0 % 500 = 0 AS canceled,
    h0 % 3 = 0 AS is_agg,
    if(side = 0, units, 0) AS ask_vol,
    if(side = 1, units, 0) AS bid_vol,
    if(side = 2, units, 0) AS mid_vol,
    if(side = 3, units, 0) AS no_side_vol,
    if(h3 % 8 = 0, units, 0) AS multi_vol,
    0::BIGINT AS stock_multi_vol,
    paid - 0.03 AS nbbo_bid,
    paid + 0.03 AS nbbo_ask,
    (h1 % 500)::BIGINT AS nbbo_bid_size,
    (h2 % 500)::BIGINT AS nbbo_ask_size,
    executed_at - INTERVAL 1 MILLISECOND AS nbbo_bid_time,
    executed_at - INTERVAL 2 MILLISECOND AS nbbo_ask_time,
    paid - 0.031 AS ewma_nbbo_bid,
    paid + 0.031 AS ewma_nbbo_ask,
    (h1 % 2000000000 / 2e9)::DECIMAL(18, 10) AS delta,
    (h2 % 2000000000 / 2e10)::DECIMAL(18, 10) AS gamma,
    (h3 % 2000000000 / -2e9)::DECIMAL(18, 10) AS theta,
    (h4 % 2000000000 / 2e9)::DECIMAL(18, 10) AS vega,
    (h0 % 2000000000 / 2e9)::DECIMAL(18, 10) AS rho,
    paid + 0.001 AS theo,
    (0.1 + h1 % 2000000000 / 2e9)::DECIMAL(18, 10) AS implied_volatility,
    to_json(CASE side WHEN 0 THEN ['ask_side', 'bullish'] WHEN 1 THEN ['bid_side', 'bearish'] ELSE [] END) AS tags,
    '[]' AS report_flags,
    CASE h3 % 5 WHEN 0 THEN 'isoi' WHEN 1 THEN 'mlft' ELSE 'auto' END AS upstream_condition_detail,
    'a' AS trade_code,
    NULL AS sale_condition,
    NULL AS multi_leg_id
  FROM (
    SELECT
      *,
      hash(i) AS h0, hash(i, 1) AS h1, hash(i, 2) AS h2, hash(i, 3) AS h3, hash(i, 4) AS h4,
      format('T{:03d}', h1 % 500 * (h2 % 500) // 500) AS ticker,
      if(h2 % 2 = 0, 'call', 'put') AS kind,
      50 + h1 % 200 * 2.5 AS dollars,
      DATE '2024-01-05' + (7 * (h3 % 12))::INTEGER AS expires,
      (0.05 + h4 % 20000 / 1000)::DECIMAL(18, 4) AS paid,
      (1 + h0 % 50)::BIGINT AS units,
      h2 % 4 AS side
    FROM (SELECT i, $rows::BIGINT AS rows_all FROM range($rows::BIGINT) AS r(i))
  )`

const OPTION_TRADES: ImportFile = {
  format: 'csv-option_trades',
  dataset: 'option_trades',
  rows: TRADES,
  types: dataset('option_trades').columns.map(({ type }) => type),
  bare: 'FROM file ORDER BY underlying_symbol, option_chain_id, executed_at, id',
}

/** The same trades as a vendor's tape with quotes and greeks writes them. */
const TAPE: ImportFile = {
  format: 'option-trades',
  dataset: 'option_trades',
  rows: `
    SELECT
      strftime(executed_at, '%Y-%m-%d %H:%M:%S.%f') || '+00' AS executed_at,
      underlying_symbol,
      option_chain_id,
      CASE WHEN ask_vol > 0 THEN 'ask' WHEN bid_vol > 0 THEN 'bid' WHEN mid_vol > 0 THEN 'mid' ELSE 'no_side' END AS side,
      strike, option_type, expiry, underlying_price, nbbo_bid, nbbo_ask, ewma_nbbo_bid, ewma_nbbo_ask, price, size,
      premium, volume + size AS volume, open_interest, implied_volatility, delta, theta, gamma, vega, rho, theo, exchange,
      if(canceled, 't', 'f') AS canceled,
      upstream_condition_detail
    FROM (${TRADES})`,
  types: [
    'TIMESTAMPTZ',
    'VARCHAR',
    'VARCHAR',
    'VARCHAR',
    'DECIMAL(18, 3)',
    'VARCHAR',
    'DATE',
    ...Array.from({ length: 6 }, () => 'DECIMAL(18, 4)'),
    'BIGINT',
    'DECIMAL(18, 4)',
    'BIGINT',
    'BIGINT',
    ...Array.from({ length: 6 }, () => 'DECIMAL(18, 10)'),
    'DECIMAL(18, 4)',
    'VARCHAR',
    'BOOLEAN',
    'VARCHAR',
  ],
  bare: `
    SELECT
      md5(concat(option_chain_id, executed_at, price, size, exchange))::UUID AS id,
      executed_at::DATE AS date,
      underlying_symbol,
      option_chain_id,
      NULL::BIGINT AS option_symbol_id,
      option_type,
      strike,
      expiry,
      100 AS multiplier,
      executed_at AT TIME ZONE 'UTC' AS executed_at,
      price,
      size,
      premium,
      volume,
      open_interest,
      underlying_price,
      exchange,
      canceled,
      false AS is_agg,
      if(side = 'ask', size, 0) AS ask_vol,
      if(side = 'bid', size, 0) AS bid_vol,
      if(side = 'mid', size, 0) AS mid_vol,
      if(side = 'no_side', size, 0) AS no_side_vol,
      if(upstream_condition_detail = 'mlft', size, 0) AS multi_vol,
      0::BIGINT AS stock_multi_vol,
      nbbo_bid,
      nbbo_ask,
      NULL::BIGINT AS nbbo_bid_size,
      NULL::BIGINT AS nbbo_ask_size,
      NULL::TIMESTAMP AS nbbo_bid_time,
      NULL::TIMESTAMP AS nbbo_ask_time,
      ewma_nbbo_bid,
      ewma_nbbo_ask,
      delta,
      gamma,
      theta,
      vega,
      rho,
      theo,
      implied_volatility,
      [side || '_side'] AS tags,
      if(canceled, ['canceled'], []) AS report_flags,
      upstream_condition_detail,
      NULL AS trade_code,
      NULL AS sale_condition,
      NULL::UUID AS multi_leg_id
    FROM file
    ORDER BY underlying_symbol, option_chain_id, executed_at, id`,
}

export const IMPORT_FILES: readonly ImportFile[] = [DAILY_BARS, STOCK_TRADES, OPTION_TRADES, TAPE]
