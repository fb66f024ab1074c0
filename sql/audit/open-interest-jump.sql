-- open-interest-jump: open interest changes by more contracts than were traded on the day before
-- tolerance: A trade opens or closes at most as many contracts as its size, so that the change until the next morning is
--   at most the volume. Counted is what exceeds it by 5 %, at least 10 contracts, because clearing houses correct
--   trades. Exercise reduces open interest without volume: a fall counts only for contracts out of the money.
-- tolerance: Two rows are compared only if their dates are successive sessions.
-- run: 5
-- finds: option_chain_days
-- reads: option_chain_days 1 date before
WITH chain AS (
  SELECT date, option_symbol, option_type, strike, open_interest, volume, underlying_price
  FROM read_parquet($option_chain_days, hive_partitioning = false)
)
SELECT
  chain.date,
  chain.option_symbol AS ticker,
  chain.open_interest AS value,
  format(
    'open interest {} after {}, with a volume of {} on {}',
    chain.open_interest,
    last.open_interest,
    last.volume,
    last.date
  ) AS reason
FROM chain
JOIN sessions ON sessions.date = chain.date
JOIN chain AS last ON last.date = sessions.previous AND last.option_symbol = chain.option_symbol
WHERE chain.date BETWEEN $from AND $to
  AND abs(chain.open_interest - last.open_interest) > last.volume + greatest(10, 0.05 * last.volume)
  AND (
    chain.open_interest > last.open_interest
    OR if(last.option_type = 'call', last.strike > last.underlying_price, last.strike < last.underlying_price)
  )
