-- potus-posts: posts of the President, newest first, all or those that contain a text in any case.
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
