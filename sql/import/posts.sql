-- posts: posts of the President, one row per post
-- address: https://github.com/timothyjgraham/trump-truth-social-replication
-- expects: archives of Truth Social as CSV with a header, JSON lines or Parquet, all with the same result
-- expects: plain text or HTML, which becomes plain text: <br> and paragraphs become line breaks, tags are removed, entities are decoded
-- expects: a repost is an ordinary post, with the text in the archive ("RT @…")
-- rejects: a post without text, such as a picture, a video or a link on its own
-- rejects: a post without an id, or whose id has characters other than digits
-- rejects: a time that is missing, invalid, before 2000 or in the future
-- rows: alone
--
-- source: posts = csv, ndjson, parquet
-- column: id = id; id of the post
-- column: created_at = created_at_utc, created_at, timestamp, epoch_ms; ISO 8601, UTC unless it has an offset, or milliseconds since 1970
-- column: text = text, content, post; the full text, becomes post
--
-- Times are truncated to milliseconds, the precision of the dataset. The President's account is of 2022; a time before
-- 2000 is a faulty clock, or a mix-up of seconds and milliseconds.
-- dataset: posts
WITH read AS (
  SELECT
    *,
    date_trunc('milliseconds', instant_of(created_at)) AS instant,
    html_text(text) AS plain
  FROM posts
)
SELECT
  file,
  line,
  id,
  instant::DATE AS date,
  instant AS timestamp,
  plain AS post,
  coalesce(
    blank_fault('id', id),
    CASE WHEN NOT regexp_full_match(id, '\d+') THEN ['id', 'not a number', id] END,
    blank_fault('created_at', created_at),
    CASE WHEN instant IS NULL THEN ['created_at', 'not a time', created_at] END,
    CASE
      WHEN instant::DATE NOT BETWEEN DATE '2000-01-01' AND $today::DATE + 1
        THEN ['created_at', 'before 2000 or in the future', created_at]
    END,
    CASE WHEN plain IS NULL THEN ['text', 'no text', text] END
  ) AS fault
FROM read
