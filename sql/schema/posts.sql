-- posts: posts of the President, one row per post
-- partition: month by date
-- key: id
-- sort: timestamp, id
-- ranges: id
-- known: timestamp; exact
CREATE TABLE posts (
  id VARCHAR NOT NULL,           -- id of the post in its source
  date DATE NOT NULL,            -- date of the post, UTC
  timestamp TIMESTAMP NOT NULL,  -- time of the post, UTC, milliseconds
  post VARCHAR NOT NULL          -- full text of the post, plain
);
