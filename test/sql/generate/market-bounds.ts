/** What must hold of every market: a query that answers one number, and the numbers that are right. */
export const BOUNDS: readonly (readonly [name: string, sql: string, min: number, max: number])[] = [
  [
    'has exactly the requested number of trades per day',
    'SELECT max(abs(n - 2000)) FROM (SELECT count(*) AS n FROM option_trades GROUP BY date)',
    0,
    0,
  ],
  [
    'trades on its last three sessions',
    "SELECT count(DISTINCT date) FROM option_trades WHERE date IN ('2024-12-27', '2024-12-30', '2024-12-31')",
    3,
    3,
  ],
  ['has an id a trade', 'SELECT count(*) - count(DISTINCT id) FROM option_trades', 0, 0],
  [
    'fills at least 97 % of the trades within bid and ask',
    'SELECT avg((price BETWEEN nbbo_bid AND nbbo_ask)::INTEGER) FROM option_trades WHERE nbbo_bid IS NOT NULL',
    0.97,
    0.999,
  ],
  [
    'fills the others a cent outside',
    'SELECT max(greatest(nbbo_bid - price, price - nbbo_ask)) FROM option_trades',
    0.01,
    0.01,
  ],
  [
    'quotes the offer above the bid',
    'SELECT count(*) FROM option_trades WHERE nbbo_bid >= nbbo_ask OR nbbo_bid < 0',
    0,
    0,
  ],
  [
    'quotes chains with the offer above the bid',
    'SELECT count(*) FROM option_chain_days WHERE bid >= ask OR bid < 0',
    0,
    0,
  ],
  [
    'reckons premium by price, size and multiplier',
    'SELECT count(*) FROM option_trades WHERE premium <> price * size * multiplier',
    0,
    0,
  ],
  [
    'has liquid pairs to look at',
    `SELECT count(*) FROM option_chain_days AS c JOIN option_chain_days AS p USING (date, underlying_symbol, expiry, strike)
     WHERE c.option_type = 'call' AND p.option_type = 'put' AND c.bid > 0 AND p.bid > 0`,
    3000,
    1e6,
  ],
  [
    // A grid of a few strikes can have none near the price on the day it expires.
    'smiles: both wings above the middle of every expiry with three strikes and one within two deviations of the price',
    `SELECT count(*) FILTER (least(lowest, highest) <= middle) FROM (
       SELECT arg_min(implied_volatility, strike) AS lowest, arg_max(implied_volatility, strike) AS highest,
         arg_min(implied_volatility, abs(ln(strike / underlying_price))) AS middle, count(DISTINCT strike) AS strikes,
         min(abs(ln(strike / underlying_price)) / (implied_volatility * sqrt(greatest(1, expiry - date) / 365))) AS nearest
       FROM option_chain_days WHERE date >= '2024-12-27' GROUP BY date, underlying_symbol, expiry
     ) WHERE strikes > 2 AND nearest < 2`,
    0,
    0,
  ],
  [
    'trades a quarter and more of its volume in one in a hundred of the listed contracts',
    `SELECT min(share) FROM (
       SELECT sum(volume) FILTER (place <= listed / 100) / sum(volume) AS share FROM (
         SELECT date, volume, row_number() OVER (PARTITION BY date ORDER BY volume DESC) AS place, count(*) OVER (PARTITION BY date) AS listed
         FROM option_chain_days WHERE date >= '2024-12-27'
       ) GROUP BY date
     )`,
    0.25,
    0.95,
  ],
  [
    // Evenly spread, 2,000 trades would leave 3 or 4 in each of the busiest hundredth: less than a twentieth.
    'makes a twelfth and more of its trades in one in a hundred of the listed contracts',
    `SELECT min(share) FROM (
       SELECT sum(trades) FILTER (place <= listed / 100) / sum(trades) AS share FROM (
         SELECT date, coalesce(trades, 0) AS trades, row_number() OVER (PARTITION BY date ORDER BY trades DESC NULLS LAST) AS place, count(*) OVER (PARTITION BY date) AS listed
         FROM option_chain_days LEFT JOIN (
           SELECT date, option_chain_id AS option_symbol, count(*) AS trades FROM option_trades GROUP BY ALL
         ) USING (date, option_symbol)
         WHERE date >= '2024-12-27'
       ) GROUP BY date
     )`,
    0.08,
    0.95,
  ],
  [
    'keeps a listed contract until it expires',
    `SELECT count(*) FROM option_chain_days AS a
     JOIN (VALUES (DATE '2024-12-27', DATE '2024-12-30'), (DATE '2024-12-30', DATE '2024-12-31')) AS d (day, next) ON a.date = d.day
     LEFT JOIN option_chain_days AS b ON b.date = next AND b.option_symbol = a.option_symbol
     WHERE b.date IS NULL AND (a.expiry > next OR (a.expiry = next AND a.settlement = 'PM'))`,
    0,
    0,
  ],
  [
    'moves open interest by the volume at most, and begins new contracts at none',
    `SELECT count(*) FROM option_chain_days AS b
     JOIN (VALUES (DATE '2024-12-27', DATE '2024-12-30'), (DATE '2024-12-30', DATE '2024-12-31')) AS d (day, next) ON b.date = d.next
     LEFT JOIN option_chain_days AS a ON a.date = day AND b.option_symbol = a.option_symbol
     WHERE b.open_interest < 0 OR abs(b.open_interest - coalesce(a.open_interest, 0)) > coalesce(a.volume, 0)`,
    0,
    0,
  ],
  [
    'moves open interest at all',
    `SELECT count(*) FROM option_chain_days AS a JOIN option_chain_days AS b USING (option_symbol)
     WHERE a.date = '2024-12-30' AND b.date = '2024-12-31' AND a.open_interest <> b.open_interest`,
    100,
    1e6,
  ],
  [
    'tells a trade the open interest of its chain',
    `SELECT count(*) FROM option_trades AS t LEFT JOIN option_chain_days AS c ON c.date = t.date AND c.option_symbol = t.option_chain_id
     WHERE t.open_interest IS DISTINCT FROM c.open_interest`,
    0,
    0,
  ],
  [
    'reports volume and last price of a contract as its trades have them',
    `SELECT count(*) FROM option_chain_days AS c LEFT JOIN (
       SELECT date, option_chain_id, sum(size) AS volume, last(price ORDER BY executed_at, id) AS last
       FROM option_trades WHERE NOT canceled GROUP BY ALL
     ) AS t ON c.date = t.date AND c.option_symbol = t.option_chain_id
     WHERE c.volume <> coalesce(t.volume, 0) OR c.last IS DISTINCT FROM t.last`,
    0,
    0,
  ],
  [
    'counts the running volume in the order of the tape, without canceled trades',
    `SELECT count(*) FROM (SELECT volume, sum(CASE WHEN canceled THEN 0 ELSE size END) OVER (PARTITION BY date, option_chain_id ORDER BY executed_at, id) AS running FROM option_trades)
     WHERE volume <> running`,
    0,
    0,
  ],
  ['cancels a few', 'SELECT avg(canceled::INTEGER) FROM option_trades', 0.0003, 0.005],
  ['sweeps some', "SELECT avg((upstream_condition_detail = 'isoi')::INTEGER) FROM option_trades", 0.05, 0.12],
  [
    'trades within the session only',
    'SELECT count(*) FROM option_trades WHERE executed_at NOT BETWEEN date + INTERVAL 870 MINUTE AND date + INTERVAL 21 HOUR',
    0,
    0,
  ],
  [
    'has no quote from after its trade',
    'SELECT count(*) FROM option_trades WHERE greatest(nbbo_bid_time, nbbo_ask_time) > executed_at OR nbbo_bid_time < date + INTERVAL 870 MINUTE',
    0,
    0,
  ],
  [
    'is busier at the ends of the session than in its middle',
    `SELECT count(*) FILTER (abs(h - 17.75) > 2.75) / count(*) FILTER (abs(h - 17.75) < 0.5) FROM (SELECT epoch(executed_at - date) / 3600 AS h FROM option_trades)`,
    1.4,
    5,
  ],
  [
    'makes each daily bar of its minutes',
    `SELECT count(*) FROM daily_bars AS d JOIN (
       SELECT ticker, date, arg_min(open, start) AS o, max(high) AS h, min(low) AS l, arg_max(close, start) AS c, sum(volume) AS v, count(*) AS n
       FROM stock_bars GROUP BY ALL
     ) AS m USING (ticker, date)
     WHERE open <> o OR high <> h OR low <> l OR close <> c OR volume IS DISTINCT FROM v OR n <> 390`,
    0,
    0,
  ],
  [
    'has minutes for every ticker and generated day',
    'SELECT count(DISTINCT (ticker, date)) FROM stock_bars',
    36,
    36,
  ],
  [
    'holds open and close within high and low',
    'SELECT (SELECT count(*) FROM stock_bars WHERE greatest(open, close) > high OR least(open, close) < low OR low <= 0) + (SELECT count(*) FROM daily_bars WHERE greatest(open, close) > high OR least(open, close) < low OR low <= 0)',
    0,
    0,
  ],
  [
    'trades stocks within the bar of the minute',
    `SELECT count(*) FROM stock_trades AS t LEFT JOIN stock_bars AS b ON b.ticker = t.ticker AND b.start = date_trunc('minute', executed_at)
     WHERE b.start IS NULL OR price NOT BETWEEN low AND high`,
    0,
    0,
  ],
  [
    'trades two in five stock trades off exchange',
    "SELECT avg((exchange = 'D')::INTEGER) FROM stock_trades",
    0.36,
    0.44,
  ],
  [
    'tells stock trades apart',
    'SELECT count(*) - count(DISTINCT (date, ticker, sequence)) FROM stock_trades',
    0,
    0,
  ],
  [
    'has 2 to 4 legs an order, on one underlying, at one time, with that time in the id',
    `SELECT count(*) FROM (
       SELECT count(*) AS legs, count(DISTINCT (underlying_symbol, executed_at)) AS moments, count(DISTINCT option_chain_id) AS contracts,
         bool_and(('0x' || replace(multi_leg_id::VARCHAR, '-', '')[1:12])::BIGINT = epoch_ms(executed_at)) AS timed,
         bool_and(multi_vol = size) AS counted, any_value(multi_leg_id::VARCHAR)[15] AS version
       FROM option_trades WHERE multi_leg_id IS NOT NULL GROUP BY multi_leg_id
     ) WHERE NOT (legs BETWEEN 2 AND 4 AND moments = 1 AND contracts = legs AND timed AND counted AND version = '7')`,
    0,
    0,
  ],
  [
    'has multi-leg orders of several expiries',
    'SELECT count(*) FROM (SELECT multi_leg_id FROM option_trades WHERE multi_leg_id IS NOT NULL GROUP BY 1 HAVING count(DISTINCT expiry) > 1)',
    5,
    100,
  ],
  [
    'tells every multi-leg trade its order',
    'SELECT count(*) FROM option_trades WHERE (multi_vol > 0) <> (multi_leg_id IS NOT NULL)',
    0,
    0,
  ],
  [
    'lists deltas of every quarter of every underlying',
    `SELECT count(*) FROM (SELECT list_distinct(list(floor(abs(delta) * 4))) AS quarters FROM option_chain_days WHERE date >= '2024-12-27' AND expiry > date GROUP BY date, underlying_symbol) WHERE len(list_filter(quarters, x -> x < 4)) < 4`,
    0,
    0,
  ],
  [
    'lists options of 270 days and more',
    "SELECT min(n) FROM (SELECT count(*) FILTER (expiry >= date + 270) AS n FROM option_chain_days WHERE date >= '2024-12-27' GROUP BY date, underlying_symbol)",
    10,
    1000,
  ],
  [
    'has two months of slim chains before',
    "SELECT min(n) FROM (SELECT count(DISTINCT date) AS n FROM option_chain_days WHERE date < '2024-12-27' GROUP BY underlying_symbol)",
    40,
    40,
  ],
  [
    'declares the split of DELTA, and no other',
    "SELECT sum(if((ticker, date, new_shares, old_shares) = ('DELTA', DATE '2024-06-24', 2, 1), 1, 100)) FROM stock_splits",
    1,
    1,
  ],
  ['expects each report ahead', 'SELECT count(*) FROM tickers WHERE next_earnings_date < date', 0, 0],
  [
    'moves the next report on after each',
    `SELECT min(next_earnings_date - former) FROM (SELECT next_earnings_date, lag(next_earnings_date) OVER (PARTITION BY ticker ORDER BY date) AS former FROM tickers)
     WHERE next_earnings_date <> former`,
    85,
    97,
  ],
  [
    'has companies that report within the fortnight after the end',
    "SELECT count(DISTINCT ticker) FROM tickers WHERE next_earnings_date BETWEEN DATE '2024-12-31' AND DATE '2025-01-14'",
    1,
    9,
  ],
]
