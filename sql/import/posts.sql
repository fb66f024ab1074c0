-- posts: posts of the President, one row a post
-- address: https://github.com/timothyjgraham/trump-truth-social-replication
-- expects: archives of Truth Social as CSV with a header, JSON lines or Parquet; either kind gives the same rows
-- expects: the text may be HTML; it becomes plain: <br> and paragraphs break the line, tags go, entities are read
-- expects: a repost is a post like any other, with the text as the archive has it ("RT @…")
-- rejects: a post without text, as those are that show a picture, a video or a link alone
-- rejects: a post without a number, or whose number has other characters than digits
-- rejects: a time that is missing, none, before 2000 or in the future
-- rows: alone
--
-- source: posts = csv, ndjson, parquet
-- column: id = id; number of the post
-- column: created_at = created_at_utc, created_at, timestamp, epoch_ms; ISO 8601, UTC without an offset; or milliseconds
-- column: text = text, content, post; the full text, becomes post
--
-- Times are cut to milliseconds, as the dataset keeps them. The President's account is of 2022; a time before 2000 is
-- that of a broken clock, or of seconds and milliseconds mixed up.
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
