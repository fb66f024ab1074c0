-- market_plants: planted orders that trigger every flow rule on every day, independent of the random tape: bursts of
-- trades within 100 ms; floor trades of each market-cap tier, before earnings and above usual volume; and sweeps
-- followed by a floor trade. Premiums exceed the threshold of the highest tier. One row per trade.
WITH plans (plan, part, trades, starts_us, gap_us, aim_from, aim_to, code, premium, tier) AS (
  -- aim is the position of the fill between bid (0) and ask (1); premium is the total of the part's trades, dollars.
  VALUES
    (0, 0, 8, 0, 7000, 1.0, 1.0, 0, 150000, 'any'),
    (1, 0, 7, 0, 9000, 0.0, 1.0, 1, 150000, 'any'),
    (2, 0, 7, 0, 11000, 1.0, 0.0, 0, 150000, 'any'),
    (3, 0, 9, 0, 5000, 0.0, 0.0, 2, 150000, 'any'),
    (4, 0, 1, 0, 0, 1.0, 1.0, 6, 90000, 'small'),
    (5, 0, 1, 0, 0, 1.0, 1.0, 6, 160000, 'middle'),
    (6, 0, 1, 0, 0, 0.0, 0.0, 6, 400000, 'large'),
    (7, 0, 1, 0, 0, 1.0, 1.0, 6, 60000, 'earnings'),
    (8, 0, 1, 0, 0, 1.0, 1.0, 6, 60000, 'any'),
    (9, 0, 12, 0, 21000000, 1.0, 1.0, 1, 60000, 'any'),
    (9, 1, 1, 260000000, 0, 1.0, 1.0, 6, 160000, 'any')
),
-- The tiers of the floor rules: below 10, below 100 and from 100 billion dollars.
candidates AS (
  SELECT *, 'any' AS tier FROM market_today
  UNION ALL
  SELECT
    *,
    CASE WHEN marketcap < 10e9 THEN 'small' WHEN marketcap < 100e9 THEN 'middle' ELSE 'large' END
  FROM market_today
  UNION ALL
  SELECT *, 'earnings' FROM market_today WHERE next_earnings_date BETWEEN date + 1 AND date + 14
),
placed AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY tier ORDER BY ticker_number) - 1 AS place,
    count(*) OVER (PARTITION BY tier) AS places
  FROM candidates
),
-- In a large market the set repeats on other tickers.
copied AS (
  SELECT
    plan,
    copy,
    placed.* EXCLUDE (tier),
    plans.tier
  FROM (SELECT DISTINCT plan, tier FROM plans) AS plans
  CROSS JOIN range(greatest(1, least(40, $trades // 20000))) AS copies (copy)
  JOIN placed ON placed.tier = plans.tier AND place = (copy + session + 3 * plan) % places
),
-- Contracts slightly out of the money that expire within 60 days and have a price, best first. Before earnings, only
-- those that expire after the report; above usual volume, those with little volume so far.
ranked AS (
  SELECT
    copied.plan,
    copied.copy,
    copied.tier,
    copied.opens,
    copied.span_us,
    chain.*,
    row_number() OVER (
      PARTITION BY copied.plan, copied.copy
      ORDER BY
        (copied.tier = 'earnings' AND expiry <= copied.next_earnings_date)::INTEGER
          + (copied.plan = 8 AND coalesce(peak_volume, 1000) > 20)::INTEGER
          + (expiry - chain.date NOT BETWEEN 5 AND 60)::INTEGER
          + 2 * (theo < 0.2 OR abs(delta) NOT BETWEEN 0.08 AND 0.46)::INTEGER,
        hash($seed, 'plant', copied.plan, copied.copy, option_symbol_id, chain.date),
        chain.number
    ) AS rank
  FROM copied
  JOIN market_chain AS chain USING (ticker_number)
),
-- A plan avoids the first and last 5 % of the session and the four minutes that the longest plan takes.
started AS (
  SELECT
    *,
    round(span_us * (0.05e0 + 0.85e0 * unit(hash($seed, 'plant, time', plan, copy, date))))::BIGINT AS begin_us
  FROM ranked
  WHERE rank = 1
),
-- The quote at the start of the part, from which sizes are computed for the premium.
priced AS (
  SELECT
    started.*,
    part,
    trades,
    gap_us,
    aim_from,
    aim_to,
    code,
    premium,
    begin_us + starts_us AS part_us,
    price_within(open::DOUBLE, close::DOUBLE, begin_us + starts_us) AS price
  FROM started
  JOIN plans USING (plan)
  JOIN market_minutes AS minutes
    ON minutes.number = started.ticker_number AND minutes.date = started.date
    AND minute = (begin_us + starts_us) // 60000000
),
valued AS (
  SELECT
    *,
    ln(price / k_now) / deviation + deviation / 2e0 AS d1_now,
    greatest(0.01e0, option_value(
      carry,
      price,
      k_now,
      normal_cdf(d1_now) - CASE WHEN is_call THEN 0e0 ELSE 1e0 END,
      normal_cdf(d1_now - deviation) - CASE WHEN is_call THEN 0e0 ELSE 1e0 END
    )) AS value
  FROM priced
)
SELECT
  number,
  plan,
  copy,
  part,
  trade,
  part_us AS quoted_us,
  part_us + trade * gap_us AS offset_us,
  -- A bid of zero counts as one cent; the size is then large.
  greatest(
    ceil(premium / trades / greatest(1, quote_bid(value, quote_margin(value, delta))))::BIGINT,
    CASE plan WHEN 0 THEN open_interest + 1 WHEN 8 THEN 6 * coalesce(peak_volume, 0) + 10 ELSE 1 END
  ) AS size,
  CASE WHEN trades > 1 THEN aim_from + (aim_to - aim_from) * trade / (trades - 1) ELSE aim_from END AS aim,
  code::UTINYINT AS code
FROM (SELECT *, unnest(range(trades)) AS trade FROM valued)
-- Never more than a quarter of the day.
QUALIFY row_number() OVER (ORDER BY copy, plan, part, trade) <= $trades // 4
