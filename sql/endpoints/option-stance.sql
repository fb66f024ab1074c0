-- option-stance: Option contracts scored for a stance
-- path: /api/stock/{ticker}/option-stance
-- subject: Option contracts
-- description: Ranks the contracts of an underlying on one day that are in the range of the stance: by fit_score, then
--   by the stance's figure (rank_metric), then by volume, all descending, nulls last. fit_score is 5 × (0.25 iv_regime
--   + 0.30 greeks_fit + 0.20 dte_fit + 0.15 liquidity + 0.10 earnings_timing). Each component is a number from 0 to 1,
--   rounded to 4 places, and linear between the points named here.
-- description: iv_regime is the IV rank or percentile of the underlying / 100 where the stance wants a high one, 1
--   minus that where it wants a low one, and 0.5 where it is unknown. greeks_fit and dte_fit are 1 where the contract
--   fits best and decrease with the distance from there; at the ends of a range they are 0.5. liquidity is the mean of
--   volume / 100, open interest / 1000 (each at most 1) and 1 − 5 × spread / midpoint (0 from a spread of 20 % on, or
--   without a quote). earnings_timing depends on whether earnings are due before expiry.
-- description: The price of a contract is the midpoint of its last bid and offer, else the average price of the day, in
--   dollars per unit of the underlying. Earnings are before expiry if their date is between the date and the expiry,
--   both included; an unknown date counts as no earnings. pop, the probability of profit of a seller, is taken as 1 −
--   |delta|. A contract without IV or delta has neither components nor a score.
-- description: `option_symbol` scores one contract; its explanation states when the stance does not rank it. A contract
--   that the lake does not have for the ticker and day has no record. For an unknown ticker, or a day without data,
--   the context is null and `data` is empty.
-- description: In row formats (CSV, NDJSON, Arrow, Parquet), the response has the scored contracts without the context.
-- description: The stances:
--
-- The parameters of a stance are from the table of stances. Components are decimals of 4 places, and the score is
-- computed from them as shown, so that it can be checked with a pencil. least() and greatest() ignore NULLs.
-- Figures are rounded half to even. A quotient of doubles is a decimal of more digits before: no quotient of these columns
-- is closer to a half without being one. The arguments of half_even() and ratio() are columns of the step before: both
-- repeat them, and DuckDB allocates memory for each part of an expression at every run.
WITH volatility AS (
  SELECT CASE $iv_measure WHEN 'rank' THEN iv_rank ELSE iv_percentile END AS iv_place
  FROM read_parquet($option_volatility_days, hive_partitioning = false)
  WHERE ticker = $ticker
    AND date = $date
),
-- Stored, for what follows is dear to begin: DuckDB begins it twice if it is in the same pipeline as a hash join.
contracts AS MATERIALIZED (
  SELECT
    *,
    abs(delta) AS size_of_delta,
    nullif((bid + ask) * 0.5, 0) AS midpoint,
    CASE option_type WHEN 'call' THEN strike - stock_price ELSE stock_price - strike END AS otm_amount,
    coalesce(next_earnings_date >= date AND next_earnings_date <= expiry, false) AS earnings_before_expiry,
    (FROM volatility) AS iv_place
  FROM read_parquet($contract_days, hive_partitioning = false)
  WHERE underlying_symbol = $ticker
    AND date = $date
    AND ($option_type IS NULL OR option_type = $option_type)
    AND ($option_symbol IS NULL OR option_symbol = $option_symbol)
),
priced AS (
  SELECT
    *,
    coalesce(midpoint, avg_price) AS price,
    abs(ask - bid) AS distance,
    (ask - bid) * 100 / midpoint AS spread_quotient,
    -- The parts of volume and open interest in the liquidity.
    least(volume, 100) * 0.01 + least(coalesce(open_interest, 0), 1000) * 0.001 AS depth,
    1 - abs(size_of_delta - $ideal_delta) / $delta_reach AS delta_quotient
  FROM contracts
),
valued AS (
  SELECT
    *,
    half_even(spread_quotient, 11)::DECIMAL(18, 11) AS spread_percent,
    half_even(delta_quotient, 12)::DECIMAL(18, 12) AS delta_left,
    price - (abs(otm_amount) - otm_amount) * 0.5 AS extrinsic,
    CASE WHEN extrinsic > 0.01 THEN extrinsic END AS extrinsic_ranked,
    depth * coalesce(midpoint, 1) + greatest(midpoint - distance * 5, 0) AS liquid,
    coalesce(midpoint, 1) * 3000000 AS liquid_most,
    trunc(vega * 10000000000)::HUGEINT * trunc(iv * 10000000000)::HUGEINT AS vega_iv,
    CASE $rank_metric
      WHEN 'roc' THEN roc
      WHEN 'delta_per_dollar' THEN size_of_delta
      WHEN 'dte_per_extrinsic_dollar' THEN dte
      ELSE gamma
    END AS metric_above,
    CASE $rank_metric
      WHEN 'roc' THEN 1
      WHEN 'dte_per_extrinsic_dollar' THEN extrinsic_ranked
      ELSE price
    END AS metric_below
  FROM priced
),
ranged AS (
  SELECT
    *,
    dte >= $min_dte
    AND ($max_dte IS NULL OR dte <= $max_dte)
    AND ($min_delta IS NULL OR size_of_delta >= $min_delta)
    AND ($max_delta IS NULL OR size_of_delta <= $max_delta)
    AND ($price_below IS NULL OR price < $price_below)
    AND (NOT $out_of_the_money OR otm_amount > 0)
    AND (NOT $no_earnings OR NOT earnings_before_expiry)
    AND ($rank_metric <> 'dte_per_extrinsic_dollar' OR extrinsic_ranked IS NOT NULL) AS in_range,
    CASE $rank_metric
      WHEN 'vega_iv' THEN exact_ratio(vega_iv, 10000000000)
      ELSE ratio(metric_above, metric_below)
    END AS metric,
    CASE $iv_wanted WHEN 'high' THEN iv_place ELSE 100 - iv_place END * 100 AS iv_left,
    delta_left * 10000 AS delta_units,
    -- Without $ideal_dte_most, no number of days is too large. There are no halves.
    greatest(1 - greatest($ideal_dte - dte, dte - $ideal_dte_most, 0) / $dte_reach, 0) AS dte_left,
    ratio(liquid, liquid_most) * 1000000 AS liquid_units,
    CASE WHEN earnings_before_expiry THEN $earnings_before ELSE $earnings_otherwise END AS earnings_left,
    spread_percent * 100 AS spread_units
  FROM valued
),
fitted AS (
  SELECT
    *,
    CASE
      WHEN iv IS NOT NULL AND delta IS NOT NULL
        THEN {
          'iv_regime': coalesce(half_even(iv_left, 0) * 0.0001, 0.5)::DECIMAL(5, 4),
          'greeks_fit': greatest(half_even(delta_units, 0) * 0.0001, 0)::DECIMAL(5, 4),
          'dte_fit': half_even(dte_left, 4)::DECIMAL(5, 4),
          -- Without a quote, the spread counts as too wide.
          'liquidity': half_even(liquid_units, 4)::DECIMAL(5, 4),
          'earnings_timing': half_even(earnings_left, 4)::DECIMAL(5, 4)
        }
    END AS fit
  FROM ranged
  WHERE in_range
    OR $option_symbol IS NOT NULL
),
scored AS (
  SELECT
    *,
    5 * (
      0.25 * fit.iv_regime
      + 0.30 * fit.greeks_fit
      + 0.20 * fit.dte_fit
      + 0.15 * fit.liquidity
      + 0.10 * fit.earnings_timing
    ) AS score
  FROM fitted
)
SELECT
  option_symbol,
  option_type,
  strike::DOUBLE AS strike,
  expiry AS expires,
  dte,
  score::DOUBLE AS fit_score,
  fit::STRUCT(
    iv_regime DOUBLE, greeks_fit DOUBLE, dte_fit DOUBLE, liquidity DOUBLE, earnings_timing DOUBLE
  ) AS components,
  CASE
    WHEN fit IS NULL THEN ['Not scored: its implied volatility or its delta is not known.']
    ELSE [
      coalesce(
        'The IV ' || $iv_measure || ' is ' || half_even(iv_place, 2)::DECIMAL(5, 2) || ' of 100, the '
        || $iv_wanted || 'er the better: ',
        'The IV ' || $iv_measure || ' is not known and counts as middling: '
      ) || fit.iv_regime || '.',
      'The delta is ' || half_even(size_of_delta, 4)::DECIMAL(5, 4) || ' in size, '
      || $ideal_delta::DOUBLE || ' is ideal: ' || fit.greeks_fit || '.',
      'It expires in ' || dte || ' days, ' || $ideal_dte_text || ' are ideal: ' || fit.dte_fit || '.',
      'The volume is ' || volume || ', the open interest ' || coalesce(open_interest::VARCHAR, 'not known')
      || ' and the spread '
      || coalesce((half_even(spread_units, 0) * 0.01)::DECIMAL(18, 2) || ' % of the midpoint', 'not known')
      || ': ' || fit.liquidity || '.',
      CASE
        WHEN earnings_before_expiry THEN 'Earnings are due on ' || next_earnings_date || ', before it expires: '
        ELSE coalesce(
          'The earnings date known, ' || next_earnings_date || ', is not before it expires: ',
          'No earnings date is known: '
        )
      END || fit.earnings_timing || '.'
    ]
  END
  || CASE WHEN in_range THEN [] ELSE ['It is outside the range of the stance, which does not rank it.'] END
    AS explanation,
  {
    'name': $rank_metric,
    'value': metric::DOUBLE
  } AS rank_metric,
  (1 - size_of_delta)::DOUBLE AS pop,
  roc::DOUBLE AS roc,
  delta::DOUBLE AS delta,
  gamma::DOUBLE AS gamma,
  theta::DOUBLE AS theta,
  vega::DOUBLE AS vega,
  iv::DOUBLE AS iv,
  premium::DOUBLE AS premium,
  avg_price::DOUBLE AS avg_price,
  volume,
  open_interest,
  next_earnings_date,
  earnings_before_expiry
FROM scored
ORDER BY
  score DESC NULLS LAST,
  metric DESC NULLS LAST,
  volume DESC,
  option_symbol
LIMIT $limit
