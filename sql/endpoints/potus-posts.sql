-- potus-posts: Posts of the President
-- path: /api/potus/posts
-- subject: Politicians and insiders
-- description: Newest first: the full text of each post and its time in milliseconds since 1970-01-01 UTC. Posts of the
--   same millisecond are in the order of their id.
SELECT
  post,
  epoch_ms(timestamp) AS timestamp
FROM read_parquet($posts, hive_partitioning = false)
WHERE $search_term IS NULL
  OR contains(lower(post), lower($search_term))
ORDER BY
  timestamp DESC,
  id
LIMIT $limit
OFFSET $offset
