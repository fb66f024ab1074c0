-- The markets of prediction_positions.sql after the last session, one row for each of their two outcomes, and four
-- settled markets. Questions, end dates, token ids and prices are drawn as there, and the best prices are those of the
-- last book in prediction_books.sql.
WITH last_day AS (
  SELECT max(date) AS date
  FROM market_sessions
),
questions AS (
  SELECT
    market,
    market >= 45 AS resolved,
    ['Crypto', 'Culture', 'Finance', 'Games', 'Mentions', 'Other', 'Politics', 'Sports', 'Weather'][
      1 + market % 9
    ] AS category,
    CASE
      WHEN resolved
        THEN [
          'Did a bitcoin gain more than 5 % within a day?',
          'Did the season''s first play sell out?',
          'Did the policy rate stay where it was?',
          'Did the speed run take less than three hours?'
        ][market - 44]
      ELSE [
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
      ][1 + market % 27] || CASE WHEN market >= 27 THEN ' (second round)' ELSE '' END
    END AS question,
    CASE
      WHEN resolved THEN $to::TIMESTAMP - to_hours(24 + (hash($seed, 'resolves', market) % 96)::INTEGER)
      WHEN market % 10 <> 9
        THEN $to::TIMESTAMP + to_hours(
          36 + CASE
            WHEN market % 6 = 0 THEN hash($seed, 'resolves', market) % 96
            ELSE 240 + hash($seed, 'resolves', market) % 4000
          END::INTEGER
        )
    END AS resolves,
    -- Long before the first trade of any wallet.
    $to::TIMESTAMP - to_days(40 + (hash($seed, 'market made', market) % 200)::INTEGER)
      + to_milliseconds((hash($seed, 'market made at', market) % 86400000)::BIGINT) AS created_at,
    round(0.08 + 0.84 * unit(hash($seed, 'token price', market)), 3) AS usual,
    date
  FROM range(49) AS markets (market)
  CROSS JOIN last_day
),
-- Prices in thousandths of a dollar; a settled market has no orders.
priced AS (
  SELECT
    *,
    outcome = 1 AS is_no,
    2 * market + outcome AS token,
    round(
      1000 * least(0.98, greatest(0.02, usual + 0.04 * (unit(hash($seed, 'token move', market, date)) - 0.5)))
    )::INTEGER AS yes_price,
    CASE WHEN is_no THEN 1000 - yes_price ELSE yes_price END AS price,
    1 + (hash(hash($seed, 'book', token, date)) % 4)::INTEGER AS near,
    hash($seed, 'market settled', market) % 2 AS won
  FROM questions
  CROSS JOIN range(2) AS outcomes (outcome)
)
SELECT
  concat(
    '1',
    right(lpad(hash($seed, 'token 1', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 2', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 3', market, is_no)::VARCHAR, 20, '0'), 19),
    right(lpad(hash($seed, 'token 4', market, is_no)::VARCHAR, 20, '0'), 19)
  ) AS asset_id,
  created_at::DATE AS date,
  '0x' || sha256(concat_ws('|', 'market', $seed, market)) AS condition_id,
  'made-up-' || market AS slug,
  question,
  CASE WHEN is_no THEN 'No' ELSE 'Yes' END AS outcome,
  outcome::INTEGER AS outcome_index,
  category,
  CASE WHEN market % 8 <> 7 THEN 'https://images.example/markets/' || market || '.png' END AS image,
  created_at,
  created_at + INTERVAL 1 HOUR AS opens,
  -- A match begins two hours before it resolves.
  CASE WHEN category IN ('Games', 'Sports') THEN resolves - INTERVAL 2 HOUR END AS starts,
  resolves,
  CASE WHEN resolved THEN resolves + INTERVAL 15 MINUTE END AS closed_at,
  resolved,
  CASE WHEN resolved THEN outcome = won END::INTEGER::DECIMAL(18, 6) AS final_price,
  CASE WHEN NOT resolved AND token % 11 <> 10 THEN round((price - near) / 1000, 6)::DECIMAL(18, 6) END AS best_bid,
  CASE WHEN NOT resolved AND token % 13 <> 12 THEN round((price + near) / 1000, 6)::DECIMAL(18, 6) END AS best_ask,
  round(price / 1000, 6)::DECIMAL(18, 6) AS last_price,
  round(1000 + exp(14 * unit(hash($seed, 'market volume', market))), 2)::DECIMAL(18, 2) AS volume,
  CASE WHEN resolved THEN resolves ELSE date::TIMESTAMP END + INTERVAL 22 HOUR AS updated_at
FROM priced
