-- Four hundred harmless fictitious posts over the 120 days up to the end of $to, with characters that a search must
-- handle: percent signs, underscores, quotes, backslashes, emoji, line breaks. Post ids ascend with time.
WITH drawn AS (
  SELECT
    post,
    hash(hash($seed, 'post', post)) AS draw,
    -- One in each of four hundred equal parts of the 120 days, in milliseconds.
    ($to + 1)::TIMESTAMP - to_milliseconds((post + 1) * 25920000 - (draw % 25920000)::BIGINT) AS timestamp
  FROM range(400) AS posts (post)
),
worded AS (
  SELECT
    *,
    pick(
      hash(draw),
      [
        'The new library in Maple County', 'The bridge over the Otter River', 'Our national parks',
        'The harvest this year',
        'The science fair of the Elmwood schools', 'The night train to the coast', 'The lighthouse at Cape Ashdown',
        'The volunteers of the fire brigade', 'The spring flower show', 'The town band of Oakdale'
      ]
    ) AS subject,
    pick(
      hash(hash(draw)),
      [
        'opens on Monday. Everyone is welcome!', 'did a GREAT job. Thank you!', 'will be remembered for a long time.',
        'is better than ever before.', 'deserves a big round of applause.', 'is back, and on time.',
        'made all of us proud today.', 'has never looked so good!'
      ]
    ) AS verdict
  FROM drawn
)
SELECT
  -- Milliseconds and sixteen bits, the format of such services' ids.
  (epoch_ms(timestamp) * 65536 + post)::VARCHAR AS id,
  timestamp::DATE AS date,
  timestamp,
  CASE post % 12
    WHEN 1 THEN format('{} {} Up {}.{} % on last year!', subject, verdict, 1 + draw % 9, post % 10)
    WHEN 3 THEN format('{} {} Pictures: https://news.example/{}_{}', subject, verdict, 'photo_album', post)
    WHEN 5 THEN format('As my neighbour said: "{} {}" I couldn''t agree more.', subject, verdict)
    WHEN 7 THEN format('{} {} 🎉🇺🇸', subject, verdict)
    WHEN 8 THEN format(E'{}\n\n{}\n\nThank you for your attention!', subject, verdict)
    WHEN 10 THEN format('100%_sure: {} {} \\o/', lower(subject), verdict)
    WHEN 11 THEN upper(format('{} {}', subject, verdict))
    ELSE format('{} {}', subject, verdict)
  END AS post
FROM worded
