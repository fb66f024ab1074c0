-- A list of 120 positions on prediction markets for each of the last three sessions; two thirds of a list are also on
-- the next one. Markets have two outcomes whose prices add up to one dollar. A token's price of the day is drawn as in
-- prediction_books.sql, so that it is within that day's book.
-- The weights of the five tags are those in src/market/prediction-tags.ts; a test compares them.
WITH tag_weights (tag, weight) AS (
  VALUES
    ('contrarian_whales', 2.5),
    ('momentum', 1.0),
    ('closing_soon', 1.5),
    ('insider_trades', 3.0),
    ('smart_money', 2.0)
),
markets AS (
  SELECT
    market,
    ['Crypto', 'Culture', 'Finance', 'Games', 'Mentions', 'Other', 'Politics', 'Sports', 'Weather'][
      1 + market % 9
    ] AS category,
    [
      'Will a bitcoin cost more than $100,000 at the end of the quarter?',
      'Will "The Lighthouse Keepers" win best film of the festival?',
      'Will the policy rate be cut at the next meeting?',
      'Will the grandmaster from Fjordheim win the blitz title?',
      'Will the mayor say "tramway" in the next address?',
      'Will the comet be seen with the naked eye?',
      'Will the county''s library levy pass?',
      'Will the Harbour Owls win the cup?',
      'Will it snow in Mapleton before the month is over?',
      'Will ether outrun bitcoin this month?',
      'Will the museum''s new wing open in spring?',
      'Will inflation come in above 3 %?',
      'Will the sequel be out before summer?',
      'Will the chair say "soft landing"?',
      'Will the bridge open on time?',
      'Will turnout exceed 60 %?',
      'Will the final go to extra time?',
      'Will the river crest above 12 feet?',
      'Will the network''s fees fall below a dollar?',
      'Will the band play an encore of three songs?',
      'Will payrolls rise by more than 150,000?',
      'Will the speed run drop below two hours?',
      'Will the anchor say "unprecedented" twice?',
      'Will the probe land before June?',
      'Will the town of Elmwood merge with Oakdale?',
      'Will the rookie finish on the podium?',
      'Will July be the warmest on record?'
    ][1 + market % 27] || CASE WHEN market >= 27 THEN ' (second round)' ELSE '' END AS question,
    -- Every sixth market closes within days, every tenth has no end date.
    CASE
      WHEN market % 10 <> 9
        THEN $to::TIMESTAMP + to_hours(
          36 + CASE
            WHEN market % 6 = 0 THEN hash($seed, 'resolves', market) % 96
            ELSE 240 + hash($seed, 'resolves', market) % 4000
          END::INTEGER
        )
    END AS resolves,
    round(0.08 + 0.84 * unit(hash($seed, 'token price', market)), 3) AS usual
  FROM range(45) AS markets (market)
),
days AS (
  SELECT
    date,
    row_number() OVER (ORDER BY date) - 1 AS day,
    min(date) OVER () AS first_day
  FROM (SELECT date FROM market_sessions ORDER BY date DESC LIMIT 3)
),
-- The subject of a position decides which tag's conditions it meets.
positions AS (
  SELECT
    position,
    position % 5 AS about,
    CASE position % 5
      WHEN 2 THEN [0, 6, 12, 18, 24, 30, 36, 42][1 + (hash($seed, 'position', position) % 8)::BIGINT]
      ELSE (hash($seed, 'position', position) % 45)::BIGINT
    END AS market,
    hash(hash($seed, 'position draw', position)) AS draw
  FROM range(200) AS positions (position)
),
bought AS (
  SELECT
    positions.*,
    markets.* EXCLUDE (market),
    -- Contrarian positions cost less than half a dollar.
    CASE WHEN about = 0 THEN usual >= 0.5 ELSE draw % 2 = 1 END AS is_no,
    CASE WHEN is_no THEN 1 - usual ELSE usual END AS cost,
    greatest(
      0.01,
      round(cost * CASE about WHEN 1 THEN 0.4 WHEN 4 THEN 0.7 ELSE 0.9 END + 0.2 * cost * unit(draw), 3)
    ) AS avg_price,
    CASE about
      WHEN 0 THEN 60000 + exp(12 * unit(hash(draw)))
      WHEN 3 THEN 25000 + exp(11 * unit(hash(draw)))
      ELSE 1500 + exp(11 * unit(hash(draw)))
    END AS invested,
    CASE about WHEN 3 THEN 1 + draw % 3 WHEN 4 THEN 15 + draw % 40 ELSE 2 + draw % 20 END AS n_positions
  FROM positions
  JOIN markets USING (market)
),
-- Positions open up to twelve days before the first list; each list is made in the evening of its session.
timed AS (
  SELECT
    *,
    date::TIMESTAMP + to_milliseconds(72000000 + (hash($seed, 'listed', position) % 7200000)::BIGINT) AS listed_at,
    first_day::TIMESTAMP
      - to_milliseconds((hash($seed, 'first trade', position) % (12 * 86400000))::BIGINT) AS first_trade_at,
    date - first_trade_at::DATE AS age,
    -- A new wallet has no earlier trades.
    CASE about WHEN 3 THEN 0 ELSE hash($seed, 'wallet age', position) % 400 END::INTEGER AS older,
    round(
      least(0.98, greatest(0.02, usual + 0.04 * (unit(hash($seed, 'token move', market, date)) - 0.5))),
      3
    ) AS yes_price,
    round(if(is_no, 1 - yes_price, yes_price), 3)::DECIMAL(18, 3) AS current_price
  FROM bought
  JOIN days ON position BETWEEN 40 * day AND 40 * day + 119
),
tagged AS (
  SELECT
    *,
    list_filter(
      [
        CASE WHEN avg_price < 0.55 AND invested >= 60000 THEN 'contrarian_whales' END,
        CASE WHEN current_price >= 1.25 * avg_price THEN 'momentum' END,
        CASE WHEN resolves < date + INTERVAL 14 DAY THEN 'closing_soon' END,
        CASE WHEN age + older <= 21 AND invested >= 25000 THEN 'insider_trades' END,
        CASE WHEN n_positions >= 15 AND current_price > avg_price THEN 'smart_money' END
      ],
      lambda tag: tag IS NOT NULL
    ) AS tags
  FROM timed
)
SELECT
  date,
  -- A token id has 77 digits, as in the markets' contracts.
  concat(
    '1',
    right(lpad(hash($seed, 'token 1', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 2', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 3', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 4', market, is_no)::VARCHAR, 20, '0'), 19)
  ) AS asset_id,
  '0x' || sha1(concat_ws('|', 'wallet', $seed, position)) AS user_address,
  question,
  CASE WHEN is_no THEN 'No' ELSE 'Yes' END AS outcome,
  category,
  round(avg_price, 6)::DECIMAL(18, 6) AS avg_price,
  current_price::DECIMAL(18, 6) AS current_price,
  round((current_price / avg_price - 1) * 100, 6)::DECIMAL(18, 6) AS pnl_percent,
  round(invested, 2)::DECIMAL(18, 2) AS total_invested_usd,
  round(ln(invested / 1500) / 0.9, 6)::DECIMAL(18, 6) AS invested_zscore,
  n_positions::INTEGER AS n_positions,
  age::INTEGER AS days_since_first_trade,
  (age + older)::INTEGER AS days_since_first_trade_overall,
  first_trade_at,
  listed_at AS created_at,
  resolves,
  CASE WHEN market % 8 <> 7 THEN 'https://images.example/markets/' || market || '.png' END AS image,
  tags,
  (
    SELECT sum(weight)
    FROM tag_weights
    WHERE list_contains(tags, tag)
  )::DECIMAL(18, 6) AS tags_score
FROM tagged
WHERE len(tags) > 0
