-- stock_trades: about 200 trades per stock or ETF on the days from $from to $to, each within its minute's bar: its price
-- between low and high, and the sizes of a minute's trades, cancelled ones included, at most its volume.
WITH days AS (
  SELECT
    tickers.number,
    tickers.ticker,
    sessions.date,
    opens,
    epoch_us(closes) - epoch_us(opens) AS span,
    150 + (hash($seed, 'stock trades', tickers.number, sessions.date) % 101)::INTEGER AS trades
  FROM market_tickers AS tickers
  CROSS JOIN market_sessions AS sessions
  WHERE sessions.date BETWEEN $from AND $to AND issue_type <> 'Index'
),
draws AS (
  SELECT
    number,
    ticker,
    date,
    opens,
    span,
    trade,
    hash($seed, 'stock trade', number, date, trade) AS h,
    hash($seed, 'stock trade, time', number, date, trade) AS t
  FROM (SELECT *, unnest(range(trades)) AS trade FROM days)
),
timed AS (
  SELECT
    *,
    floor(span * moment(h, t))::BIGINT AS offset_us
  FROM draws
),
priced AS (
  SELECT
    timed.ticker,
    timed.date,
    opens + to_microseconds(offset_us) AS executed_at,
    trade,
    h,
    low + round((round(100 * (high - low))::BIGINT + 1) * unit16(h, 1) - 0.5)::BIGINT / 100 AS price,
    -- Usually round lots; a third are odd lots, one in fifty is a block.
    CASE
      WHEN unit16(h, 2) < 0.33e0 THEN 1 + (h >> 5) % 99
      WHEN unit16(h, 2) < 0.98e0 THEN 100 * (1 + (h >> 5) % 9)
      ELSE 10000 + 100 * ((h >> 5) % 400)
    END::BIGINT AS wanted,
    -- The equal share of the minute's volume, in round lots if it is one at least.
    volume // count(*) OVER (PARTITION BY timed.number, timed.date, minutes.minute) AS share,
    least(wanted, CASE WHEN share < 100 THEN share ELSE share // 100 * 100 END) AS size
  FROM timed
  JOIN market_minutes AS minutes
    ON minutes.number = timed.number AND minutes.date = timed.date AND minutes.minute = offset_us // 60000000
)
SELECT
  date,
  ticker,
  executed_at,
  row_number() OVER (PARTITION BY date, ticker ORDER BY executed_at, trade) AS sequence,
  round(price, 2)::DECIMAL(18, 2)::DECIMAL(18, 6) AS price,
  size,
  CASE
    WHEN unit16(h, 3) < 0.4e0 THEN 'D'
    ELSE pick(hash($seed, 'venue', ticker, date, trade), ['N', 'Q', 'P', 'Z', 'K', 'J', 'Y', 'V', 'B', 'X', 'A', 'C', 'U', 'L', 'M', 'H'])
  END AS exchange,
  CASE WHEN size < 100 THEN 'odd_lot' WHEN unit16(h, 2) >= 0.995e0 THEN 'average_price' END AS sale_condition,
  hash($seed, 'stock trade, canceled', ticker, date, trade) % 400 = 0 AS canceled
FROM priced
WHERE size > 0
