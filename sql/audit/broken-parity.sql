-- broken-parity: a call and a put of one strike and expiry are further apart than any rate or dividend explains
-- tolerance: For American options on a stock that pays dividends worth D, S - D - K <= C - P <= S - K e^(-rT) (Hull,
--   Options, Futures, and Other Derivatives, section 11.4). European options are within the same bounds. The rate r and
--   the yield of dividends are unknown here, so both bounds take 10 % a year: D = S (1 - e^(-0.1 T)), r = 0.1. Both are
--   widened by 1 % of S, at least 0.05 dollars, because the prices of stock and options are of different seconds. The
--   bid of one side is compared with the ask of the other, so that a wide spread is no finding.
-- tolerance: Excluded are sides without a valid quote, adjusted contracts (a digit ends their root; they deliver something
--   else than 100 shares), and VIX, whose options follow a future.
-- run: 5
-- finds: option_chain_days
-- reads: option_chain_days on the day
WITH quotes AS (
  SELECT
    date,
    option_symbol,
    option_symbol[:-16] AS root,
    expiry,
    strike::DOUBLE AS strike,
    option_type,
    bid::DOUBLE AS bid,
    ask::DOUBLE AS ask,
    underlying_price::DOUBLE AS stock,
    exp(-0.1 * (expiry - date) / 365) AS discount,
    greatest(0.05, 0.01 * underlying_price::DOUBLE) AS tolerance
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND bid > 0
    AND ask >= bid
    AND underlying_price > 0
    AND multiplier = 100
    AND underlying_symbol <> 'VIX'
    AND NOT regexp_matches(option_symbol, '[0-9][0-9]{6}[CP][0-9]{8}$')
)
SELECT
  call.date,
  call.option_symbol AS ticker,
  round((call.bid + call.ask - put.bid - put.ask) / 2, 4) AS value,
  format(
    'call less put is {:.2f}, and should be within {:.2f} and {:.2f}: stock {:.2f}, strike {:g}',
    (call.bid + call.ask - put.bid - put.ask) / 2,
    call.stock * call.discount - call.strike - call.tolerance,
    call.stock - call.strike * call.discount + call.tolerance,
    call.stock,
    call.strike
  ) AS reason
FROM quotes AS call
JOIN quotes AS put USING (date, root, expiry, strike)
WHERE call.option_type = 'call'
  AND put.option_type = 'put'
  AND (
    call.bid - put.ask > call.stock - call.strike * call.discount + call.tolerance
    OR call.ask - put.bid < call.stock * call.discount - call.strike - call.tolerance
  )
